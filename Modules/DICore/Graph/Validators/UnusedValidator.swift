/// Registrations that cannot be reached from the roots.
enum UnusedValidator {
    static func problems(in graph: DependencyGraph, roots: [ServiceKey]) -> [WiringReport.Problem] {
        if roots.isEmpty { return [] }
        var reached = Array(repeating: false, count: graph.nodes.count)
        var open: [Int] = []
        for root in roots {
            open += graph.answer(root).nodes
        }
        while let node = open.popLast() {
            if reached[node] { continue }
            reached[node] = true
            for edge in graph.edges(from: graph.nodes[node]) {
                if case .node(let target) = edge.to { open.append(target) }
            }
        }
        let used = Set(graph.nodes.filter { reached[$0.id] }.map(\.registration))
        return graph.registered.filter { !used.contains($0.registration) }.map { WiringReport.Problem(.unused, of: $0) }
    }
}
