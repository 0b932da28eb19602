/// Instances that live longer than one that they hold, directly or through instances that are made for them.
///
/// What is transient or of the graph is made for who asks and lives as long as that, so it is no captive; what it holds
/// in turn may be one. What is asked for later is not held, but may come to be; that is a problem of a kind of its own.
enum CaptiveValidator {
    static func problems(in graph: DependencyGraph) -> [WiringReport.Problem] {
        let held = KeptSearch(in: graph, followsDeferred: false)
        let reached = KeptSearch(in: graph, followsDeferred: true)
        return graph.nodes.flatMap { node -> [WiringReport.Problem] in
            guard node.isKept, node.captiveReason == nil else { return [] }
            let captives = held.ways(toShorterLivingFrom: node)
            let known = Set(captives.compactMap(\.last))
            let deferred = reached.ways(toShorterLivingFrom: node).filter { way in
                way.last.map { !known.contains($0) } == true && graph.isDeferred(way)
            }
            return [
                problem(.captive, of: node, captives, "holds", in: graph),
                problem(.deferredCaptive, of: node, deferred, "asks for", in: graph),
            ]
            .compactMap(\.self)
        }
    }

    private static func problem(
        _ kind: WiringReport.Kind,
        of node: DependencyGraph.Node,
        _ ways: [[Int]],
        _ verb: String,
        in graph: DependencyGraph
    ) -> WiringReport.Problem? {
        if ways.isEmpty { return nil }
        let captives = ways.compactMap(\.last)
        return WiringReport.Problem(
            kind,
            of: node,
            related: captives.map(graph.registration),
            ways: ways.map { $0.map(graph.registration) },
            detail: "\(node.scope) \(verb) " + captives.map { graph.nodes[$0].scope }.joined(separator: ", ")
        )
    }
}

/// Finds, for each registration, the one that lives shortest of the kept ones that it leads to without passing another
/// kept one, and the way there.
private struct KeptSearch {
    private let graph: DependencyGraph
    private let followsDeferred: Bool
    private var found: [Int?]
    /// The next one on the way; nil where the way ends.
    private var next: [Int?]

    init(in graph: DependencyGraph, followsDeferred: Bool) {
        self.graph = graph
        self.followsDeferred = followsDeferred
        found = graph.nodes.map { $0.isKept ? $0.id : nil }
        next = Array(repeating: nil, count: graph.nodes.count)
        var askers: [[Int]] = Array(repeating: [], count: graph.nodes.count)
        for edge in graph.edges where followsDeferred || !edge.isDeferred {
            if case .node(let target) = edge.to { askers[target].append(edge.from) }
        }
        // From those that live shortest outwards: whoever is reached first by one of them leads to nothing shorter.
        let kept = graph.nodes.filter(\.isKept)
        var rest = kept.map(\.lifetimeRank.value).placesInOrder.map { kept[$0].id }[...]
        while let rank = rest.first.map({ graph.nodes[$0].lifetimeRank }) {
            var open = Array(rest.prefix { graph.nodes[$0].lifetimeRank == rank })
            rest = rest.dropFirst(open.count)
            var first = 0
            while first < open.count {
                let node = open[first]
                first += 1
                for asker in askers[node] where found[asker] == nil {
                    found[asker] = found[node]
                    next[asker] = node
                    open.append(asker)
                }
            }
        }
    }

    /// The ways from a kept registration to such as live shorter, one for each, itself and the other included.
    func ways(toShorterLivingFrom node: DependencyGraph.Node) -> [[Int]] {
        var ways: [[Int]] = []
        var known: Set<Int> = []
        for edge in graph.edges(from: node) where followsDeferred || !edge.isDeferred {
            guard case .node(let target) = edge.to, let end = found[target],
                graph.nodes[end].lifetimeRank < node.lifetimeRank, known.insert(end).inserted
            else { continue }
            ways.append([node.id] + sequence(first: target) { next[$0] })
        }
        return ways
    }
}

extension DependencyGraph {
    /// Whether a step of a way is one that is only asked for later.
    fileprivate func isDeferred(_ way: [Int]) -> Bool {
        zip(way, way.dropFirst()).contains { !immediateTargets(of: $0).contains($1) }
    }
}

extension DependencyGraph.Node {
    /// Whether its instances outlive the graph in which they are built. A forwarded type keeps none.
    fileprivate var isKept: Bool { forwardsTo == nil && lifetimeRank > LifetimeRank.graph }
}
