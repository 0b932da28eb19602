/// Services that need each other to be built. Edges that resolve later close no cycle: what a `Lazy`, a `Provider` or a
/// callback asks for is asked for when the instance is complete.
enum CycleValidator {
    static func problems(in graph: DependencyGraph) -> [WiringReport.Problem] {
        var starts: [Int] = []
        var problems: [WiringReport.Problem] = []
        for component in graph.components {
            guard component.count > 1 || graph.immediateTargets(of: component[0]).contains(component[0]),
                let start = component.min(), let cycle = way(around: start, in: graph, Set(component))
            else { continue }
            starts.append(start)
            problems.append(
                WiringReport.Problem(
                    .cycle,
                    of: graph.nodes[start],
                    related: cycle.map(graph.registration),
                    detail: component.count + 1 > cycle.count ? "\(component.count) services are caught in it" : nil
                )
            )
        }
        return starts.placesInOrder.map { problems[$0] }
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
