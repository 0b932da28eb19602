/// Gives an instance later: what `Lazy` and `Provider` are made of.
///
/// One that was made while an instance that a container keeps was being built holds that container weakly, since the
/// container holds it; any other holds the container strongly, so that a child container may end before the object that
/// was made in it uses this. If something that the container keeps is given that object by its graph, it holds the container
/// weakly from then on.
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
            try resolver.inGraph(origin.graph) { () throws(ResolutionError) in
                guard origin.isKept else { return try request(resolver) }
                // What is built becomes part of an instance that the container keeps, and so do the wrappers in it.
                let session = resolver.current.session
                session.pointee.keptRequests += 1
                defer { session.pointee.keptRequests -= 1 }
                return try request(resolver)
            }
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
        switch origin.holder {
        case .weakly(let context), .byGraph(_, let context): context.report(error)
        case .strongly: break
        }
        return error
    }
}

/// What a provider knows whatever its type is. An object, since a provider is copied in code that is not specialised.
final class ProviderOrigin {
    let key: ServiceKey
    let holder: ResolverHolder
    let graph: GraphIdentifier?
    private let isAlwaysKept: Bool?
    /// Whether several threads use the container, one above it, or views of it.
    let isForThreads: Bool
    let isolation: (any Actor)?
    /// Where the service was registered, for the error when the container has ended.
    let place: RegistrationPlace?

    init(
        _ key: ServiceKey,
        _ holder: ResolverHolder,
        _ graph: GraphIdentifier?,
        _ isForThreads: Bool,
        _ isolation: (any Actor)?,
        _ place: RegistrationPlace?,
        isKept: Bool? = nil
    ) {
        isAlwaysKept = isKept
        self.key = key
        self.holder = holder
        self.graph = graph
        self.isForThreads = isForThreads
        self.isolation = isolation
        self.place = place
    }
}

extension ProviderOrigin {
    /// Whether what it gives becomes part of an instance that the container keeps.
    var isKept: Bool { graph != nil && (isAlwaysKept ?? holder.isWeak) }
}

enum ResolverHolder {
    case strongly(any Resolver)
    /// The context may keep what uses this.
    case weakly(ContextReference)
    /// As the graph does in which this was made: strongly until the context keeps something that uses this.
    case byGraph(GraphHold.Share, ContextReference)

    /// Makes the holder of a wrapper that is being made now.
    init(_ resolver: any Resolver, _ context: ResolutionContext) {
        guard context.resolver != nil else {
            self = .strongly(resolver)
            return
        }
        switch Session.holding(context.session) {
        case .strongly: self = .strongly(resolver)
        case .weakly: self = .weakly(context.reference)
        case .whileUnshared(let keys):
            let hold = Session.identifier(context.session).hold
            self = .byGraph(hold.add(resolver, keys, context.session), context.reference)
        }
    }

    var isWeak: Bool {
        switch self {
        case .strongly: false
        case .weakly: true
        case .byGraph(let share, _): share.resolver == nil
        }
    }

    var resolver: (any Resolver)? {
        switch self {
        case .strongly(let resolver): resolver
        case .weakly(let context): context.resolver
        case .byGraph(let share, let context): share.resolver ?? context.resolver
        }
    }
}
