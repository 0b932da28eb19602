/// Closures that say nothing of what they ask for and were not seen to run.
enum OpaqueValidator {
    static func problems(in graph: DependencyGraph) -> [WiringReport.Problem] {
        graph.nodes.filter { !$0.isAnalysable }.map { WiringReport.Problem(.notAnalysable, of: $0) }
    }
}
