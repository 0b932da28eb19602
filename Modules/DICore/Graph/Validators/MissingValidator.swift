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
        var search = NearMissSearch(in: graph)
        return order.map { key in
            let otherArguments = search.otherArguments(than: key)
            let nearMisses = otherArguments.isEmpty ? search.nearMisses(of: key) : otherArguments
            return WiringReport.Problem(
                kind: otherArguments.isEmpty ? .missing : .argumentsMismatch,
                key: key,
                location: nil,
                origin: nil,
                requesters: requesters[key] ?? [],
                related: nearMisses.prefix(3).map { graph.registration($0.id) },
                ways: [],
                detail: nil
            )
        }
    }
}
