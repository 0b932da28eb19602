internal import DICore

extension GraphPicture {
    /// The version of the form that ``json`` has; grows when a reader of the old form would be misled.
    public static let jsonVersion = 1

    /// The picture as JSON: `version`, `nodes`, `edges`, `missing`, and `external` for those of the missing keys that are
    /// given at run time.
    public var json: String {
        let missing = part.missing
        let numbers = Dictionary(uniqueKeysWithValues: missing.enumerated().map { ($1, $0) })
        let document = JSONText.object([
            ("version", .number(GraphPicture.jsonVersion)),
            ("nodes", .array(part.nodes.map(json))),
            ("edges", .array(part.edges.map { json($0, numbers) })),
            ("missing", .array(missing.map { .string($0.description) })),
            ("external", .array(unregistered.external.map { .string($0.key.description) })),
        ])
        return document.text() + "\n"
    }

    private func json(_ node: DependencyGraph.Node) -> JSONText {
        .object([
            ("id", .number(node.id)),
            ("key", .string(node.key.description)),
            ("scope", .string(node.scope)),
            ("module", .string(node.module)),
            ("location", .string(node.location.description)),
            ("level", .number(node.level)),
            ("registration", .number(node.registration)),
            ("builtBy", .array(node.builtBy.map { .number($0) })),
            ("isHidden", .bool(node.isHidden)),
            ("origin", .optional(node.origin)),
            ("isAnalysable", .bool(node.isAnalysable)),
            ("captiveReason", .optional(node.captiveReason)),
            ("mark", .optional(part.marks[node.id].map { "\($0)" })),
        ])
    }

    private func json(_ edge: DependencyGraph.Edge, _ missing: [ServiceKey: Int]) -> JSONText {
        let target: (String, JSONText) =
            switch edge.to {
            case .node(let node): ("to", .number(node))
            case .missing(let key): ("toMissing", .number(missing[key] ?? 0))
            }
        var members: [(String, JSONText)] = [("from", .number(edge.from)), target]
        switch edge.source {
        case .parameter(let index):
            members += [("source", .string("parameter")), ("parameter", .number(index))]
        case .declared: members.append(("source", .string("declared")))
        case .declaredOfParent: members.append(("source", .string("declaredOfParent")))
        case .observed: members.append(("source", .string("observed")))
        case .forwarding: members.append(("source", .string("forwarding")))
        }
        members += [("isOptional", .bool(edge.isOptional)), ("isDeferred", .bool(edge.isDeferred))]
        return .object(members)
    }
}
