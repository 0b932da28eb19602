/// What a wrapper makes itself from: the registration of the wrapped type, as the request for the wrapper meant it.
///
/// Meant for the time while the wrapper is being made: it holds the container. What is to be used later comes from
/// ``inThisGraph()`` and ``inNewGraphs()``, and in a wrapper that threads may share from ``sendableInThisGraph()`` and
/// ``sendableInNewGraphs()``.
public struct InstanceSource<Wrapped> {
    /// What is asked for: the wrapped type with the arguments and the name of the request.
    public let key: ServiceKey

    let resolver: any Resolver
    let context: ResolutionContext
    let arguments: any RuntimeArguments
    let request: (any Resolver) throws(ResolutionError) -> Wrapped

    /// Whether the wrapped type is registered or can itself be made as a wrapper. Runs no factory.
    public var isAvailable: Bool { isResolvable(Wrapped.self, key, from: resolver) }

    /// Gives the instance now, or nil when nothing is registered. Looks for the registration once, which may be removed by
    /// another thread.
    func resolveIfRegistered() throws(ResolutionError) -> Wrapped? {
        try instanceIfRegistered(key, Wrapped.self, arguments, from: resolver)
    }

    /// Gives the instance now, in the graph that is running.
    public func resolve() throws(ResolutionError) -> Wrapped { try request(resolver) }

    /// Gives all contributions to the collection of the wrapped type now, in the graph that is running. When the request
    /// has a name, those with that name; none is then an error.
    public func resolveAll() throws(ResolutionError) -> [Wrapped] {
        let isIncluded: (ServiceKey) -> Bool = { key.name == nil || $0.name == key.name }
        var instances = try resolver.requireAll(Wrapped.self, where: isIncluded)
        if instances.isEmpty { instances = try wrappedContributions(where: isIncluded) }
        if key.name == nil || !instances.isEmpty { return instances }
        let collection = key.with(serviceType: [Wrapped].self)
        throw ResolutionError.missing(collection, from: resolver, in: context)
    }

    /// A collection of wrappers has a wrapper of each contribution to the wrapped type.
    private func wrappedContributions(where isIncluded: (ServiceKey) -> Bool) throws(ResolutionError) -> [Wrapped] {
        func collect<Wrapper: InstanceWrapper>(_ type: Wrapper.Type) throws(ResolutionError) -> [Wrapped] {
            var wrappers: [Wrapped] = []
            for entry in contributions(toOrWithin: Wrapper.Wrapped.self, where: isIncluded) {
                let key = entry.key.with(serviceType: Wrapper.Wrapped.self)
                let source = InstanceSource<Wrapper.Wrapped>(
                    key: key,
                    resolver: resolver,
                    context: context,
                    arguments: NoArguments(),
                    request: { resolver throws(ResolutionError) in
                        try requireKey(key, Wrapper.Wrapped.self, NoArguments(), from: resolver)
                    }
                )
                if let wrapper = try Wrapper.makeWrapper(from: source) as? Wrapped { wrappers.append(wrapper) }
            }
            return wrappers
        }
        guard let wrapperType = Wrapped.self as? any InstanceWrapper.Type else { return [] }
        return try collect(wrapperType)
    }

    /// The contributions to a type or, where there are none, to the type that it wraps.
    private func contributions(
        toOrWithin serviceType: Any.Type,
        where isIncluded: (ServiceKey) -> Bool
    ) -> [AnyServiceEntry] {
        let entries = resolver.contributions(to: serviceType).filter { isIncluded($0.key) }
        guard entries.isEmpty, let wrapped = WrappedType(of: serviceType) else { return entries }
        return contributions(toOrWithin: wrapped.type, where: isIncluded)
    }

    /// Something that gives the instance later, in the graph that is running now for as long as its objects live.
    public func inThisGraph() -> InstanceProvider<Wrapped> {
        provider(graph: Session.identifierToKeep(context.session))
    }

    /// Something that gives later, at each use, what a new resolve would give.
    public func inNewGraphs() -> InstanceProvider<Wrapped> {
        provider(graph: nil)
    }

    private func provider(graph: GraphIdentifier?) -> InstanceProvider<Wrapped> {
        let entry = resolver.registration(of: key)
        if context.isObserved {
            ResolutionEvent.report(deferredRequestFor: key, of: entry, in: context)
        }
        let holder = ResolverHolder(resolver, context)
        return InstanceProvider(
            origin: ProviderOrigin(
                key,
                holder,
                graph,
                context.isForThreads || context.isOverThreads,
                entry?.isolation,
                entry?.placeOfRegistration
            ),
            request: request
        )
    }
}
