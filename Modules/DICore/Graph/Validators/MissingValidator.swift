/// Services that nobody has registered, or only for other arguments: each once, with all that ask for it.
enum MissingValidator {
    static func problems(in graph: DependencyGraph, external: Set<ServiceKey>) -> [WiringReport.Problem] {
        var order: [ServiceKey] = []
        var requesters: [ServiceKey: [WiringReport.Requester]] = [:]
        for edge in graph.edges where !edge.isOptional {
            guard case .missing(let key) = edge.to, !external.contains(key) else { continue }
            if requesters[key] == nil { order.append(key) }
            requesters[key, default: []].append(graph.requester(edge))
        }
        if order.isEmpty { return [] }
        let byType = Dictionary(grouping: graph.nodes) { ObjectIdentifier($0.key.serviceType) }
        let byName = Dictionary(grouping: graph.nodes) { TypeAndName(key: $0.key) }
        return order.map { key in
            let otherArguments = byName[TypeAndName(key: key), default: []].filter { $0.key.option == nil }
            let related =
                otherArguments.isEmpty ? byType[ObjectIdentifier(key.serviceType), default: []] : otherArguments
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

private struct TypeAndName: Hashable {
    private let type: ObjectIdentifier
    private let name: String?

    init(key: ServiceKey) {
        type = ObjectIdentifier(key.serviceType)
        name = key.name
    }
}
