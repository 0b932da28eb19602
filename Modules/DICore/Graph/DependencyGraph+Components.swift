extension DependencyGraph {
    /// The nodes that are needed to build a node: not those that it asks for later.
    func immediateTargets(of node: Int) -> [Int] {
        edges[edgeRanges[node]].compactMap { edge in
            if !edge.isDeferred, case .node(let target) = edge.to { target } else { nil }
        }
    }

    /// The strongly connected components (Tarjan), each after those that it needs. The recursion is on the heap, since
    /// wirings may be deep.
    var components: [[Int]] {
        var search = ComponentSearch(graph: self)
        return search.run()
    }
}

private struct ComponentSearch {
    private let graph: DependencyGraph
    private var order: [Int]
    private var low: [Int]
    private var isOnStack: [Bool]
    private var stack: [Int] = []
    private var calls: [(node: Int, targets: [Int], next: Int)] = []
    private var found: [[Int]] = []
    private var visited = 0

    init(graph: DependencyGraph) {
        self.graph = graph
        order = Array(repeating: -1, count: graph.nodes.count)
        low = Array(repeating: 0, count: graph.nodes.count)
        isOnStack = Array(repeating: false, count: graph.nodes.count)
    }

    mutating func run() -> [[Int]] {
        for root in graph.nodes.indices where order[root] == -1 {
            enter(root)
            while !calls.isEmpty { step() }
        }
        return found
    }

    private mutating func enter(_ node: Int) {
        order[node] = visited
        low[node] = visited
        visited += 1
        stack.append(node)
        isOnStack[node] = true
        calls.append((node, graph.immediateTargets(of: node), 0))
    }

    private mutating func step() {
        let last = calls.count - 1
        let node = calls[last].node
        if calls[last].next < calls[last].targets.count {
            let target = calls[last].targets[calls[last].next]
            calls[last].next += 1
            if order[target] == -1 {
                enter(target)
            } else if isOnStack[target] {
                low[node] = min(low[node], order[target])
            }
            return
        }
        calls.removeLast()
        if let parent = calls.last?.node { low[parent] = min(low[parent], low[node]) }
        if low[node] == order[node] { takeComponent(downTo: node) }
    }

    private mutating func takeComponent(downTo root: Int) {
        var component: [Int] = []
        while let node = stack.popLast() {
            isOnStack[node] = false
            component.append(node)
            if node == root { break }
        }
        found.append(component)
    }
}
