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
        let causes = GraphPart.causes(of: problem)
        let starts: Set<Int> =
            problem.kind.isAboutMissing
            ? Set(graph.edges.filter { !$0.isOptional && $0.to == .missing(problem.key) }.map(\.from)) : causes
        // What asks for the holder of a captive has no part in it.
        let reach =
            problem.ways.isEmpty
            ? GraphPart.requesters(of: starts, in: graph)
            : Set(problem.ways.joined().compactMap(\.node))
        let shown = reach.union(causes)
        self.graph = graph
        nodes = graph.nodes.filter { shown.contains($0.id) }
        edges = graph.edges.filter { edge in
            guard shown.contains(edge.from) else { return false }
            return switch edge.to {
            case .node(let target): shown.contains(target)
            case .missing(let key): key == problem.key
            }
        }
        for node in reach { marks[node] = .consequence }
        for node in causes { marks[node] = .cause }
        if problem.kind.isAboutMissing { markedMissing = [problem.key] }
    }

    /// The registrations that a problem is about; of a missing one there is none.
    private static func causes(of problem: WiringReport.Problem) -> Set<Int> {
        if problem.kind.isAboutMissing { return [] }
        return Set(problem.nodes + problem.related.compactMap(\.node))
    }

    /// All that ask for one of the nodes, directly and indirectly, and the nodes themselves.
    private static func requesters(of nodes: Set<Int>, in graph: DependencyGraph) -> Set<Int> {
        var askers: [Int: [Int]] = [:]
        for edge in graph.edges {
            if case .node(let target) = edge.to { askers[target, default: []].append(edge.from) }
        }
        var reached: Set<Int> = []
        var open = Array(nodes)
        while let node = open.popLast() {
            if reached.insert(node).inserted { open += askers[node] ?? [] }
        }
        return reached
    }
}

extension WiringReport.Kind {
    fileprivate var isAboutMissing: Bool { self == .missing || self == .argumentsMismatch }
}
