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
    _ located: LocatedEntry,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Service {
    if located.unmanagedEntry._withUnsafeGuaranteedRef({ $0.flags.contains(.forwarded) }) {
        return try forward(located, serviceType, arguments, for: resolver)
    }
    let request = try CarefulRequest(located, for: resolver)
    if let instance = try keptInstance(request.activation, serviceType) {
        request.wasAnswered()
        return instance
    }
    if request.activation.isObserved { request.willConstruct() }
    return try construct(request.activation, serviceType, arguments, with: request.builder)
}

/// A request whose factory is perhaps to be called by another container than the one that was asked.
@usableFromInline
struct CarefulRequest {
    @usableFromInline let activation: Activation

    /// What the factory is given.
    @usableFromInline let builder: any Resolver

    private let asking: ResolutionContext

    /// Decides who builds and keeps.
    @usableFromInline
    init(_ located: LocatedEntry, for resolver: any Resolver) throws(ResolutionError) {
        let entry = located.unmanagedEntry.takeUnretainedValue()
        asking = located.context.takeUnretainedValue()
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
        self.builder = builder
        activation = Activation(
            entry: located.unmanagedEntry,
            flags: entry.flags,
            context: Unmanaged.passUnretained(keeper),
            session: located.session,
            isObserved: located.session.pointee.resolutionObservers != 0
        )
        if activation.isObserved { Session.reportPassedOverOverrides(located.session, of: entry, in: asking) }
    }

    /// The storage had an instance.
    @usableFromInline
    func wasAnswered() {
        Session.finishIfIdle(activation.session)
        if activation.isObserved {
            ResolutionEvent.report(.reused, of: activation.entry.takeUnretainedValue(), in: asking)
        }
    }

    /// The factory of an observed request is about to be called.
    @usableFromInline
    func willConstruct() {
        Session.willConstruct(
            activation.session,
            activation.entry.takeUnretainedValue(),
            asking: asking,
            keeper: activation.context.takeUnretainedValue()
        )
    }
}

@usableFromInline
func forward<Service, Arguments: RuntimeArguments>(
    _ located: LocatedEntry,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Service {
    let entry = located.unmanagedEntry.takeUnretainedValue()
    if located.session.pointee.resolutionObservers != 0 {
        Session.reportPassedOverOverrides(located.session, of: entry, in: located.context.takeUnretainedValue())
    }
    return try unsafeDowncast(entry, to: ServiceEntry<Service>.self)
        .forwardedInstance(located, arguments, for: resolver)
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
@inlinable
@inline(__always)
func keptInstance<Service>(
    _ activation: Activation,
    _ serviceType: Service.Type
) throws(ResolutionError) -> Service? {
    switch find(activation) {
    case .nothing: return nil
    case .record(let address): return address.assumingMemoryBound(to: Service.self).pointee
    case .box(let box): return unsafeDowncast(box, to: InstanceBox<Service>.self).value
    case .value(let value):
        if let instance = value as? Service { return instance }
        throw mismatch(activation, value)
    }
}

/// What a storage has given.
@usableFromInline
enum Found {
    case nothing
    /// The address of an instance of the service, in the running graph.
    case record(UnsafeMutableRawPointer)
    /// A box of an instance of the service.
    case box(AnyInstanceBox)
    /// A value of whatever type.
    case value(Any)
}

/// Asks the entry's storage for what it has for the running graph.
@usableFromInline
func find(_ activation: Activation) -> Found {
    let session = activation.session
    if activation.flags.contains(.graph) {
        let graph = session.pointee.graph
        if let address = graph.pointee.recall(activation.key) {
            Session.noteBorrowing(session, of: activation.key)
            return .record(address)
        }
        return graph.pointee.identifier?.remember(activation.key).map { .value($0) } ?? .nothing
    }
    guard activation.flags.contains(.shared) else { return .nothing }
    let place = activation.context._withUnsafeGuaranteedRef { context in
        activation.entry._withUnsafeGuaranteedRef { context.place(of: $0) }
    }
    let found: Found
    if let cell = place.cell {
        guard let box = cell.box else { return .nothing }
        found = box is ForeignBox ? .value(box.anyValue) : .box(box)
    } else {
        guard let instance = place.storage.instance(inGraph: Session.identifier(session)) else { return .nothing }
        found = .value(instance)
    }
    Session.noteBorrowing(session, of: activation.key)
    return found
}

/// The error of a storage that has something else than the service.
@usableFromInline
func mismatch(_ activation: Activation, _ value: Any) -> ResolutionError {
    Session.finishIfIdle(activation.session)
    let entry = activation.entry.takeUnretainedValue()
    return ResolutionError.report(
        .typeMismatch,
        key: entry.key,
        detail: "its storage holds \(TypeName.short(type(of: value)))",
        near: [entry],
        in: activation.context.takeUnretainedValue()
    )
}

// MARK: Keeping

/// Where an instance was put, so that it can be published or taken out again.
@usableFromInline
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
@inlinable
@inline(never)
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
                settle(session, frame, activation, kept: .nowhere)
                return appeared
            }
        } catch {
            throw fail(frame, activation, error, kept: .nowhere)
        }
    }
    var kept = Kept.nowhere
    if activation.flags.contains(.graph) {
        let graph = session.pointee.graph
        if activation.flags.contains(.callbacks) || !isBareRoot(frame, session) {
            graph.pointee.reserve(activation.key, for: Service.self).initialize(to: instance)
            kept = .graph(graph)
        }
    } else if activation.flags.contains(.shared) {
        kept = keep(InstanceBox(instance), frame, activation)
    }
    activation.markProduced()
    if activation.flags.contains(.callbacks) {
        beginCompleting(frame, session)
        let callbacks = activation.entry._withUnsafeGuaranteedRef {
            unsafeDowncast($0, to: ServiceEntry<Service>.self).callbacks
        }
        for callback in callbacks {
            do {
                try callback(builder, instance)
            } catch {
                throw fail(frame, activation, error, kept: kept)
            }
        }
        if frame.pointee.status.contains(.doomed) { throw fail(frame, activation, nil, kept: kept) }
    }
    settle(session, frame, activation, kept: kept)
    return instance
}

/// Puts an instance in the entry's storage.
@usableFromInline
func keep(_ box: AnyInstanceBox, _ frame: UnsafeMutablePointer<Frame>, _ activation: Activation) -> Kept {
    let session = activation.session
    let place = activation.context.takeUnretainedValue().place(of: activation.entry.takeUnretainedValue())
    if let cell = place.cell {
        if activation.flags.contains(.callbacks) || frame.pointee.status.contains(.borrowing) {
            cell.store(unfinished: box)
        } else {
            cell.store(ready: box)
        }
        return .cell(cell, box)
    }
    // What the storage lets go of is released here, not inside of it: a deinit may resolve.
    let replaced = place.storage.instance
    place.storage.setInstance(box.anyValue, inGraph: Session.identifier(session))
    withExtendedLifetime(replaced) {}
    session.pointee.graph.pointee.touch(place.storage)
    return .storage(place.storage)
}

/// Ends a frame whose factory has failed and gives the error for whoever asked.
@usableFromInline
func failConstruction(
    _ frame: UnsafeMutablePointer<Frame>,
    _ activation: Activation,
    _ error: any Error
) -> ResolutionError {
    fail(frame, activation, error, kept: .nowhere)
}

/// Ends a frame that has failed, takes out what it has stored, and gives the error for whoever asked.
@usableFromInline
func fail(
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
