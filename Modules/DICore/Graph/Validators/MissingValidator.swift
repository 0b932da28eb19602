/// Services that nobody has registered, or only for other arguments: each once, with all that ask for it.
enum MissingValidator {
    static func problems(
        in graph: DependencyGraph,
        external: Set<ServiceKey>,
        roots: [ServiceKey]
    ) -> [WiringReport.Problem] {
        var order: [ServiceKey] = []
        var requesters: [ServiceKey: [WiringReport.Requester]] = [:]
        for edge in graph.edges where !edge.isOptional {
            guard case .missing(let key) = edge.to, !external.contains(key) else { continue }
            if requesters[key] == nil { order.append(key) }
            requesters[key, default: []].append(graph.requester(edge))
        }
        for root in roots {
            let (targets, traits) = graph.index.follow(root, from: 0)
            for case .missing(let key) in targets
            where !traits.contains(.toleratesAbsence) && !external.contains(key) && requesters[key] == nil {
                order.append(key)
                requesters[key] = []
            }
        }
        if order.isEmpty { return [] }
        let byType = Dictionary(grouping: graph.nodes) { ObjectIdentifier($0.key.serviceType) }
        let byName = Dictionary(grouping: graph.nodes) { TypeAndName(key: $0.key) }
        return order.map { key in
            let otherArguments = byName[TypeAndName(key: key), default: []].filter {
                $0.key.option == nil && $0.key.argumentsType != key.argumentsType
            }
            let related =
                otherArguments.isEmpty
                ? nearest(byType[ObjectIdentifier(key.serviceType), default: []], to: key) : otherArguments
            return WiringReport.Problem(
                kind: otherArguments.isEmpty ? .missing : .argumentsMismatch,
                key: key,
                location: nil,
                origin: nil,
                requesters: requesters[key] ?? [],
                related: related.prefix(3).map(\.key),
                relatedLocations: related.prefix(3).map(\.location),
                detail: nil
            )
        }
    }
}

extension MissingValidator {
    /// The registrations of a type whose names are nearest. Where there are very many, the first of them must do: all
    /// the missing ones of such a type would otherwise look at all the others.
    private static func nearest(_ nodes: [DependencyGraph.Node], to key: ServiceKey) -> [DependencyGraph.Node] {
        nodes.prefix(100).filter { $0.key != key }
            .map { (node: $0, distance: EditDistance.between($0.key.name ?? "", key.name ?? "")) }
            .sorted { ($0.distance, $0.node.id) < ($1.distance, $1.node.id) }
            .map(\.node)
    }
}

private struct TypeAndName: Hashable {
    private let type: ObjectIdentifier
    private let name: String?

    init(key: ServiceKey) {
        type = ObjectIdentifier(key.serviceType)
        name = key.name
    }
}
