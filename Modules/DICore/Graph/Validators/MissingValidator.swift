/// Services that nobody has registered, or only for other arguments: each once, with all that ask for it.
enum MissingValidator {
    static func problems(
        in graph: DependencyGraph,
        external: Set<ServiceKey>,
        roots: [ServiceKey]
    ) -> [WiringReport.Problem] {
        var order: [ServiceKey] = []
        var requesters: [ServiceKey: [WiringReport.Requester]] = [:]
        var levels: [ServiceKey: Set<Int>] = [:]
        for edge in graph.edges where !edge.isOptional {
            guard case .missing(let key) = edge.to, !external.contains(key) else { continue }
            if requesters[key] == nil { order.append(key) }
            levels[key, default: []].insert(graph.level(askedBy: edge))
            // A registration that several containers build is listed once, as the nearest one builds it.
            let isKnown = requesters[key]?.last.map { last in
                graph.nodes[last.node].registration == graph.nodes[edge.from].registration && last.node != edge.from
            }
            if isKnown != true { requesters[key, default: []].append(graph.requester(edge)) }
        }
        for root in roots {
            let answer = graph.answer(root)
            guard let key = answer.missing, !answer.isOptional, !external.contains(key) else { continue }
            levels[key, default: []].insert(0)
            if requesters[key] == nil {
                order.append(key)
                requesters[key] = []
            }
        }
        if order.isEmpty { return [] }
        var search = NearMissSearch(in: graph)
        return order.map { key in
            let otherArguments = search.otherArguments(than: key, from: levels[key]?.min() ?? 0)
            let nearMisses = otherArguments.isEmpty ? search.nearMisses(of: key) : otherArguments
            return WiringReport.Problem(
                kind: otherArguments.isEmpty ? .missing : .argumentsMismatch,
                key: key,
                location: nil,
                origin: nil,
                nodes: [],
                requesters: requesters[key] ?? [],
                related: nearMisses.prefix(3).map { graph.registration($0.id) },
                ways: [],
                detail: nil
            )
        }
    }
}
