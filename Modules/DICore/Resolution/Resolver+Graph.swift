extension Resolver {
    /// Resolves inside the object graph that an identifier stands for.
    ///
    ///     container.withObjectGraph(screen.graph) { r in
    ///         r.resolve(Header.self)
    ///     }
    ///
    /// While the graph runs this joins it. After it has ended, its objects are found for as long as they live, and what
    /// is built joins them. The graph is that of the calling thread for the duration of the body.
    public func withObjectGraph<Result, Failure: Error>(
        _ identifier: GraphIdentifier,
        _ body: (Self) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let session = currentSession
        let opened = Session.open(session, identifier)
        defer {
            // The session is this resolver's, and the body may be its last use.
            withExtendedLifetime(self) { Session.close(session, opened) }
        }
        return try body(self)
    }
}
