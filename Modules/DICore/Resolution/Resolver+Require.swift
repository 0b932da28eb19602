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
        let located = locate(unnamed: serviceType)
        let published = located.publishedBits
        if published != 0 { return InstanceBox<Service>.read(published) }
        return try requireUnpublished(located, serviceType, from: self)
    }

    /// Gives an instance of the service that was registered under a name, or throws why it cannot.
    @inlinable
    @inline(__always)
    public func require<Service>(_ serviceType: Service.Type, name: String?) throws(ResolutionError) -> Service {
        let key = ServiceKey(serviceType: serviceType, name: name)
        let located = locate(key)
        let published = located.publishedBits
        if published != 0 { return InstanceBox<Service>.read(published) }
        return try requireUnpublished(located, key, serviceType, NoArguments(), from: self)
    }

    /// Gives an instance whose factory takes one runtime argument, or throws why it cannot.
    ///
    /// The static type of the argument is part of the key: `String` and `String?` are two registrations.
    @inlinable
    @inline(__always)
    public func require<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        argument: Argument
    ) throws(ResolutionError) -> Service {
        let key = ServiceKey(serviceType: serviceType, argumentsType: (any Resolver, Argument).self, name: name)
        let located = locate(key)
        let published = located.publishedBits
        if published != 0 { return InstanceBox<Service>.read(published) }
        return try requireUnpublished(located, key, serviceType, OneArgument(argument), from: self)
    }

    /// Gives an instance whose factory takes several runtime arguments, or throws why it cannot.
    ///
    /// The static types of the arguments are part of the key.
    @inlinable
    @inline(__always)
    public func require<Service, First, Second, each Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        arguments first: First,
        _ second: Second,
        _ more: repeat each Argument
    ) throws(ResolutionError) -> Service {
        let key = ServiceKey(
            serviceType: serviceType,
            argumentsType: (any Resolver, First, Second, repeat each Argument).self,
            name: name
        )
        let located = locate(key)
        let published = located.publishedBits
        if published != 0 { return InstanceBox<Service>.read(published) }
        return try requireUnpublished(
            located,
            key,
            serviceType,
            ManyArguments(first, second, repeat each more),
            from: self
        )
    }
}

/// Gives an instance of a request without arguments and name that no published instance answers.
@inlinable
@inline(__always)
func requireUnpublished<Service>(
    _ located: LocatedEntry,
    _ serviceType: Service.Type,
    from resolver: any Resolver
) throws(ResolutionError) -> Service {
    if located.isFound { return try build(located, serviceType, NoArguments(), for: resolver) }
    return try wrapper(located, ServiceKey(serviceType: serviceType), serviceType, NoArguments(), for: resolver)
}

/// Gives an instance of a request with a name or arguments that no published instance answers.
@inlinable
@inline(__always)
func requireUnpublished<Service, Arguments: RuntimeArguments>(
    _ located: LocatedEntry,
    _ key: ServiceKey,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    from resolver: any Resolver
) throws(ResolutionError) -> Service {
    if located.isFound { return try build(located, serviceType, arguments, for: resolver) }
    return try wrapper(located, key, serviceType, arguments, for: resolver)
}

/// The same for a key that is at hand.
@inlinable
func requireKey<Service, Arguments: RuntimeArguments>(
    _ key: ServiceKey,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    from resolver: any Resolver
) throws(ResolutionError) -> Service {
    let located = resolver.locate(key)
    let published = located.publishedBits
    if published != 0 { return InstanceBox<Service>.read(published) }
    return try requireUnpublished(located, key, serviceType, arguments, from: resolver)
}
