// Unsafe: entries and contexts are passed on without being retained. Both are held by the resolver that is being asked
// or, when an entry is replaced meanwhile, by the session; see `Frame`. A value that is read as a service was stored by
// the entry that answers, and a key answers for its service type alone.

// What `build` needs seldom: entries that are kept, forwarded or observed.

/// Gives an instance of an entry that is kept somewhere, built by another container than the one that asks, forwarded,
/// or observed.
@inlinable
@inline(never)
func buildWithCare<Service, Arguments: RuntimeArguments>(
    _ located: LocatedEntry,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Service {
    switch try prepare(located, serviceType, arguments, for: resolver) {
    case .kept(let instance): return instance
    case .build(let activation, let builder): return try construct(activation, serviceType, arguments, with: builder)
    }
}

/// What is to be done about a request.
@usableFromInline
enum Preparation<Service> {
    /// Nothing, here is an instance.
    case kept(Service)
    /// Call the factory, with this resolver.
    case build(Activation, any Resolver)
}

/// Decides who builds, and asks the storage.
@usableFromInline
func prepare<Service, Arguments: RuntimeArguments>(
    _ located: LocatedEntry,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Preparation<Service> {
    let entry = located.unmanagedEntry.takeUnretainedValue()
    let asking = located.context.takeUnretainedValue()
    let session = located.session
    let isObserved = session.pointee.resolutionObservers != 0
    if isObserved { Session.reportPassedOverOverrides(session, of: entry, in: asking) }
    if entry.flags.contains(.forwarded) {
        // Safe: a key answers for its service type alone.
        let forwarding = unsafeDowncast(entry, to: ServiceEntry<Service>.self)
        return .kept(try forwarding.forwardedInstance(located, arguments, for: resolver))
    }

    var keeper = asking
    var builder = resolver
    if entry.flags.contains(.owner), let owner = entry.owner {
        keeper = asking.keeper(ofEntriesOf: owner)
        if keeper !== asking {
            guard let keeping = keeper.resolver else {
                throw ResolutionError.report(.containerGone, key: entry.key, in: asking)
            }
            builder = keeping
        }
    }

    let activation = Activation(
        entry: located.unmanagedEntry,
        flags: entry.flags,
        context: Unmanaged.passUnretained(keeper),
        session: session,
        isObserved: isObserved
    )
    if let instance = try keptInstance(activation, serviceType) {
        if isObserved { ResolutionEvent.report(.reused, of: entry, in: asking) }
        return .kept(instance)
    }
    if isObserved { Session.willConstruct(session, entry, asking: asking, keeper: keeper) }
    return .build(activation, builder)
}

/// Gives the instance of an entry that is at hand, for a forwarding one.
func instance<Service, Arguments: RuntimeArguments>(
    of entry: ServiceEntry<Service>,
    _ located: LocatedEntry,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Service {
    let published = located.publishedBits
    if published != 0 { return InstanceBox<Service>.read(published) }
    return try build(located, Service.self, arguments, for: resolver)
}

// MARK: Asking the storage

/// The address of the instance that the running graph holds for a request, if it holds one.
@usableFromInline
func recall(_ located: LocatedEntry) -> UnsafeMutableRawPointer? {
    let session = located.session
    let id = located.unmanagedEntry._withUnsafeGuaranteedRef { $0.id }
    let key = RecordKey(entry: id, context: located.context._withUnsafeGuaranteedRef { $0.id })
    guard let held = session.pointee.graph.pointee.recall(key) else { return nil }
    if session.pointee.counter(of: id).pointee != 0 || session.pointee.hasProvisional {
        Session.noteBorrowing(session, of: key)
    }
    return held
}

/// The instance that an earlier run of the graph has left, while somebody holds it.
@usableFromInline
func remembered<Service>(_ located: LocatedEntry, _ serviceType: Service.Type) -> Service? {
    let key = RecordKey(
        entry: located.unmanagedEntry._withUnsafeGuaranteedRef { $0.id },
        context: located.context._withUnsafeGuaranteedRef { $0.id }
    )
    return located.session.pointee.graph.pointee.identifier?.remember(key) as? Service
}

/// The instance that the entry's storage has for the running graph.
func keptInstance<Service>(
    _ activation: Activation,
    _ serviceType: Service.Type
) throws(ResolutionError) -> Service? {
    let session = activation.session
    if activation.flags.contains(.graph) {
        let located = LocatedEntry(
            bits: activation.entry.bits,
            session: session,
            context: activation.context
        )
        if let held = recall(located) { return held.assumingMemoryBound(to: Service.self).pointee }
        return remembered(located, serviceType)
    }
    guard activation.flags.contains(.shared) else { return nil }
    let entry = activation.entry.takeUnretainedValue()
    let context = activation.context.takeUnretainedValue()
    let place = context.place(of: entry)
    let found: Any
    if let cell = place.cell {
        guard let box = cell.box else { return nil }
        if let typed = box as? InstanceBox<Service> {
            Session.noteBorrowing(session, of: activation.key)
            return typed.value
        }
        found = box.anyValue
    } else {
        guard let instance = place.storage.instance(inGraph: Session.identifier(session)) else { return nil }
        found = instance
    }
    guard let instance = found as? Service else {
        throw ResolutionError.report(
            .typeMismatch,
            key: entry.key,
            detail: "its storage holds \(TypeName.short(type(of: found)))",
            near: [entry],
            in: context
        )
    }
    Session.noteBorrowing(session, of: activation.key)
    return instance
}

// MARK: Keeping

/// Where an instance was put, so that it can be published or taken out again.
enum Kept {
    case nowhere
    case graph(UnsafeMutablePointer<RunningGraph>)
    case cell(InstanceCell, AnyInstanceBox)
    case storage(any InstanceStorage)

    /// Lets everybody see an instance that is complete.
    func publish() {
        if case .cell(let cell, let box) = self { cell.publish(box) }
    }

    /// Takes out an instance that must not be seen any more.
    func revoke(_ key: RecordKey, _ session: UnsafeMutablePointer<Session>) {
        switch self {
        case .nowhere: break
        case .graph(let graph):
            graph.pointee.identifier?.forget(key)
            if graph == session.pointee.graph { graph.pointee.forget(key) }
        case .cell(let cell, let box): cell.take(box)
        case .storage(let storage):
            let instance = storage.instance
            storage.setInstance(nil, inGraph: Session.identifier(session))
            withExtendedLifetime(instance) {}
        }
    }
}

/// Keeps an instance and runs its callbacks; gives the one that the request is answered with. Ends the frame if it
/// throws, and leaves that to the caller otherwise.
@usableFromInline
func complete<Service>(
    _ frame: UnsafeMutablePointer<Frame>,
    _ activation: Activation,
    _ instance: Service,
    with builder: any Resolver
) throws(ResolutionError) -> Service {
    let session = activation.session
    if frame.pointee.status.contains(.doomed) { throw fail(frame, activation, nil, kept: .nowhere) }
    if frame.pointee.status.contains(.reentered) {
        do throws(ResolutionError) {
            if let appeared = try keptInstance(activation, Service.self) {
                // The other activation has run the callbacks; this instance is a duplicate and gets none.
                Session.settle(session, frame, activation, kept: .nowhere)
                return appeared
            }
        } catch {
            throw fail(frame, activation, error, kept: .nowhere)
        }
    }
    let kept = keep(instance, frame, activation)
    activation.markProduced()
    if activation.flags.contains(.callbacks) {
        frame.pointee.beginCompleting(session)
        // Safe: a key answers for its service type alone.
        let entry = unsafeDowncast(activation.entry.takeUnretainedValue(), to: ServiceEntry<Service>.self)
        for callback in entry.callbacks {
            do {
                try callback(builder, instance)
            } catch {
                throw fail(frame, activation, error, kept: kept)
            }
        }
        if frame.pointee.status.contains(.doomed) { throw fail(frame, activation, nil, kept: kept) }
    }
    Session.settle(session, frame, activation, kept: kept)
    return instance
}

private func keep<Service>(
    _ instance: Service,
    _ frame: UnsafeMutablePointer<Frame>,
    _ activation: Activation
) -> Kept {
    let session = activation.session
    if activation.flags.contains(.graph) {
        let graph = session.pointee.graph
        if frame.pointee.parent == graph.pointee.base, graph.pointee.identifier == nil,
            !activation.flags.contains(.callbacks)
        {
            return .nowhere
        }
        graph.pointee.reserve(activation.key, for: Service.self).initialize(to: instance)
        return .graph(graph)
    }
    guard activation.flags.contains(.shared) else { return .nowhere }
    let place = activation.context.takeUnretainedValue().place(of: activation.entry.takeUnretainedValue())
    if let cell = place.cell {
        let box = InstanceBox(instance)
        if activation.flags.contains(.callbacks) || frame.pointee.status.contains(.borrowing) {
            cell.store(unfinished: box)
        } else {
            cell.store(ready: box)
        }
        return .cell(cell, box)
    }
    place.storage.setInstance(instance, inGraph: Session.identifier(session))
    session.pointee.graph.pointee.touch(place.storage)
    return .storage(place.storage)
}

/// Ends a frame that has failed and gives the error for whoever asked.
@usableFromInline
func failConstruction(
    _ frame: UnsafeMutablePointer<Frame>,
    _ activation: Activation,
    _ error: any Error
) -> ResolutionError {
    fail(frame, activation, error, kept: .nowhere)
}

private func fail(
    _ frame: UnsafeMutablePointer<Frame>,
    _ activation: Activation,
    _ error: (any Error)?,
    kept: Kept
) -> ResolutionError {
    let session = activation.session
    let failure = Session.failure(session, of: frame, activation, error)
    kept.revoke(activation.key, session)
    Session.revokeProvisional(session, since: frame)
    session.pointee.top = frame.pointee.parent
    session.pointee.counter(of: activation.key.entry).pointee &-= 1
    let graph = session.pointee.graph
    let entry = activation.entry.takeUnretainedValue()
    let context = activation.context.takeUnretainedValue()
    if frame.pointee.parent == graph.pointee.base, graph.pointee.isDirty { Session.finish(session, graph) }
    if frame.pointee.status.contains(.observed) { Session.constructionEnds(session, .aborted, entry, context) }
    return failure
}
