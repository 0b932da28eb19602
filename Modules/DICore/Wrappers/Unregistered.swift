// What happens to a request that no registration answers: a wrapper may be made, or it is a miss.

/// Types that are known not to be wrappers, by the tags of their metatypes. Whether a type conforms is a fact of the
/// process, and asking for it costs 300 instructions, so the negative answer is kept; there are at most as many as
/// types that were asked for in vain.
private let plainTypes = Registry()

/// Whether the request is a miss that nobody wants to hear of.
@usableFromInline
func isPlainlyMissing(_ located: UnsafeLocatedEntry, _ serviceType: Any.Type) -> Bool {
    guard !located.isUnlocated, plainTypes.find(unique: KeyTag(unnamed: serviceType)) != 0, FailureObservers.isEmpty
    else { return false }
    return !located.context._withUnsafeGuaranteedRef { $0.hasFailureObservers }
}

/// The wrapper that an unregistered type is, or nil after telling observers of the miss.
@usableFromInline
func wrapperOrNil<Service, Arguments: RuntimeArguments>(
    _ located: UnsafeLocatedEntry,
    _ key: ServiceKey,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) -> Service? {
    if located.isUnlocated {
        do throws(ResolutionError) {
            return try resolver.withLocated(key) { (located) throws(ResolutionError) in
                if located.isFound { return try located.instance(serviceType, arguments, for: resolver) }
                if isPlainlyMissing(located, serviceType) { return nil }
                return wrapperOrNil(located, key, serviceType, arguments, for: resolver)
            }
        } catch {
            return nil
        }
    }
    do throws(ResolutionError) {
        if let wrapper = try makeWrapper(located, key, serviceType, arguments, for: resolver) { return wrapper }
    } catch {
        return nil
    }
    // The report is made only when somebody listens: a miss must not cost more where more is registered.
    let context = located.context.takeUnretainedValue()
    if !FailureObservers.isEmpty || context.hasFailureObservers {
        _ = ResolutionError.missing(key, from: resolver, in: context)
    }
    return nil
}

/// The wrapper that an unregistered type is, or the error of the miss.
@usableFromInline
func wrapper<Service, Arguments: RuntimeArguments>(
    _ located: UnsafeLocatedEntry,
    _ key: ServiceKey,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Service {
    if located.isUnlocated {
        return try resolver.withLocated(key) { (located) throws(ResolutionError) in
            if located.isFound { return try located.instance(serviceType, arguments, for: resolver) }
            return try wrapper(located, key, serviceType, arguments, for: resolver)
        }
    }
    if let wrapper = try makeWrapper(located, key, serviceType, arguments, for: resolver) { return wrapper }
    throw ResolutionError.missing(
        wrappedKey(of: serviceType, key),
        from: resolver,
        in: located.context.takeUnretainedValue()
    )
}

/// The instance of a registration, or the wrapper that an unregistered type is; nil when there is neither.
func instanceIfRegistered<Service, Arguments: RuntimeArguments>(
    _ key: ServiceKey,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    from resolver: any Resolver
) throws(ResolutionError) -> Service? {
    func instance(_ located: UnsafeLocatedEntry) throws(ResolutionError) -> Service? {
        if located.isFound { return try located.instance(serviceType, arguments, for: resolver) }
        return try makeWrapper(located, key, serviceType, arguments, for: resolver)
    }
    let located = resolver.unsafeLocate(key)
    if located.isUnlocated { return try resolver.withLocated(key, instance) }
    return try withExtendedLifetime(resolver) { () throws(ResolutionError) in try instance(located) }
}

private func makeWrapper<Service, Arguments: RuntimeArguments>(
    _ located: UnsafeLocatedEntry,
    _ key: ServiceKey,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Service? {
    if serviceType == GraphIdentifier.self {
        // Unsafe: the resolver that is being asked holds its context.
        let gate = located.context._withUnsafeGuaranteedRef { $0.gate }
        gate?.enter()
        defer { gate?.leave() }
        return Session.identifierToKeep(located.session) as? Service
    }
    guard let wrapperType = serviceType as? any InstanceWrapper.Type else {
        rememberPlain(serviceType)
        return nil
    }
    func open<Wrapper: InstanceWrapper>(_ type: Wrapper.Type) throws(ResolutionError) -> Service? {
        let wrapped = key.with(serviceType: Wrapper.Wrapped.self)
        let source = InstanceSource<Wrapper.Wrapped>(
            key: wrapped,
            resolver: resolver,
            context: located.context.takeUnretainedValue(),
            arguments: arguments,
            request: { resolver throws(ResolutionError) in
                try requireKey(wrapped, Wrapper.Wrapped.self, arguments, from: resolver)
            }
        )
        if !Wrapper.traits.contains(.toleratesAbsence), !source.isAvailable { return nil }
        return try Wrapper.makeWrapper(from: source) as? Service
    }
    // A wrapper may resolve more than once, and what it resolves later joins the graph in which it is made.
    return try Session.inOneGraph(located.session, located.context) { () throws(ResolutionError) in
        try open(wrapperType)
    }
}

/// Whether a request would find a registration, or a wrapper around one. Runs no factory.
func isResolvable(_ serviceType: Any.Type, _ key: ServiceKey, from resolver: any Resolver) -> Bool {
    let key = key.with(serviceType: serviceType)
    if resolver.registration(of: key) != nil { return true }
    guard let wrapped = WrappedType(of: serviceType) else { return serviceType == GraphIdentifier.self }
    return wrapped.traits.contains(.toleratesAbsence) || isResolvable(wrapped.type, key, from: resolver)
}

/// The key that is really missing when a wrapper cannot be made: that of the innermost wrapped type.
private func wrappedKey(of serviceType: Any.Type, _ key: ServiceKey) -> ServiceKey {
    var type = serviceType
    while let wrapped = WrappedType(of: type) { type = wrapped.type }
    return key.with(serviceType: type)
}

private func rememberPlain(_ serviceType: Any.Type) {
    let key = ServiceKey(serviceType: serviceType)
    guard plainTypes.find(unique: KeyTag(key)) == 0 else { return }
    plainTypes.insert(AnyServiceEntry.marker(key))
}
