/// Registrations that took the place of another one.
enum ReplacementValidator {
    static func problems(in graph: DependencyGraph) -> [WiringReport.Problem] {
        graph.registered.compactMap { node -> WiringReport.Problem? in
            guard let location = node.replacedLocation else { return nil }
            return WiringReport.Problem(
                node.replacesForwarding ? .ambiguousForwarding : .duplicate,
                of: node,
                related: [.init(key: node.key, location: location, origin: node.replacedOrigin, node: nil)]
            )
        }
    }
}
