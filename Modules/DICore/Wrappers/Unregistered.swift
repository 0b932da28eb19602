// What happens to a request that no registration answers: a wrapper may be made, or it is a miss.

/// Types that are known not to be wrappers, by the tags of their metatypes. Whether a type conforms is a fact of the
/// process, and asking for it costs 300 instructions, so the negative answer is kept; there are at most as many as
/// types that were asked for in vain.
private let plainTypes = Registry()

/// Whether the request is a miss that nobody wants to hear of.
@usableFromInline
func isPlainlyMissing(_ located: LocatedEntry, _ serviceType: Any.Type) -> Bool {
    guard plainTypes.find(unique: KeyTag(unnamed: serviceType)) != 0, FailureObservers.isEmpty else { return false }
    return !located.context._withUnsafeGuaranteedRef { $0.hasFailureObservers }
}

/// The wrapper that an unregistered type is, or nil after telling observers of the miss.
@usableFromInline
func wrapperOrNil<Service, Arguments: RuntimeArguments>(
    _ located: LocatedEntry,
    _ key: ServiceKey,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) -> Service? {
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
    _ located: LocatedEntry,
    _ key: ServiceKey,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Service {
    if let wrapper = try makeWrapper(located, key, serviceType, arguments, for: resolver) { return wrapper }
    throw ResolutionError.missing(
        wrappedKey(of: serviceType, key),
        from: resolver,
        in: located.context.takeUnretainedValue()
    )
}

private func makeWrapper<Service, Arguments: RuntimeArguments>(
    _ located: LocatedEntry,
    _ key: ServiceKey,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Service? {
    if serviceType == GraphIdentifier.self {
        let gate = located.session.pointee.gate
        gate?.enter()
        defer { gate?.leave() }
        return Session.identifierToKeep(located.session) as? Service
    }
    guard let wrapperType = serviceType as? any InstanceWrapper.Type else {
        rememberPlain(serviceType)
        return nil
    }
    let gate = located.session.pointee.gate
    gate?.enter()
    defer { gate?.leave() }
    func open<Wrapper: InstanceWrapper>(_ type: Wrapper.Type) throws(ResolutionError) -> Service? {
        let wrapped = key.with(serviceType: Wrapper.Wrapped.self)
        let source = InstanceSource<Wrapper.Wrapped>(
            key: wrapped,
            resolver: resolver,
            located: located,
            request: { resolver throws(ResolutionError) in
                try requireKey(wrapped, Wrapper.Wrapped.self, arguments, from: resolver)
            }
        )
        if !Wrapper.traits.contains(.toleratesAbsence), !source.isAvailable { return nil }
        return try Wrapper.makeWrapper(from: source) as? Service
    }
    return try open(wrapperType)
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
