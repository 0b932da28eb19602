/// Gives an instance later: what `Lazy` and `Provider` are made of.
///
/// One that was made while an instance that a container keeps was being built holds that container weakly, since the
/// container holds it; any other holds the container strongly, so that a child container may end before the object that
/// was made in it uses this.
public struct InstanceProvider<Wrapped> {
    let origin: ProviderOrigin
    let request: (any Resolver) throws(ResolutionError) -> Wrapped

    /// What it gives.
    public var key: ServiceKey { origin.key }

    /// The actor that the factory belongs to, if it was registered on one in a plain container.
    public var isolation: (any Actor)? { origin.isolation }

    /// Gives the instance, or throws why it cannot; with the code ``ResolutionError/Code/containerGone`` when the
    /// container has ended.
    public func callAsFunction() throws(ResolutionError) -> Wrapped {
        guard let resolver = origin.holder.resolver else { throw gone }
        // The session is the resolver's, which may have no other holder than this.
        return try withExtendedLifetime(resolver) { () throws(ResolutionError) in
            let session = resolver.currentSession
            let opened = Session.open(session, origin.graph)
            defer { Session.close(session, opened) }
            return try request(resolver)
        }
    }
}

extension InstanceProvider {
    var gone: ResolutionError {
        let error = ResolutionError(
            .containerGone,
            key: key,
            path: [ResolutionError.Step(key: key, location: origin.place?.location)]
        )
        if case .weakly(let context) = origin.holder { context.report(error) }
        return error
    }
}

/// What a provider knows whatever its type is. An object, since a provider is copied in code that is not specialised.
final class ProviderOrigin {
    let key: ServiceKey
    let holder: ResolverHolder
    let graph: GraphIdentifier?
    /// Set where several threads use the container, or one above it.
    let threads: (any ThreadCoordinator)?
    let isolation: (any Actor)?
    /// Where the service was registered, for the error when the container has ended.
    let place: RegistrationPlace?

    init(
        _ key: ServiceKey,
        of entry: AnyServiceEntry?,
        from holder: ResolverHolder,
        graph: GraphIdentifier?,
        threads: (any ThreadCoordinator)?
    ) {
        self.key = key
        self.holder = holder
        self.graph = graph
        self.threads = threads
        isolation = entry?.isolation
        place = entry?.placeOfRegistration
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
            if frame.pointee.entry._withUnsafeGuaranteedRef({ $0.isKept }) { return true }
            next = frame.pointee.parent
        }
        return false
    }
}
