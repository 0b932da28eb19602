extension Resolver {
    /// Gives an instance of a service, or throws why it cannot.
    ///
    ///     container.register((any APIService).self) { r in
    ///         APIServiceImpl(client: try r.require((any HTTPClient).self))
    ///     }
    ///
    /// The form for factories: the error carries the path from the outermost request to what was missing. Success costs
    /// what ``resolve(_:)`` costs; the error is made where the failure starts and passed on as it is.
    @inlinable
    @inline(__always)
    public func require<Service>(_ serviceType: Service.Type) throws(ResolutionError) -> Service {
        let located = unsafeLocate(unnamed: serviceType)
        let published = located.publishedBits
        if published != 0 { return withExtendedLifetime(self) { located.read(published) } }
        return try requireUnpublished(located, serviceType, from: self)
    }

    /// Gives an instance of the service that was registered under a name, or throws why it cannot.
    @inlinable
    @inline(__always)
    public func require<Service>(_ serviceType: Service.Type, name: String?) throws(ResolutionError) -> Service {
        let key = ServiceKey(serviceType: serviceType, name: name)
        let located = unsafeLocate(key)
        let published = located.publishedBits
        if published != 0 { return withExtendedLifetime(self) { located.read(published) } }
        if located.isFound { return try requireUnpublished(located, serviceType, from: self) }
        return try wrapper(located, key, serviceType, NoArguments(), for: self)
    }

    /// Gives an instance whose factory takes one runtime argument, or throws why it cannot.
    ///
    /// The static type of the argument is part of the key: `String` and `String?` are two registrations. Where it is not
    /// the registered one, `as:` says which is meant: `require(Home.self, argument: cat, as: (any Animal).self)`.
    @inlinable
    @inline(__always)
    public func require<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        argument: Argument,
        as argumentType: Argument.Type = Argument.self
    ) throws(ResolutionError) -> Service {
        let types: Any.Type = (any Resolver, Argument).self
        let key = ServiceKey(serviceType: serviceType, argumentsType: types, name: name)
        let located = unsafeLocate(key)
        let published = located.publishedBits
        if published != 0 { return withExtendedLifetime(self) { located.read(published) } }
        if located.isFound { return try build(located, serviceType, OneArgument(argument), for: self) }
        return try wrapper(located, key, serviceType, OneArgument(argument), for: self)
    }

    /// Gives an instance whose factory takes two runtime arguments, or throws why it cannot.
    ///
    /// The static types of the arguments are part of the key. Where they are not the registered ones, `as:` says which are
    /// meant.
    @inlinable
    @inline(__always)
    public func require<Service, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        arguments first: First,
        _ second: Second,
        as argumentTypes: (First, Second).Type = (First, Second).self
    ) throws(ResolutionError) -> Service {
        let types: Any.Type = (any Resolver, First, Second).self
        let key = ServiceKey(serviceType: serviceType, argumentsType: types, name: name)
        let located = unsafeLocate(key)
        let published = located.publishedBits
        if published != 0 { return withExtendedLifetime(self) { located.read(published) } }
        if located.isFound { return try build(located, serviceType, TwoArguments(first, second), for: self) }
        return try wrapper(located, key, serviceType, TwoArguments(first, second), for: self)
    }

    /// Gives an instance whose factory takes three or more runtime arguments, or throws why it cannot.
    ///
    /// The static types of the arguments are part of the key. Where they are not the registered ones, `as:` says which are
    /// meant.
    @inlinable
    @inline(__always)
    public func require<Service, First, Second, Third, each Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        arguments first: First,
        _ second: Second,
        _ third: Third,
        _ more: repeat each Argument,
        as argumentTypes: (First, Second, Third, repeat each Argument).Type =
            (First, Second, Third, repeat each Argument).self
    ) throws(ResolutionError) -> Service {
        let types: Any.Type = (any Resolver, First, Second, Third, repeat each Argument).self
        let key = ServiceKey(serviceType: serviceType, argumentsType: types, name: name)
        let located = unsafeLocate(key)
        let published = located.publishedBits
        if published != 0 { return withExtendedLifetime(self) { located.read(published) } }
        let arguments = ManyArguments(first, second, third, repeat each more)
        if located.isFound { return try build(located, serviceType, arguments, for: self) }
        return try wrapper(located, key, serviceType, arguments, for: self)
    }
}

/// Gives an instance of a request without arguments and name that no published instance answers.
@inlinable
@inline(never)
func requireUnpublished<Service>(
    _ located: UnsafeLocatedEntry,
    _ serviceType: Service.Type,
    from resolver: any Resolver
) throws(ResolutionError) -> Service {
    if located.isFound { return try buildHere(located, serviceType, NoArguments(), for: resolver) }
    return try wrapper(located, ServiceKey(serviceType: serviceType), serviceType, NoArguments(), for: resolver)
}

/// Gives an instance of a request by its key.
@inlinable
func requireKey<Service, Arguments: RuntimeArguments>(
    _ key: ServiceKey,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    from resolver: any Resolver
) throws(ResolutionError) -> Service {
    let located = resolver.unsafeLocate(key)
    let published = located.publishedBits
    if published != 0 { return withExtendedLifetime(resolver) { located.read(published) } }
    if located.isFound { return try build(located, serviceType, arguments, for: resolver) }
    return try wrapper(located, key, serviceType, arguments, for: resolver)
}
