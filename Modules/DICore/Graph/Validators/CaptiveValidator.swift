/// Instances that live longer than one that they hold, directly or through instances that are made for them.
///
/// What is transient or of the graph is made for who asks and lives as long as that, so it is no captive; what it holds
/// in turn may be one. An edge that resolves later is no holding.
enum CaptiveValidator {
    static func problems(in graph: DependencyGraph) -> [WiringReport.Problem] {
        let shortest = shortestHeld(in: graph)
        return graph.nodes.compactMap { node -> WiringReport.Problem? in
            guard node.forwardsTo == nil, node.captiveReason == nil, isKept(node) else { return nil }
            var captives: [DependencyGraph.Node] = []
            for target in graph.immediateTargets(of: node.id) {
                guard let held = shortest[target].map({ graph.nodes[$0] }) else { continue }
                if held.lifetimeRank < node.lifetimeRank, !captives.contains(where: { $0.id == held.id }) {
                    captives.append(held)
                }
            }
            if captives.isEmpty { return nil }
            return WiringReport.Problem(
                kind: .captive,
                key: node.key,
                location: node.location,
                origin: node.origin,
                requesters: [],
                related: captives.map(\.key),
                relatedLocations: captives.map(\.location),
                detail: "\(node.scope) holds " + captives.map(\.scope).joined(separator: ", ")
            )
        }
    }

    private static func isKept(_ node: DependencyGraph.Node) -> Bool {
        node.lifetimeRank > LifetimeRank.graph
    }

    /// For each node the one that lives shortest of those that are kept and that holding this one means to hold.
    private static func shortestHeld(in graph: DependencyGraph) -> [Int?] {
        var held: [Int?] = Array(repeating: nil, count: graph.nodes.count)
        for component in graph.components {
            var shortest: Int?
            for node in component where isKept(graph.nodes[node]) && graph.nodes[node].forwardsTo == nil {
                shortest = shorter(shortest, node, in: graph)
            }
            if shortest == nil {
                for node in component {
                    for target in graph.immediateTargets(of: node) {
                        if let candidate = held[target] { shortest = shorter(shortest, candidate, in: graph) }
                    }
                }
            }
            for node in component { held[node] = shortest }
        }
        return held
    }

    private static func shorter(_ left: Int?, _ right: Int, in graph: DependencyGraph) -> Int {
        guard let left else { return right }
        return graph.nodes[right].lifetimeRank < graph.nodes[left].lifetimeRank ? right : left
    }
}
