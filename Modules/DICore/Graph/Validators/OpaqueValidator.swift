/// Closures that say nothing of what they ask for and were not seen to run.
enum OpaqueValidator {
    static func problems(in graph: DependencyGraph) -> [WiringReport.Problem] {
        graph.nodes.compactMap { node -> WiringReport.Problem? in
            if node.isAnalysable { return nil }
            return WiringReport.Problem(
                kind: .notAnalysable,
                key: node.key,
                location: node.location,
                origin: node.origin,
                requesters: [],
                related: [],
                relatedLocations: [],
                detail: nil
            )
        }
    }
}
