/// Closures that say nothing of what they ask for and were not seen to run.
enum OpaqueValidator {
    static func problems(in graph: DependencyGraph) -> [WiringReport.Problem] {
        graph.registered.filter { !$0.isAnalysable && !$0.isHidden }.map {
            WiringReport.Problem(.notAnalysable, of: $0)
        }
    }
}
