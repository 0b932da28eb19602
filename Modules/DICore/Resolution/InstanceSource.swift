/// What a wrapper makes itself from: the registration of the wrapped type, as the request for the wrapper meant it.
///
/// Valid while the wrapper is being made. What is to be used later comes from ``inThisGraph()`` and ``inNewGraphs()``.
public struct InstanceSource<Wrapped> {
    /// What is asked for: the wrapped type with the arguments and the name of the request.
    public let key: ServiceKey

    let resolver: any Resolver
    let located: LocatedEntry
    let request: (any Resolver) throws(ResolutionError) -> Wrapped

    /// Whether the wrapped type is registered or can itself be made as a wrapper. Runs no factory.
    public var isAvailable: Bool { isResolvable(Wrapped.self, key, from: resolver) }

    /// Gives the instance now, in the graph that is running.
    public func resolve() throws(ResolutionError) -> Wrapped { try request(resolver) }

    /// Gives all contributions to the collection of the wrapped type now, in the graph that is running.
    public func resolveAll() throws(ResolutionError) -> [Wrapped] { try resolver.requireAll(Wrapped.self) }

    /// Something that gives the instance later, in the graph that is running now for as long as its objects live.
    public func inThisGraph() -> InstanceProvider<Wrapped> {
        provider(graph: Session.identifierToKeep(located.session))
    }

    /// Something that gives later, at each use, what a new resolve would give.
    public func inNewGraphs() -> InstanceProvider<Wrapped> {
        provider(graph: nil)
    }

    private func provider(graph: GraphIdentifier?) -> InstanceProvider<Wrapped> {
        let context = located.context.takeUnretainedValue()
        let holder: ResolverHolder =
            if Session.isBuildingKept(located.session), context.resolver != nil {
                .weakly(context)
            } else {
                .strongly(resolver)
            }
        return InstanceProvider(key: key, holder: holder, graph: graph, request: request)
    }
}

/// Gives an instance later: what `Lazy` and `Provider` are made of.
///
/// One that was made while an instance that a container keeps was being built holds that container weakly, since the
/// container holds it; any other holds the container strongly, so that a child container may end before the object that
/// was made in it uses this.
public struct InstanceProvider<Wrapped> {
    /// What it gives.
    public let key: ServiceKey

    let holder: ResolverHolder
    let graph: GraphIdentifier?
    let request: (any Resolver) throws(ResolutionError) -> Wrapped

    /// Gives the instance, or throws why it cannot; with the code ``ResolutionError/Code/containerGone`` when the
    /// container has ended.
    public func callAsFunction() throws(ResolutionError) -> Wrapped {
        guard let resolver = holder.resolver else { throw ResolutionError(.containerGone, key: key) }
        // The session is the resolver's, which may have no other holder than this.
        return try withExtendedLifetime(resolver) { () throws(ResolutionError) in
            let session = resolver.locate(unnamed: GraphIdentifier.self).session
            let opened = Session.open(session, graph)
            defer { Session.close(session, opened) }
            return try request(resolver)
        }
    }
}

enum ResolverHolder {
    case strongly(any Resolver)
    /// The context does not hold its resolver, and knows when it has ended.
    case weakly(ResolutionContext)

    var resolver: (any Resolver)? {
        switch self {
        case .strongly(let resolver): resolver
        case .weakly(let context): context.resolver
        }
    }
}

extension Session {
    /// Whether an instance that a container keeps is being built, so that whatever is made now may end up in it.
    static func isBuildingKept(_ session: UnsafeMutablePointer<Session>) -> Bool {
        var next = session.pointee.top
        while let frame = next {
            if frame.pointee.entry._withUnsafeGuaranteedRef({ $0.flags.contains(.shared) }) { return true }
            next = frame.pointee.parent
        }
        return false
    }
}
