internal import DICore

/// The nodes and edges of a graph that a picture shows, with what is to be marked in it.
struct GraphPart {
    enum Mark {
        /// Where a problem starts.
        case cause
        /// What cannot be built because of it.
        case consequence
    }

    let graph: DependencyGraph
    private(set) var nodes: [DependencyGraph.Node]
    private(set) var edges: [DependencyGraph.Edge]
    private(set) var marks: [Int: Mark] = [:]
    private(set) var markedMissing: Set<ServiceKey> = []

    /// The keys that are asked for in this part and that nobody has registered, each once.
    var missing: [ServiceKey] {
        var seen: Set<ServiceKey> = []
        return edges.compactMap { edge in
            if case .missing(let key) = edge.to, seen.insert(key).inserted { key } else { nil }
        }
    }

    /// Everything.
    init(_ graph: DependencyGraph) {
        self.graph = graph
        nodes = graph.nodes
        edges = graph.edges
    }

    /// What the registration of a key needs, directly and indirectly, in so many steps at most.
    init(_ graph: DependencyGraph, below key: ServiceKey, depth: Int?) {
        var reached: Set<Int> = []
        var edges: [DependencyGraph.Edge] = []
        var level = graph.node(for: key).map { [$0.id] } ?? []
        var steps = 0
        reached.formUnion(level)
        while !level.isEmpty, depth.map({ steps < $0 }) ?? true {
            var next: [Int] = []
            for node in level {
                for edge in graph.edges(from: graph.nodes[node]) {
                    edges.append(edge)
                    if case .node(let target) = edge.to, reached.insert(target).inserted { next.append(target) }
                }
            }
            level = next
            steps += 1
        }
        self.graph = graph
        self.nodes = graph.nodes.filter { reached.contains($0.id) }
        self.edges = edges
    }

    /// The root cause of a problem and what cannot be built because of it.
    init(_ graph: DependencyGraph, explaining problem: WiringReport.Problem) {
        let related = Set([problem.key] + problem.related)
        let causes = Set(graph.nodes.filter { related.contains($0.key) && problem.kind != .missing }.map(\.id))
        var consequences: Set<Int> = []
        var requesters: [Int: [Int]] = [:]
        var open = Array(causes)
        for edge in graph.edges {
            switch edge.to {
            case .node(let target): requesters[target, default: []].append(edge.from)
            case .missing(let key):
                if key == problem.key { open.append(edge.from) }
            }
        }
        while let node = open.popLast() {
            guard consequences.insert(node).inserted else { continue }
            open += requesters[node] ?? []
        }
        let shown = consequences.union(causes)
        self.graph = graph
        nodes = graph.nodes.filter { shown.contains($0.id) }
        edges = graph.edges.filter { edge in
            guard shown.contains(edge.from) else { return false }
            return switch edge.to {
            case .node(let target): shown.contains(target)
            case .missing(let key): key == problem.key
            }
        }
        for node in consequences { marks[node] = .consequence }
        for node in causes { marks[node] = .cause }
        if [.missing, .argumentsMismatch].contains(problem.kind) { markedMissing = [problem.key] }
    }
}
