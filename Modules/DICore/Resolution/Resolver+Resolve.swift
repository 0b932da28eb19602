// `resolve` and `require` are always inlined and forward to generic functions that take `any Resolver`: nothing generic
// crosses the existential, and the functions are specialised for the service where they are called.
//
// What `locate` gives is valid while the resolver lives, and a request may be its last use: without the extended lifetime
// the caller, into which all this is inlined, may release the resolver before the instance is retained.

extension Resolver {
    /// Gives an instance of a service, or nil when it cannot.
    ///
    ///     let client = container.resolve((any HTTPClient).self)
    ///
    /// Why it could not is told to observers; ``require(_:)`` throws it.
    ///
    /// - Complexity: one table look-up for each container from here to the one that has the registration, then the
    ///   factory, unless an instance is kept.
    @inlinable
    @inline(__always)
    public func resolve<Service>(_ serviceType: Service.Type) -> Service? {
        let located = unsafeLocate(unnamed: serviceType)
        let published = located.publishedBits
        if published != 0 { return withExtendedLifetime(self) { located.read(published) } }
        return resolveUnpublished(located, serviceType, from: self)
    }

    /// Gives an instance of the service that was registered under a name, or nil when it cannot.
    @inlinable
    @inline(__always)
    public func resolve<Service>(_ serviceType: Service.Type, name: String?) -> Service? {
        let key = ServiceKey(serviceType: serviceType, name: name)
        let located = unsafeLocate(key)
        let published = located.publishedBits
        if published != 0 { return withExtendedLifetime(self) { located.read(published) } }
        if located.isFound { return resolveUnpublished(located, serviceType, from: self) }
        return resolveMissing(located, key, serviceType, NoArguments(), from: self)
    }

    /// Gives an instance whose factory takes one runtime argument, or nil when it cannot.
    ///
    /// The static type of the argument is part of the key: `String` and `String?` are two registrations. Where it is not
    /// the registered one, `as:` says which is meant: `resolve(Home.self, argument: cat, as: (any Animal).self)`.
    @inlinable
    @inline(__always)
    public func resolve<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        argument: Argument,
        as argumentType: Argument.Type = Argument.self
    ) -> Service? {
        let types: Any.Type = (any Resolver, Argument).self
        let key = ServiceKey(serviceType: serviceType, argumentsType: types, name: name)
        let located = unsafeLocate(key)
        let published = located.publishedBits
        if published != 0 { return withExtendedLifetime(self) { located.read(published) } }
        if located.isFound { return resolveFound(located, serviceType, OneArgument(argument), from: self) }
        return resolveMissing(located, key, serviceType, OneArgument(argument), from: self)
    }

    /// Gives an instance whose factory takes two runtime arguments, or nil when it cannot.
    ///
    /// The static types of the arguments are part of the key. Where they are not the registered ones, `as:` says which are
    /// meant.
    @inlinable
    @inline(__always)
    public func resolve<Service, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        arguments first: First,
        _ second: Second,
        as argumentTypes: (First, Second).Type = (First, Second).self
    ) -> Service? {
        let types: Any.Type = (any Resolver, First, Second).self
        let key = ServiceKey(serviceType: serviceType, argumentsType: types, name: name)
        let located = unsafeLocate(key)
        let published = located.publishedBits
        if published != 0 { return withExtendedLifetime(self) { located.read(published) } }
        if located.isFound { return resolveFound(located, serviceType, TwoArguments(first, second), from: self) }
        return resolveMissing(located, key, serviceType, TwoArguments(first, second), from: self)
    }

    /// Gives an instance whose factory takes three or more runtime arguments, or nil when it cannot.
    ///
    /// The static types of the arguments are part of the key. Where they are not the registered ones, `as:` says which are
    /// meant.
    @inlinable
    @inline(__always)
    public func resolve<Service, First, Second, Third, each Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        arguments first: First,
        _ second: Second,
        _ third: Third,
        _ more: repeat each Argument,
        as argumentTypes: (First, Second, Third, repeat each Argument).Type =
            (First, Second, Third, repeat each Argument).self
    ) -> Service? {
        let types: Any.Type = (any Resolver, First, Second, Third, repeat each Argument).self
        let key = ServiceKey(serviceType: serviceType, argumentsType: types, name: name)
        let located = unsafeLocate(key)
        let published = located.publishedBits
        if published != 0 { return withExtendedLifetime(self) { located.read(published) } }
        let arguments = ManyArguments(first, second, third, repeat each more)
        if located.isFound { return resolveFound(located, serviceType, arguments, from: self) }
        return resolveMissing(located, key, serviceType, arguments, from: self)
    }
}

/// Gives an instance of a request without arguments and name that no published instance answers, or nil.
@inlinable
@inline(never)
func resolveUnpublished<Service>(
    _ located: UnsafeLocatedEntry,
    _ serviceType: Service.Type,
    from resolver: any Resolver
) -> Service? {
    if located.isFound {
        do throws(ResolutionError) {
            return try buildHere(located, serviceType, NoArguments(), for: resolver)
        } catch {
            return nil
        }
    }
    if isPlainlyMissing(located, serviceType) { return nil }
    return wrapperOrNil(located, ServiceKey(serviceType: serviceType), serviceType, NoArguments(), for: resolver)
}

/// Gives an instance of a registration with arguments that no published instance answers, or nil.
@inlinable
@inline(never)
func resolveFound<Service, Arguments: RuntimeArguments>(
    _ located: UnsafeLocatedEntry,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    from resolver: any Resolver
) -> Service? {
    do throws(ResolutionError) {
        return try buildHere(located, serviceType, arguments, for: resolver)
    } catch {
        return nil
    }
}

/// Gives the wrapper that a request with a name or arguments asks for, or nil: no registration answers.
@inlinable
@inline(never)
func resolveMissing<Service, Arguments: RuntimeArguments>(
    _ located: UnsafeLocatedEntry,
    _ key: ServiceKey,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    from resolver: any Resolver
) -> Service? {
    if isPlainlyMissing(located, serviceType) { return nil }
    return wrapperOrNil(located, key, serviceType, arguments, for: resolver)
}
