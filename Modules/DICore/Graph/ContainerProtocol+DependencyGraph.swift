extension ContainerProtocol {
    /// Creates the wiring of this container and its parents as a value. Constructs nothing.
    ///
    /// It shows the requests to this container: a parent builds the services that it keeps from its own registrations, and
    /// the container that asks builds the transient and graph ones.
    ///
    /// - Parameters:
    ///   - observed: a record of resolves. It completes the edges of initializers and declarations.
    ///   - origin: gives the author of a registration, such as an assembly, by key and location; shown with the problems.
    /// - Complexity: linear in the number of nodes and edges.
    public func dependencyGraph(
        observed: ObservedWiring = ObservedWiring(),
        origin: (ServiceKey, SourceLocation) -> String? = { _, _ in nil }
    ) -> DependencyGraph {
        DependencyGraph(RegisteredWiring(of: context), observed: observed, origin: origin)
    }
}
