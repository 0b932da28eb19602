public import DICore

/// What an injected property asks for, and whom.
///
/// Made by the initializers of the property wrappers; with it you write a wrapper of your own, which gets all of these
/// initializers by conforming to ``InjectedProperty``.
public struct InjectionRequest<Service> {
    /// What is asked for.
    public let key: ServiceKey

    @usableFromInline let explicitResolver: (any Resolver)?
    @usableFromInline let resolve: (any Resolver) throws(ResolutionError) -> Service
    @usableFromInline let resolveLazily: (any Resolver) throws(ResolutionError) -> Lazy<Service>

    @inlinable
    init(
        _ key: ServiceKey,
        from resolver: (any Resolver)?,
        resolve: @escaping (any Resolver) throws(ResolutionError) -> Service,
        lazily resolveLazily: @escaping (any Resolver) throws(ResolutionError) -> Lazy<Service>
    ) {
        self.key = key
        self.resolve = resolve
        self.resolveLazily = resolveLazily
        explicitResolver = resolver
    }

    /// The request with the resolver of this moment, so that a later use asks the same one.
    public func bound() -> InjectionRequest {
        guard explicitResolver == nil, let current = CurrentResolver.resolver else { return self }
        return InjectionRequest(key, from: current, resolve: resolve, lazily: resolveLazily)
    }

    /// Gives an instance, from the resolver that was named or the current one.
    @inlinable
    public func instance() throws(ResolutionError) -> Service {
        try resolve(resolver())
    }

    /// Gives a wrapper that builds the instance when it is opened.
    public func lazy() throws(ResolutionError) -> Lazy<Service> {
        try resolveLazily(resolver())
    }

    @inlinable
    func resolver() throws(ResolutionError) -> any Resolver {
        if let explicitResolver { return explicitResolver }
        return try CurrentResolver.get(for: key)
    }
}

/// A property wrapper that fills itself: what the initializers of all of them come from.
public protocol InjectedProperty<Service> {
    /// The type that is asked for.
    associatedtype Service

    /// Makes the wrapper of a request.
    init(_ request: InjectionRequest<Service>)
}

extension InjectedProperty {
    /// Asks for the service of the property's type, with a name if there is one, from a resolver or the current one.
    @inlinable
    public init(name: String? = nil, from resolver: (any Resolver)? = nil) {
        self.init(
            InjectionRequest(
                ServiceKey(serviceType: Service.self, name: name),
                from: resolver,
                resolve: { r throws(ResolutionError) in try r.require(Service.self, name: name) },
                lazily: { r throws(ResolutionError) in try r.require(Lazy<Service>.self, name: name) }
            )
        )
    }

    // The argument types stand in a parameter of their own, as in `Resolver`: the compiler opens an existential where nothing
    // but the argument says its type, and the key would have the dynamic type.

    /// Asks for a service whose factory takes one runtime argument.
    ///
    /// The static type of the argument is part of the key. Where it is not the registered one, `as:` says which is meant:
    /// `@Injected(argument: cat, as: (any Animal).self) var home: Home`.
    public init<Argument>(
        name: String? = nil,
        argument: Argument,
        as argumentType: Argument.Type = Argument.self,
        from resolver: (any Resolver)? = nil
    ) {
        self.init(
            InjectionRequest(
                ServiceKey(Service.self, arguments: Argument.self, name: name),
                from: resolver,
                resolve: { r throws(ResolutionError) in try r.require(Service.self, name: name, argument: argument) },
                lazily: { r throws(ResolutionError) in
                    try r.require(Lazy<Service>.self, name: name, argument: argument)
                }
            )
        )
    }

    /// Asks for a service whose factory takes two runtime arguments, whose static types are part of the key.
    public init<First, Second>(
        name: String? = nil,
        arguments first: First,
        _ second: Second,
        as argumentTypes: (First, Second).Type = (First, Second).self,
        from resolver: (any Resolver)? = nil
    ) {
        self.init(
            InjectionRequest(
                ServiceKey(Service.self, arguments: First.self, Second.self, name: name),
                from: resolver,
                resolve: { r throws(ResolutionError) in
                    try r.require(Service.self, name: name, arguments: first, second)
                },
                lazily: { r throws(ResolutionError) in
                    try r.require(Lazy<Service>.self, name: name, arguments: first, second)
                }
            )
        )
    }

    /// Asks for a service whose factory takes three or more runtime arguments, whose static types are part of the key.
    public init<First, Second, Third, each Argument>(
        name: String? = nil,
        arguments first: First,
        _ second: Second,
        _ third: Third,
        _ more: repeat each Argument,
        as argumentTypes: (First, Second, Third, repeat each Argument).Type =
            (First, Second, Third, repeat each Argument).self,
        from resolver: (any Resolver)? = nil
    ) {
        let more = (repeat each more)
        self.init(
            InjectionRequest(
                ServiceKey(
                    Service.self,
                    arguments: First.self,
                    Second.self,
                    Third.self,
                    repeat (each Argument).self,
                    name: name
                ),
                from: resolver,
                resolve: { r throws(ResolutionError) in
                    try r.require(Service.self, name: name, arguments: first, second, third, repeat each more)
                },
                lazily: { r throws(ResolutionError) in
                    try r.require(Lazy<Service>.self, name: name, arguments: first, second, third, repeat each more)
                }
            )
        )
    }
}

/// The instance, or the end of the program with the text of the error: a property has no way to throw.
@inlinable
@inline(__always)
func injected<Service>(_ get: () throws(ResolutionError) -> Service) -> Service {
    do throws(ResolutionError) {
        return try get()
    } catch {
        notInjected(error)
    }
}

@usableFromInline
func notInjected(_ error: ResolutionError) -> Never {
    fatalError("\(error)")
}
