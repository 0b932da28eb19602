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

    /// Gives all contributions to the collection of the wrapped type now, in the graph that is running. When the request
    /// has a name, those with that name; none is then an error.
    public func resolveAll() throws(ResolutionError) -> [Wrapped] {
        let isIncluded: (ServiceKey) -> Bool = { key.name == nil || $0.name == key.name }
        var instances = try resolver.requireAll(Wrapped.self, where: isIncluded)
        if instances.isEmpty { instances = try wrappedContributions(where: isIncluded) }
        if key.name == nil || !instances.isEmpty { return instances }
        throw ResolutionError.missing(key, from: resolver, in: located.context.takeUnretainedValue())
    }

    /// A collection of wrappers has a wrapper of each contribution to the wrapped type.
    private func wrappedContributions(where isIncluded: (ServiceKey) -> Bool) throws(ResolutionError) -> [Wrapped] {
        func collect<Wrapper: InstanceWrapper>(_ type: Wrapper.Type) throws(ResolutionError) -> [Wrapped] {
            var wrappers: [Wrapped] = []
            for entry in resolver.contributions(to: Wrapper.Wrapped.self) where isIncluded(entry.key) {
                let key = entry.key
                let source = InstanceSource<Wrapper.Wrapped>(
                    key: key,
                    resolver: resolver,
                    located: located,
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
        let entry = resolver.registration(of: key)
        if context.isObserved {
            ResolutionEvent.report(deferredRequestFor: key, of: entry, in: context)
        }
        let holder: ResolverHolder =
            if Session.isBuildingKept(located.session), context.resolver != nil {
                .weakly(context)
            } else {
                .strongly(resolver)
            }
        return InstanceProvider(
            origin: ProviderOrigin(key, of: entry, from: holder, graph: graph, threads: context.threads),
            request: request
        )
    }
}
