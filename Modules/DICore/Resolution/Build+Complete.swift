internal import Synchronization

// Unsafe: entries and contexts are passed on without being retained. Both are held by the resolver that is being asked
// or, when an entry is replaced meanwhile, by the session; see `Frame`. A value that is read as a service was stored by
// the entry that answers, and a key answers for its service type alone.

// What happens between a factory that has returned, or has thrown, and the end of its frame.

/// Keeps an instance and runs its callbacks; gives the one that the request is answered with. Ends the frame.
@inlinable
@inline(never)
func complete<Service>(
    _ frame: UnsafeMutablePointer<Frame>,
    _ session: UnsafeMutablePointer<Session>,
    _ flags: EntryFlags,
    _ instance: Service,
    with builder: any Resolver
) throws(ResolutionError) -> Service {
    let activation = Activation(frame, session, flags)
    if frame.pointee.status.contains(.doomed) { throw fail(frame, activation, nil, kept: .nowhere) }
    if frame.pointee.status.contains(.reentered) {
        let appeared: Service?
        do throws(ResolutionError) {
            appeared = try typed(find(activation), activation, Service.self)
        } catch {
            throw fail(frame, activation, error, kept: .nowhere)
        }
        if let appeared {
            // The other activation has run the callbacks; this instance is a duplicate and gets none.
            try succeed(frame, activation, kept: .nowhere)
            return appeared
        }
    }
    var kept = Kept.nowhere
    if activation.flags.contains(.graph) {
        let graph = session.pointee.graph
        if activation.flags.contains(.callbacks) || !isBareRoot(frame, session) {
            keepInGraph(instance, activation.key, session)
            if let instance = graph.pointee.newestInstance { kept = .graph(graph, instance) }
        }
    } else if activation.flags.contains(.shared) {
        kept = keep(InstanceBox(instance), frame, activation)
    }
    activation.markProduced()
    if activation.flags.contains(.callbacks) {
        beginCompleting(frame, session)
        do throws(CallbackFailure) {
            try runCallbacks(activation, instance, with: builder)
        } catch {
            throw fail(frame, activation, error.error, kept: kept, by: error.thrower)
        }
        if frame.pointee.status.contains(.doomed) { throw fail(frame, activation, nil, kept: kept) }
    }
    try succeed(frame, activation, kept: kept)
    return instance
}

@inlinable
@inline(__always)
func runCallbacks<Service>(
    _ activation: Activation,
    _ instance: Service,
    with builder: any Resolver
) throws(CallbackFailure) {
    // The entry holds its callbacks, and each those that were added before it.
    let callbacks = activation.entry._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: TypedEntry<Service>.self).callbacks.unmanaged
    }
    if let callbacks = callbacks?.takeUnretainedValue() {
        try callbacks.run(builder, instance, of: callbacks.count)
    }
}

/// Puts an instance in the place of the activation.
@usableFromInline
func keep(_ box: AnyInstanceBox, _ frame: UnsafeMutablePointer<Frame>, _ activation: Activation) -> Kept {
    let session = activation.session
    let context = activation.context.takeUnretainedValue()
    guard let place = activation.place?.takeUnretainedValue() else { return .nowhere }
    let coordinator = place.isClaimed(by: session) ? context.coordinator : nil
    if let cell = place.cell {
        guard
            activation.flags.contains(.callbacks)
                || !frame.pointee.status.isDisjoint(with: [.borrowing, .borrowingElsewhere])
        else { return .cell(place, cell, box, replaced: cell.store(ready: box), nil) }
        let unfinished = coordinator?.willStore(in: place, by: session.id)
        let replaced = cell.store(unfinished: box)
        if let unfinished { coordinator?.stored(unfinished) }
        return .cell(place, cell, box, replaced: replaced, unfinished)
    }
    let identifier = Session.identifier(session)
    let instance = box.anyValue
    let unfinished = coordinator?.willStore(in: place, by: session.id)
    // What was there is released when the frame has ended: a deinit may resolve.
    let (number, replaced) = place.withStorage(session) { storage in
        let replaced = storage.instance
        let number = place.nextNumber()
        // Before it is there: what the storage lets go of inside may make another thread want it.
        if let unfinished { coordinator?.stored(unfinished) }
        storage.setInstance(instance, inGraph: identifier)
        return (number, replaced)
    }
    session.pointee.graph.pointee.touch(place)
    let object = ObjectReference.object(in: instance)
    return .storage(place, number: number, object, replaced: replaced, unfinished)
}

// The end of a frame has three parts. First all is decided: what is published or revoked, which claims end, which threads go
// on. Then the frame is popped. Only then is released what was let go of, and observers are told: all of that is user code,
// which may resolve, and finds a stack without the frame and places without its claims.

