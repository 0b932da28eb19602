// Unsafe: frames name their entries and contexts without retaining them; see `Frame`.

public import Synchronization

// The cycle rule, and what follows from instances that are handed out before their callbacks are done.
//
// An activation is open until its storage answers for the asking graph. A request that reaches its factory has just seen
// that the storage does not answer, so every activation of the same entry for the same container on the chain is open.
// If then no frame above the innermost of them is completing with an instance that its storage still gives, nothing can
// ever answer differently than it did on the way here: the repeat cannot end.

@usableFromInline
func checkRepeat(
    _ entry: Unmanaged<AnyServiceEntry>,
    _ context: Unmanaged<ResolutionContext>,
    _ flags: EntryFlags,
    _ session: UnsafeMutablePointer<Session>,
    _ isObserved: Bool
) throws(ResolutionError) {
    let activation = Activation(
        entry: entry,
        flags: flags,
        context: context,
        session: session,
        isObserved: isObserved,
        isReading: false
    )
    do throws(ResolutionError) {
        try Session.checkRepeat(activation)
    } catch {
        Session.counter(session, of: activation.key.entry).pointee.subtract(1)
        throw error
    }
}

extension Atomic<UInt32> {
    /// Subtracts from a counter that this thread alone writes.
    @inlinable
    @inline(__always)
    borrowing func subtract(_ number: UInt32) {
        store(load(ordering: .relaxed) &- number, ordering: .releasing)
    }

    /// Adds to a counter that this thread alone writes.
    borrowing func add(_ number: UInt32) {
        store(load(ordering: .relaxed) &+ number, ordering: .releasing)
    }
}

/// Begins the phase in which the instance of a frame is stored and its callbacks run.
@usableFromInline
func beginCompleting(_ frame: UnsafeMutablePointer<Frame>, _ session: UnsafeMutablePointer<Session>) {
    frame.pointee.status.insert(.completing)
    frame.pointee.provisionalMark = session.pointee.provisional.count
}

/// Ends the success of a frame that needs care.
@usableFromInline
func settle(
    _ session: UnsafeMutablePointer<Session>,
    _ frame: UnsafeMutablePointer<Frame>,
    _ activation: Activation,
    kept: Kept
) {
    if frame.pointee.status.isDisjoint(with: [.observed, .borrowing]), !session.pointee.hasProvisional {
        return kept.publish()
    }
    Session.settle(session, frame, activation, kept: kept)
}

extension Session {
    /// Called when some frame shares the counter of the entry: finds out whether this is a repeat and a legal one.
    fileprivate static func checkRepeat(_ activation: Activation) throws(ResolutionError) {
        let session = activation.session
        var innermost: UnsafeMutablePointer<Frame>?
        var outermost: UnsafeMutablePointer<Frame>?
        var count = 0
        var hasWayOut = false
        var next = session.pointee.top
        while let frame = next {
            next = frame.pointee.parent
            if frame.pointee.key == activation.key {
                count += 1
                innermost = innermost ?? frame
                outermost = frame
            } else if innermost == nil, !hasWayOut, frame.pointee.status.contains(.completing) {
                hasWayOut = answers(session, for: frame)
            }
        }
        guard let innermost, let outermost else { return }
        let takesArguments = activation.flags.contains(.arguments)
        if !takesArguments, !hasWayOut {
            throw doom(session, .circular, activation, back: innermost)
        }
        if count >= activation.context._withUnsafeGuaranteedRef({ $0.depthLimit }) {
            throw doom(session, .depthExceeded, activation, back: outermost)
        }
        // A mere recursion with other arguments is no cycle, and each of its activations keeps its own instance.
        if takesArguments, !hasWayOut { return }
        next = session.pointee.top
        while let frame = next {
            if frame.pointee.key == activation.key { frame.pointee.status.insert(.reentered) }
            next = frame.pointee.parent
        }
    }

    /// Whether the storage of a frame's entry has its instance for the graph that is running now.
    private static func answers(_ session: UnsafeMutablePointer<Session>, for frame: UnsafeMutablePointer<Frame>)
        -> Bool
    {
        let entry = frame.pointee.entry.takeUnretainedValue()
        let key = frame.pointee.key
        let graph = session.pointee.graph
        if entry.flags.contains(.graph) {
            return graph.pointee.recall(key) != nil || graph.pointee.identifier?.remember(key) != nil
        }
        guard entry.flags.contains(.shared) else { return false }
        let place = frame.pointee.context.takeUnretainedValue().place(of: entry)
        if let cell = place.cell { return cell.box(session) != nil }
        let identifier = identifier(session)
        return place.withStorage(session) { $0.instance(inGraph: identifier) } != nil
    }

    /// Makes a failure that every frame from here back to the given one shares, whatever its factory does about it.
    private static func doom(
        _ session: UnsafeMutablePointer<Session>,
        _ code: ResolutionError.Code,
        _ activation: Activation,
        back last: UnsafeMutablePointer<Frame>
    ) -> ResolutionError {
        let entry = activation.entry.takeUnretainedValue()
        let error = ResolutionError.report(
            code,
            key: entry.key,
            near: [entry],
            limit: activation.context._withUnsafeGuaranteedRef { $0.depthLimit },
            in: activation.context.takeUnretainedValue()
        )
        doom(session, error, back: last)
        if activation.isObserved {
            constructionEnds(session, .aborted, entry, activation.context.takeUnretainedValue())
        }
        return error
    }

