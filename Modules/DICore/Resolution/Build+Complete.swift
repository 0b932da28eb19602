internal import Synchronization

// Unsafe: entries and contexts are passed on without being retained. Both are held by the resolver that is being asked
// or, when an entry is replaced meanwhile, by the session; see `Frame`. A value that is read as a service was stored by
// the entry that answers, and a key answers for its service type alone.

// What happens between a factory that has returned, or has thrown, and the end of its frame.

/// Keeps an instance and runs its callbacks; gives the one that the request is answered with. Ends the frame if it
/// throws, and leaves that to the caller otherwise.
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
        do throws(ResolutionError) {
            if let appeared = try keptInstance(activation, Service.self) {
                // The other activation has run the callbacks; this instance is a duplicate and gets none.
                try waitIfOutermost(frame, activation)
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
            keepInGraph(instance, activation.key, session)
            kept = .graph(graph)
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
    do throws(ResolutionError) {
        try waitIfOutermost(frame, activation)
    } catch {
        throw fail(frame, activation, error, kept: kept)
    }
    settle(session, frame, activation, kept: kept)
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
        unsafeDowncast($0, to: ServiceEntry<Service>.self).callbacks.unmanaged
    }
    if let callbacks = callbacks?.takeUnretainedValue() {
        try callbacks.run(builder, instance, of: callbacks.count)
    }
}

/// Puts an instance in the entry's storage.
@usableFromInline
func keep(_ box: AnyInstanceBox, _ frame: UnsafeMutablePointer<Frame>, _ activation: Activation) -> Kept {
    let session = activation.session
    let entry = activation.entry.takeUnretainedValue()
    let place = activation.context.takeUnretainedValue().place(of: entry)
    // A private storage of an entry that is registered no more would be found by nobody, and stay; its own is still
    // found by those who came before, and through what forwards to it.
    if entry.flags.contains(.retired), place !== entry.place {
        withExtendedLifetime(activation.context.takeUnretainedValue().removePrivateStorage(of: entry)) {}
        return .nowhere
    }
    if let cell = place.cell {
        if activation.flags.contains(.callbacks)
            || !frame.pointee.status.isDisjoint(with: [.borrowing, .borrowingElsewhere])
        {
            cell.store(unfinished: box)
            place.noteUnfinished()
        } else {
            cell.store(ready: box)
        }
        return .cell(place, cell, box)
    }
    // What the storage lets go of is released here, not inside of it: a deinit may resolve.
    let identifier = Session.identifier(session)
    let instance = box.anyValue
    // Before it is there: what the storage lets go of may make another thread want it.
    place.noteUnfinished()
    let replaced = place.withStorage(session) { storage in
        let replaced = storage.instance
        storage.setInstance(instance, inGraph: identifier)
        return replaced
    }
    withExtendedLifetime(replaced) {}
    session.pointee.graph.pointee.touch(place)
    return .storage(place)
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
@usableFromInline
func fail(
    _ frame: UnsafeMutablePointer<Frame>,
    _ activation: Activation,
    _ error: (any Error)?,
    kept: Kept,
    by thrower: ResolutionError.Thrower = .factory
) -> ResolutionError {
    let session = activation.session
    let failure = Session.failure(session, of: frame, activation, error, by: thrower)
    kept.revoke(activation.key, session)
    Session.revokeProvisional(session, since: frame, failure)
    if frame.pointee.status.contains(.borrowingElsewhere), frame.pointee.parent == nil {
        Session.forgetBorrowed(session, of: frame, failure)
    }
    session.pointee.top = frame.pointee.parent
    Session.counter(session, of: activation.key.entry).pointee.subtract(1)
    let graph = session.pointee.graph
    let entry = activation.entry.takeUnretainedValue()
    let context = activation.context.takeUnretainedValue()
    if frame.pointee.parent == graph.pointee.base, graph.pointee.isDirty { Session.finish(session, graph) }
    if frame.pointee.status.contains(.observed) { Session.constructionEnds(session, .aborted, entry, context) }
    return failure
}
