/// Registrations that took the place of another one.
enum ReplacementValidator {
    static func problems(in graph: DependencyGraph) -> [WiringReport.Problem] {
        graph.nodes.compactMap { node -> WiringReport.Problem? in
            guard let replaced = node.replacedLocation else { return nil }
            return WiringReport.Problem(
                kind: node.replacesForwarding ? .ambiguousForwarding : .duplicate,
                key: node.key,
                location: node.location,
                origin: node.origin,
                requesters: [],
                related: [],
                relatedLocations: [replaced],
                detail: nil
            )
        }
    }
}
