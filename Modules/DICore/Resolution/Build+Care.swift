// Unsafe: entries and contexts are passed on without being retained. Both are held by the resolver that is being asked
// or, when an entry is replaced meanwhile, by the session; see `Frame`. A value that is read as a service was stored by
// the entry that answers, and a key answers for its service type alone.

// What `build` needs seldom: entries that are kept, forwarded or observed.

/// Gives an instance of an entry that is kept somewhere, built by another container than the one that asks, forwarded,
/// or observed.
///
/// What knows the service's type is here and short, since it is specialised for each service; the rest is called.
@inlinable
@inline(never)
func buildWithCare<Service, Arguments: RuntimeArguments>(
    _ located: UnsafeLocatedEntry,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Service {
    if let box = readyForAsking(located) {
        located.endReading()
        return unsafeDowncast(box, to: InstanceBox<Service>.self).value
    }
    let hold = CarefulHold(located)
    defer { hold.end() }
    if located.unmanagedEntry._withUnsafeGuaranteedRef({ $0.flags.contains(.forwarded) }) {
        return try forward(located, serviceType, arguments, for: resolver)
    }
    let request = try CarefulRequest(located, for: resolver)
    defer { request.end() }
    if let instance = try typed(request.found, request.activation, serviceType) {
        request.wasAnswered()
        return instance
    }
    return try construct(request.activation, serviceType, arguments, with: request.builder)
}

/// The box that is ready in the container that asks, of an entry that is kept by each container that does. What is ready
/// everybody may have, so that nothing has to be weighed.
@usableFromInline
func readyForAsking(_ located: UnsafeLocatedEntry) -> AnyInstanceBox? {
    let flags = located.unmanagedEntry._withUnsafeGuaranteedRef { $0.flags }
    guard !located.needsCloserLook, flags.contains(.askingContainer), !flags.contains(.forwarded) else { return nil }
    let place = located.context._withUnsafeGuaranteedRef { context in
        located.unmanagedEntry._withUnsafeGuaranteedRef { context.knownPrivatePlace(of: $0) }
    }
    return place?.cell?.finishedBox(located.session)
}

@usableFromInline
func forward<Service, Arguments: RuntimeArguments>(
    _ located: UnsafeLocatedEntry,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Service {
    let entry = located.unmanagedEntry.takeUnretainedValue()
    let context = located.context.takeUnretainedValue()
    if context.isObserved { Session.reportPassedOverOverrides(located.session, of: entry, in: context) }
    return try unsafeDowncast(entry, to: TypedEntry<Service>.self)
        .forwardedInstance(located, arguments, for: resolver)
}

extension UnsafeLocatedEntry {
    /// Gives the instance of an entry that the caller holds.
    func instance<Service, Arguments: RuntimeArguments>(
        _ serviceType: Service.Type,
        _ arguments: Arguments,
        for resolver: any Resolver
    ) throws(ResolutionError) -> Service {
        let published = publishedBits
        if published != 0 { return withExtendedLifetime(resolver) { read(published) } }
        return try build(self, serviceType, arguments, for: resolver)
    }
}