    private static func doom(
        _ session: UnsafeMutablePointer<Session>,
        _ error: ResolutionError,
        back last: UnsafeMutablePointer<Frame>
    ) {
        session.pointee.verdicts.append(Verdict(error: error, last: last))
        var next = session.pointee.top
        while let frame = next {
            frame.pointee.status.insert(.doomed)
            next = frame == last ? nil : frame.pointee.parent
        }
    }

    /// Makes a failure that every frame from here back to the one that builds for a place shares.
    static func doom(_ session: UnsafeMutablePointer<Session>, _ error: ResolutionError, backTo place: StoragePlace) {
        var next = session.pointee.top
        while let frame = next {
            let entry = frame.pointee.entry.takeUnretainedValue()
            if entry.flags.contains(.shared), frame.pointee.context.takeUnretainedValue().place(of: entry) === place {
                return doom(session, error, back: frame)
            }
            next = frame.pointee.parent
        }
    }

    /// The error that a failing frame hands on: that of a verdict, or what was thrown.
    static func failure(
        _ session: UnsafeMutablePointer<Session>,
        of frame: UnsafeMutablePointer<Frame>,
        _ activation: Activation,
        _ error: (any Error)?,
        by thrower: ResolutionError.Thrower
    ) -> ResolutionError {
        let verdicts = session.pointee.verdicts
        if frame.pointee.status.contains(.doomed), let verdict = verdicts.last {
            // The copy holds what is removed until nothing of ours is being changed.
            session.pointee.verdicts.removeAll { $0.last == frame }
            return withExtendedLifetime(verdicts) { verdict.error }
        }
        if let error = error as? ResolutionError { return error }
        let entry = activation.entry.takeUnretainedValue()
        return ResolutionError.report(
            .factoryThrew,
            key: entry.key,
            underlying: error,
            thrownBy: thrower,
            near: [entry],
            isOnPath: true,
            in: activation.context.takeUnretainedValue()
        )
    }

    // MARK: Unfinished instances

    /// Called when a storage has answered: if the instance is not finished, the innermost frame depends on that.
    static func noteBorrowing(_ session: UnsafeMutablePointer<Session>, of key: RecordKey) {
        guard let top = session.pointee.top,
            session.pointee.hasProvisional
                || Session.counter(session, of: key.entry).pointee.load(ordering: .relaxed) != 0
        else { return }
        var next: UnsafeMutablePointer<Frame>? = top
        while let frame = next {
            if frame.pointee.key == key, frame.pointee.status.contains(.completing) {
                if frame != top { top.pointee.borrow(from: frame) }
                return
            }
            next = frame.pointee.parent
        }
        let provisional = session.pointee.provisional.first { $0.entry.id == key.entry && $0.context.id == key.context }
        if let root = provisional?.root, root != top { top.pointee.borrow(from: root) }
    }

    /// Ends the success of a frame: what depends on nobody is published, what depends on an outer frame waits for it.
    static func settle(
        _ session: UnsafeMutablePointer<Session>,
        _ frame: UnsafeMutablePointer<Frame>,
        _ activation: Activation,
        kept: Kept
    ) {
        let entry = activation.entry.takeUnretainedValue()
        let context = activation.context.takeUnretainedValue()
        if frame.pointee.status.contains(.observed) {
            // Told as what asked sees it: the frame of the instance itself is no longer on the path.
            session.pointee.top = frame.pointee.parent
            constructionEnds(session, .created, entry, context)
            session.pointee.top = frame
        }
        if let root = frame.pointee.borrowedFrom {
            for index in session.pointee.provisional.indices where session.pointee.provisional[index].root == frame {
                session.pointee.provisional[index].root = root
            }
            if case .nowhere = kept {
            } else {
                session.pointee.provisional.append(
                    Provisional(entry: entry, context: context, kept: kept, root: root)
                )
                session.pointee.hasProvisional = true
            }
            if let parent = frame.pointee.parent, parent != root { parent.pointee.borrow(from: root) }
            return
        }
        kept.publish()
        guard session.pointee.hasProvisional else { return }
        // Taken out first: what is released when the list shrinks may run any code.
        let complete = session.pointee.provisional.filter { $0.root == frame }
        session.pointee.provisional.removeAll { $0.root == frame }
        session.pointee.hasProvisional = !session.pointee.provisional.isEmpty
        for provisional in complete { provisional.end(session, nil) }
    }

    /// Takes out what was stored since a failed frame began its callbacks and may hold its instance.
    static func revokeProvisional(
        _ session: UnsafeMutablePointer<Session>,
        since frame: UnsafeMutablePointer<Frame>,
        _ failure: ResolutionError
    ) {
        guard frame.pointee.status.contains(.completing), session.pointee.hasProvisional else { return }
        let first = min(frame.pointee.provisionalMark, session.pointee.provisional.count)
        let revoked = Array(session.pointee.provisional[first...])
        session.pointee.provisional.removeSubrange(first...)
        session.pointee.hasProvisional = !session.pointee.provisional.isEmpty
        for provisional in revoked { provisional.end(session, failure) }
    }
}

extension Frame {
    /// Makes the activation depend on an outer frame, or on the outermost of this one and those before.
    mutating func borrow(from root: UnsafeMutablePointer<Frame>) {
        status.insert(.borrowing)
        guard let known = borrowedFrom else {
            borrowedFrom = root
            return
        }
        // Whichever is reached last on the way out is the outer one.
        var next = parent
        while let frame = next {
            if frame == known {
                borrowedFrom = root
                return
            }
            if frame == root { return }
            next = frame.pointee.parent
        }
    }
}
