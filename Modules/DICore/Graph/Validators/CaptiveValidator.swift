/// Instances that live longer than one that they hold, directly or through instances that are made for them.
///
/// What is transient or of the graph is made for who asks and lives as long as that, so it is no captive; what it holds
/// in turn may be one. What is asked for later is not held, but may come to be; that is a problem of a kind of its own.
enum CaptiveValidator {
    static func problems(in graph: DependencyGraph) -> [WiringReport.Problem] {
        var search = CaptiveSearch(in: graph)
        var problems: [WiringReport.Problem] = []
        for node in graph.registered where node.isKept && node.captiveReason == nil {
            let holders = graph.nodes[node.id...].prefix { $0.registration == node.registration }
            let ways = holders.flatMap { search.ways(toShorterLivingFrom: $0) }
            if ways.isEmpty { continue }
            var known: Set<Int> = []
            for (kind, verb, isLater) in [
                (WiringReport.Kind.captive, "holds", false), (.deferredCaptive, "asks for", true),
            ] {
                let ways = ways.filter { way in
                    way.isDeferred == isLater && known.insert(graph.nodes[way.captive].registration).inserted
                }
                if let problem = problem(kind, of: node, ways, verb, in: graph) { problems.append(problem) }
            }
        }
        return problems
    }

    private static func problem(
        _ kind: WiringReport.Kind,
        of node: DependencyGraph.Node,
        _ ways: [CaptiveSearch.Way],
        _ verb: String,
        in graph: DependencyGraph
    ) -> WiringReport.Problem? {
        if ways.isEmpty { return nil }
        return WiringReport.Problem(
            kind,
            of: node,
            nodes: Set(ways.map(\.nodes[0])).sorted(),
            related: ways.map { graph.registration($0.captive) },
            ways: ways.map { $0.nodes.map(graph.registration) },
            detail: "\(node.scope) \(verb) " + ways.map { graph.nodes[$0.captive].scope }.joined(separator: ", ")
        )
    }
}

/// Finds the ways from kept instances to such as live shorter, without passing another kept one.
struct CaptiveSearch {
    /// A way, both ends included.
    struct Way {
        let nodes: [Int]
        /// Whether one of its edges is deferred.
        let isDeferred: Bool

        var captive: Int { nodes[nodes.count - 1] }
    }

    private let graph: DependencyGraph

    /// For each node the rank of the shortest-living kept node that it is or leads to without passing another kept one; nil
    /// where there is none. A search enters a node only if the holder outlives that rank, so it goes to captives alone.
    private var shortest: [LifetimeRank?]

    /// The number of the last search that has reached each node: at once, and by a way with a deferred edge.
    private var reached: [(atOnce: Int, later: Int)]
    private var searches = 0

    init(in graph: DependencyGraph) {
        self.graph = graph
        shortest = graph.nodes.map { $0.isKept ? $0.lifetimeRank : nil }
        reached = Array(repeating: (0, 0), count: graph.nodes.count)
        var askers: [[Int]] = Array(repeating: [], count: graph.nodes.count)
        for edge in graph.edges {
            if case .node(let target) = edge.to { askers[target].append(edge.from) }
        }
        // From the shortest-living ones outwards: a node that one of them reaches first leads to no shorter one.
        let kept = graph.nodes.filter(\.isKept)
        for place in kept.map(\.lifetimeRank.value).placesInOrder {
            var open = [kept[place].id]
            while let node = open.popLast() {
                for asker in askers[node] where shortest[asker] == nil {
                    shortest[asker] = kept[place].lifetimeRank
                    open.append(asker)
                }
            }
        }
    }

    private struct Step {
        let node: Int
        let isDeferred: Bool
        /// The place of the step before; nil for the first one.
        let previous: Int?
        /// The number of the holder's request that the way begins with.
        let beginning: Int
    }

    /// Returns the shortest way to each captive, in the order of the holder's requests that they begin with. A captive that is
    /// held as well as asked for later has two ways.
    mutating func ways(toShorterLivingFrom holder: DependencyGraph.Node) -> [Way] {
        searches += 1
        var steps: [Step] = []
        var ends: [Int] = []
        func isWorthALook(_ node: Int) -> Bool { shortest[node].map { $0 < holder.lifetimeRank } ?? false }
        func go(along edges: ArraySlice<DependencyGraph.Edge>, from previous: Int?) {
            for (place, edge) in edges.enumerated() {
                guard case .node(let target) = edge.to, isWorthALook(target) else { continue }
                let isDeferred = edge.isDeferred || previous.map { steps[$0].isDeferred } ?? false
                if (isDeferred ? reached[target].later : reached[target].atOnce) == searches { continue }
                if isDeferred { reached[target].later = searches } else { reached[target].atOnce = searches }
                let beginning = previous.map { steps[$0].beginning } ?? place
                steps.append(Step(node: target, isDeferred: isDeferred, previous: previous, beginning: beginning))
            }
        }
        go(along: graph.edges(from: holder), from: nil)
        var next = 0
        while next < steps.count {
            let node = graph.nodes[steps[next].node]
            if node.isKept { ends.append(next) } else { go(along: graph.edges(from: node), from: next) }
            next += 1
        }
        return ends.map { steps[$0].beginning }.placesInOrder.map { place in
            let way = sequence(first: ends[place]) { steps[$0].previous }.map { steps[$0].node }
            return Way(nodes: [holder.id] + way.reversed(), isDeferred: steps[ends[place]].isDeferred)
        }
    }
}

extension DependencyGraph.Node {
    /// Whether its instances outlive the graph in which they are built. A forwarded type keeps none.
    var isKept: Bool { forwardsTo == nil && lifetimeRank > LifetimeRank.graph }
}