/// Ends a frame whose instance is complete. What depends on nobody is published, what depends on an outer frame waits for
/// that one. The outermost frame waits first for what was borrowed from other threads, and fails if what it holds is revoked.
@usableFromInline
func succeed(
    _ frame: UnsafeMutablePointer<Frame>,
    _ activation: Activation,
    kept: Kept
) throws(ResolutionError) {
    let session = activation.session
    if isPlainEnd(of: frame, session, kept) {
        var replaced = ReleasedObjects()
        if case .cell(_, let cell, let box, _, _) = kept { cell.publish(box, &replaced) }
        pop(frame, activation)
        Session.finishIfOutermost(session, frame)
        // Another thread may have put an instance in since the look at the cell.
        if !replaced.isEmpty { Session.aside(session) { replaced.release() } }
        return
    }
    var released = ReleasedObjects()
    let isWaiting = frame.pointee.status.contains(.awaitingLoans)
    let isHolding = isWaiting && session.pointee.loans.contains { $0.frame == frame }
    if isHolding {
        if frame.pointee.status.contains(.claimed), let place = activation.place?.takeUnretainedValue() {
            activation.context.takeUnretainedValue().coordinator?.provisional(place, by: session.id)
        }
        do throws(ResolutionError) {
            try Session.waitForLoans(frame, activation, &released)
        } catch {
            throw fail(frame, activation, error, kept: kept, isOwn: false, released)
        }
        Session.forgetLoans(session, &released)
    }
    Session.publish(frame, activation, kept, &released)
    if isWaiting, !isHolding { Session.endBorrowing(session, of: frame, activation, &released) }
    pop(frame, activation)
    Session.finishIfOutermost(session, frame)
    Session.aside(session) { released.release() }
    if frame.pointee.status.contains(.observed) {
        Session.constructionEnds(
            session,
            .created,
            activation.entry.takeUnretainedValue(),
            activation.context.takeUnretainedValue()
        )
    }
}

/// Whether a frame ends with nothing but its instance: nobody follows it, nothing depends on it, and nothing is replaced.
private func isPlainEnd(
    of frame: UnsafeMutablePointer<Frame>,
    _ session: UnsafeMutablePointer<Session>,
    _ kept: Kept
) -> Bool {
    guard frame.pointee.status.subtracting([.completing, .reentered]).isEmpty, !session.pointee.hasProvisional else {
        return false
    }
    switch kept {
    case .nowhere, .graph, .ended: return true
    case .cell(let place, let cell, _, let replaced, let unfinished):
        // Where a frame around this one has the claim, threads may wait for the place.
        return replaced.isEmpty && cell.isUnfinishedAlone && unfinished == nil && !place.isClaimed(by: session)
    case .storage: return false
    }
}

/// Ends a frame whose factory has failed and gives the error for whoever asked.
@usableFromInline
func failConstruction(
    _ frame: UnsafeMutablePointer<Frame>,
    _ session: UnsafeMutablePointer<Session>,
    _ flags: EntryFlags,
    _ error: any Error
) -> ResolutionError {
    fail(frame, Activation(frame, session, flags), error, kept: .nowhere)
}

/// Ends a frame that has failed, takes out what it has stored, and gives the error for whoever asked.
///
/// - Parameter isOwn: whether the failure is that of the service, or that of an instance which another thread has lent.
@usableFromInline
func fail(
    _ frame: UnsafeMutablePointer<Frame>,
    _ activation: Activation,
    _ error: (any Error)?,
    kept: Kept,
    by thrower: ResolutionError.Thrower = .factory,
    isOwn: Bool = true,
    _ alreadyReleased: ReleasedObjects = ReleasedObjects()
) -> ResolutionError {
    let session = activation.session
    let entry = activation.entry.takeUnretainedValue()
    let context = activation.context.takeUnretainedValue()
    let verdicts = session.pointee.verdicts
    let failure = Session.failure(session, of: frame, activation, error, by: thrower)
    var released = alreadyReleased
    kept.revoke(session, context, failure.error, &released)
    _ = Session.moveLoans(session, from: frame, to: nil)
    Session.revokeProvisional(session, since: frame, failure.error, &released)
    if frame.pointee.status.contains(.claimed), let place = activation.place?.takeUnretainedValue() {
        Session.endClaim(session, of: place, context, failure.error, isOwn: failure.isOwn && isOwn)
    }
    if frame.pointee.status.contains(.awaitingLoans) {
        Session.endBorrowing(session, of: frame, activation, &released)
    }
    pop(frame, activation)
    Session.finishIfOutermost(session, frame)
    Session.aside(session) { released.release() }
    withExtendedLifetime(verdicts) {}
    failure.announcement?.tell()
    if frame.pointee.status.contains(.observed) { Session.constructionEnds(session, .aborted, entry, context) }
    return failure.error
}

private func pop(_ frame: UnsafeMutablePointer<Frame>, _ activation: Activation) {
    let session = activation.session
    session.pointee.top = frame.pointee.parent
    Session.chain(session, of: activation.key.entry).pointee.store(frame.pointee.nextInChain, ordering: .releasing)
    if frame.pointee.parent == nil { Session.outermostEnds() }
}

extension Session {
    /// Ends the graph of a frame that was its root, if there is something to do.
    fileprivate static func finishIfOutermost(
        _ session: UnsafeMutablePointer<Session>,
        _ frame: UnsafeMutablePointer<Frame>
    ) {
        let graph = session.pointee.graph
        if frame.pointee.parent == graph.pointee.base, graph.pointee.isDirty { finish(session, graph) }
    }
}
