extension Resolver {
    /// Resolves inside the object graph that an identifier stands for.
    ///
    ///     container.withObjectGraph(screen.graph) { r in
    ///         r.resolve(Header.self)
    ///     }
    ///
    /// While the graph runs this joins it. After it has ended, its objects are found for as long as they live, and what
    /// is built joins them. The graph is that of the calling thread for the duration of the body.
    ///
    /// The body is given this resolver, as one that the compiler does not let go to another thread: requests of one graph may
    /// give one object.
    public func withObjectGraph<Result, Failure: Error>(
        _ identifier: GraphIdentifier,
        _ body: (any Resolver) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try inGraph(identifier) { () throws(Failure) in try body(self) }
    }

    /// Calls the body with the graph of an identifier as the running one or, without an identifier, with a new one.
    func inGraph<Result, Failure: Error>(
        _ identifier: GraphIdentifier?,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (context, session) = current
        let gate = context.gate
        gate?.enter()
        defer { gate?.leave() }
        let opened = Session.open(session, identifier)
        defer {
            // The session is this resolver's, and the body may be its last use.
            withExtendedLifetime((self, context)) { Session.close(session, opened) }
        }
        return try body()
    }
}
