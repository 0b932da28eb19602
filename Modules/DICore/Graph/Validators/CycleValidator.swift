/// Services that need each other to be built. Edges that resolve later close no cycle: what a `Lazy`, a `Provider` or a
/// callback asks for is asked for when the instance is complete. Services that all take runtime arguments close none either,
/// since a repeat with other arguments may end.
enum CycleValidator {
    static func problems(in graph: DependencyGraph) -> [WiringReport.Problem] {
        var starts: [Int] = []
        var cycles: [[Int]: WiringReport.Problem] = [:]
        var order: [[Int]] = []
        for component in graph.components {
            guard component.count > 1 || graph.immediateTargets(of: component[0]).contains(component[0]),
                let start = component.filter({ graph.nodes[$0].key.takesNoArguments }).min(),
                let way = way(around: start, in: graph, Set(component))
            else { continue }
            // A cycle that several containers build is reported once.
            let cycle = way.map { graph.nodes[$0].registration }
            if cycles[cycle] == nil {
                starts.append(start)
                order.append(cycle)
            }
            cycles[cycle] = WiringReport.Problem(
                .cycle,
                of: graph.nodes[start],
                nodes: (cycles[cycle]?.nodes ?? []) + [start],
                related: way.map(graph.registration),
                detail: component.count + 1 > way.count ? "\(component.count) services are caught in it" : nil
            )
        }
        return starts.placesInOrder.compactMap { cycles[order[$0]] }
    }

    /// The shortest way from a node back to itself, within a component.
    private static func way(around start: Int, in graph: DependencyGraph, _ members: Set<Int>) -> [Int]? {
        var previous: [Int: Int] = [:]
        var queue = [start]
        var next = 0
        while next < queue.count {
            let node = queue[next]
            next += 1
            for target in graph.immediateTargets(of: node) where members.contains(target) {
                if target == start {
                    var way = [start, node]
                    while let before = way.last, before != start { way.append(previous[before] ?? start) }
                    return way.reversed()
                }
                if previous[target] == nil {
                    previous[target] = node
                    queue.append(target)
                }
            }
        }
        return nil
    }
}
