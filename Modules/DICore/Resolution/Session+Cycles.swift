// Unsafe: frames name their entries and contexts without retaining them; see `Frame`.

public import Synchronization

// The cycle rule, and what follows from instances that are handed out before their callbacks are done.
//
// An activation is open until its storage answers for the asking graph. A request that reaches its factory has just seen
// that the storage does not answer, so every activation of the same entry for the same container on the chain is open.
// If then no frame above the innermost of them is completing with an instance that its storage still gives, nothing can
// ever answer differently than it did on the way here: the repeat cannot end.

/// Called when a frame shares the chain of its entry with another one: fails if that is a repeat which cannot end.
@usableFromInline
func checkRepeat(
    _ frame: UnsafeMutablePointer<Frame>,
    _ session: UnsafeMutablePointer<Session>,
    _ flags: EntryFlags
) throws(ResolutionError) {
    // In a deep chain of dependencies each frame comes here, and nearly none is a repeat.
    guard frame.pointee.isRepeat else { return }
    // Neither the frame itself, nor where storages are asked what they resolve, finds it in the chain.
    frame.pointee.status.insert(.pending)
    defer { frame.pointee.status.remove(.pending) }
    let activation = Activation(frame, session, flags)
    // Held: storages are asked, which may remove it.
    let entry = activation.entry.takeUnretainedValue()
    defer { Session.hold(session, entry) }
    do throws(ResolutionError) {
        try Session.checkRepeat(activation)
    } catch {
        let context = activation.context.takeUnretainedValue()
        if activation.status.contains(.claimed), let place = activation.place?.takeUnretainedValue() {
            Session.endClaim(session, of: place, context, error, isOwn: false)
        }
        Session.chain(session, of: entry.id).pointee.store(frame.pointee.nextInChain, ordering: .releasing)
        if activation.isObserved { Session.constructionEnds(session, .aborted, entry, context) }
        throw error
    }
}

extension Frame {
    /// Whether a frame further out is for the same entry and container.
    fileprivate var isRepeat: Bool {
        var address = nextInChain
        while let frame = UnsafeMutablePointer<Frame>(bitPattern: address) {
            let isSameEntry = frame.pointee.entry.toOpaque() == entry.toOpaque()
            if isSameEntry, frame.pointee.context.toOpaque() == context.toOpaque() { return true }
            address = frame.pointee.nextInChain
        }
        return false
    }
}

/// The frames of an entry for a container, innermost first.
struct RunningActivations: Sequence, IteratorProtocol {
    private let key: RecordKey
    private var address: UInt

    init(_ session: UnsafeMutablePointer<Session>, of key: RecordKey) {
        self.key = key
        address = Session.chain(session, of: key.entry).pointee.load(ordering: .relaxed)
    }

    mutating func next() -> UnsafeMutablePointer<Frame>? {
        while let frame = UnsafeMutablePointer<Frame>(bitPattern: address) {
            address = frame.pointee.nextInChain
            if frame.pointee.key == key, !frame.pointee.status.contains(.pending) { return frame }
        }
        return nil
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
    frame.pointee.provisionalMark = session.pointee.nextProvisional
}

extension Session {
    /// Finds out whether a repeat is a legal one.
    fileprivate static func checkRepeat(_ activation: Activation) throws(ResolutionError) {
        let session = activation.session
        var innermost: UnsafeMutablePointer<Frame>?
        var outermost: UnsafeMutablePointer<Frame>?
        var count = 0
        for frame in RunningActivations(session, of: activation.key) {
            count += 1
            innermost = innermost ?? frame
            outermost = frame
        }
        guard let innermost, let outermost else { return }
        let hasWayOut = hasWayOut(session, since: innermost)
        let takesArguments = activation.flags.contains(.arguments)
        if !takesArguments, !hasWayOut {
            throw doom(session, .circular, activation, back: innermost)
        }
        if count >= activation.context._withUnsafeGuaranteedRef({ $0.depthLimit }) {
            throw doom(session, .depthExceeded, activation, back: outermost, detail: "\(count) times")
        }
        if ThreadStack.isNearlyUsed(after: count, from: outermost) {
            let detail = "\(count) times, and there is no room for more on the stack of the thread"
            throw doom(session, .depthExceeded, activation, back: outermost, detail: detail)
        }
        // A mere recursion with other arguments is no cycle, and each of its activations keeps its own instance.
        if takesArguments, !hasWayOut { return }
        for frame in RunningActivations(session, of: activation.key) { frame.pointee.status.insert(.reentered) }
    }

    /// Whether the instance of a frame inside of this one can be found, so that what asks for it may end.
    private static func hasWayOut(
        _ session: UnsafeMutablePointer<Session>,
        since innermost: UnsafeMutablePointer<Frame>
    ) -> Bool {
        var next = session.pointee.top
        while let frame = next, frame != innermost {
            if frame.pointee.status.contains(.completing), answers(session, for: frame) { return true }
            next = frame.pointee.parent
        }
        return false
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
        guard let place = frame.pointee.place?.takeUnretainedValue() else { return false }
        if let cell = place.cell { return cell.box(session) != nil }
        let identifier = identifier(session)
        return place.withStorage(session) { $0.instance(inGraph: identifier) } != nil
    }

    /// Makes a failure that every frame from here back to the given one shares, whatever its factory does about it.
    private static func doom(
        _ session: UnsafeMutablePointer<Session>,
        _ code: ResolutionError.Code,
        _ activation: Activation,
        back last: UnsafeMutablePointer<Frame>,
        detail: String? = nil
    ) -> ResolutionError {
        let entry = activation.entry.takeUnretainedValue()
        let error = ResolutionError.report(
            code,
            key: entry.key,
            detail: detail,
            near: [entry],
            in: activation.context.takeUnretainedValue()
        )
        doom(session, error, back: last)
        return error
    }

    private static func doom(
        _ session: UnsafeMutablePointer<Session>,
        _ error: ResolutionError,
        back last: UnsafeMutablePointer<Frame>
    ) {
        var outermost: UnsafeMutablePointer<Frame>?
        var next = session.pointee.top
        while let frame = next, frame != session.pointee.barrier {
            frame.pointee.status.insert(.doomed)
            outermost = frame
            next = frame == last ? nil : frame.pointee.parent
        }
        guard let outermost else { return }
        session.pointee.verdicts.append(Verdict(error: error, last: outermost, reachesFurther: outermost != last))
    }

    /// Makes a failure that every frame from here back to the one that has claimed a place shares.
    static func doom(_ session: UnsafeMutablePointer<Session>, _ error: ResolutionError, backTo place: StoragePlace) {
        var next = session.pointee.top
        while let frame = next {
            if frame.pointee.status.contains(.claimed), frame.pointee.place?.takeUnretainedValue() === place {
                return doom(session, error, back: frame)
            }
            next = frame.pointee.parent
        }
    }

    /// The error that a failing frame hands on: that of a verdict, or what was thrown. One that begins here is to be told to
    /// observers when the frame has ended.
    static func failure(
        _ session: UnsafeMutablePointer<Session>,
        of frame: UnsafeMutablePointer<Frame>,
        _ activation: Activation,
        _ error: (any Error)?,
        by thrower: ResolutionError.Thrower
    ) -> FrameFailure {
        if frame.pointee.status.contains(.doomed), let verdict = session.pointee.verdicts.last {
            // The caller holds a copy, so that nothing is released while this is being changed.
            session.pointee.verdicts.removeAll { $0.last == frame }
            return FrameFailure(verdict.error, isOwn: verdict.last == frame && !verdict.reachesFurther)
        }
        if let error = error as? ResolutionError { return FrameFailure(error) }
        let entry = activation.entry.takeUnretainedValue()
        let announcement = ResolutionError.beginning(
            .factoryThrew,
            key: entry.key,
            underlying: error,
            thrownBy: thrower,
            near: [entry],
            isOnPath: true,
            in: activation.context.takeUnretainedValue()
        )
        return FrameFailure(announcement.error, announcement)
    }

    // MARK: Unfinished instances

    /// Called when a storage has answered: if the instance is not finished, the innermost frame depends on that.
    static func noteBorrowing(_ session: UnsafeMutablePointer<Session>, of key: RecordKey) {
        guard let top = session.pointee.top else { return }
        for frame in RunningActivations(session, of: key) where frame.pointee.status.contains(.completing) {
            if frame != top { top.pointee.borrow(from: frame) }
            return
        }
        guard session.pointee.hasProvisional else { return }
        let provisional = session.pointee.provisional.last { $0.entry.id == key.entry && $0.context.id == key.context }
        guard let provisional else { return }
        if let lender = provisional.borrowedFrom, lender != top { top.pointee.borrow(from: lender) }
        if !provisional.borrowed.isEmpty { top.pointee.status.insert(.borrowingElsewhere) }
        for instance in provisional.borrowed { session.pointee.loans.append(Loan(instance: instance, frame: top)) }
    }

    /// Publishes the instance of a frame that has succeeded, with those that depended on it, and ends their claims. Where
    /// the frame depends on an outer one, all of that is left to it.
    static func publish(
        _ frame: UnsafeMutablePointer<Frame>,
        _ activation: Activation,
        _ kept: Kept,
        _ released: inout ReleasedObjects
    ) {
        let session = activation.session
        let claimed = frame.pointee.status.contains(.claimed) ? frame.pointee.place?.takeUnretainedValue() : nil
        let borrowed = moveLoans(session, from: frame, to: frame.pointee.parent)
        let own = Provisional(
            number: session.pointee.nextProvisional,
            entry: activation.entry.takeUnretainedValue(),
            context: activation.context.takeUnretainedValue(),
            kept: kept,
            claimed: claimed,
            borrowedFrom: frame.pointee.borrowedFrom,
            borrowed: borrowed
        )
        if let parent = frame.pointee.parent {
            if !borrowed.isEmpty { parent.pointee.status.insert(.borrowingElsewhere) }
            if let lender = own.borrowedFrom, lender != parent { parent.pointee.borrow(from: lender) }
        }
        passOn(own, of: frame, session)
        guard own.isComplete else {
            guard own.isOfUse else { return }
            session.pointee.nextProvisional += 1
            session.pointee.provisional.append(own)
            session.pointee.hasProvisional = true
            if let claimed { own.context.coordinator?.provisional(claimed, by: session.id) }
            return
        }
        if session.pointee.hasProvisional {
            end([own] + takeProvisional(session, where: \.isComplete), session, nil, &released)
        } else {
            own.endInstance(session, nil, &released)
            own.endClaim(session, nil)
        }
    }

    /// Has what may hold the instance of a frame depend on what that depends on, and no more on the frame.
    private static func passOn(
        _ ended: Provisional,
        of frame: UnsafeMutablePointer<Frame>,
        _ session: UnsafeMutablePointer<Session>
    ) {
        for index in session.pointee.provisional.indices {
            guard let lender = session.pointee.provisional[index].borrowedFrom else { continue }
            if lender == frame {
                session.pointee.provisional[index].borrowedFrom = ended.borrowedFrom
            } else if mayHoldInstance(session.pointee.provisional[index], of: frame) {
                session.pointee.provisional[index].borrowedFrom = frame.pointee.outer(lender, ended.borrowedFrom)
            } else {
                continue
            }
            session.pointee.provisional[index].borrowed += ended.borrowed
        }
    }

    /// Whether something was stored during the callbacks of a frame, and holds an unfinished instance that may be that of the
    /// frame.
    private static func mayHoldInstance(_ known: Provisional, of frame: UnsafeMutablePointer<Frame>) -> Bool {
        frame.pointee.status.contains(.completing) && known.number >= frame.pointee.provisionalMark
            && known.borrowedFrom != nil
    }

    /// Ends the claim of a request that has built nothing itself. Where a request inside of it has built an instance that
    /// depends on an outer frame, the claim goes on with that: nobody else may have it yet.
    static func endClaim(
        _ session: UnsafeMutablePointer<Session>,
        of place: StoragePlace,
        _ context: ResolutionContext,
        _ failure: ResolutionError?,
        isOwn: Bool = true
    ) {
        guard let index = session.pointee.provisional.lastIndex(where: { $0.kept.place === place }) else {
            return place.endClaim(session, context, failure, isOwn: isOwn)
        }
        session.pointee.provisional[index].claimed = place
        context.coordinator?.provisional(place, by: session.id)
    }

    /// Publishes or revokes instances, then ends the claims of their places: an inner activation's instance is to be found
    /// when the claim of the outer one ends.
    private static func end(
        _ provisional: [Provisional],
        _ session: UnsafeMutablePointer<Session>,
        _ failure: ResolutionError?,
        _ released: inout ReleasedObjects
    ) {
        for provisional in provisional { provisional.endInstance(session, failure, &released) }
        // One that is revoked has not failed itself.
        for provisional in provisional { provisional.endClaim(session, failure) }
        // The list may have their last references.
        released.append(provisional)
    }

    /// Takes out what was stored since a failed frame began its callbacks and may hold its instance.
    static func revokeProvisional(
        _ session: UnsafeMutablePointer<Session>,
        since frame: UnsafeMutablePointer<Frame>,
        _ failure: ResolutionError,
        _ released: inout ReleasedObjects
    ) {
        guard session.pointee.hasProvisional else { return }
        // Those that depend on instances of other threads alone stay.
        let revoked = takeProvisional(session) { mayHoldInstance($0, of: frame) }
        end(revoked, session, failure, &released)
    }

    /// The outermost frame has ended for other threads, and holds no instance of theirs. What was built inside of it and does is
    /// complete when those are, whether the frame has failed or not.
    static func endBorrowing(
        _ session: UnsafeMutablePointer<Session>,
        of frame: UnsafeMutablePointer<Frame>,
        _ activation: Activation,
        _ released: inout ReleasedObjects
    ) {
        var failure: ResolutionError?
        if session.pointee.hasProvisional {
            do throws(ResolutionError) {
                try waitForLoans(frame, activation, &released)
            } catch {
                failure = error
            }
        }
        end(takeProvisional(session, where: { _ in true }), session, failure, &released)
        forgetLoans(session, &released)
    }

    /// Waits until what was borrowed from other threads is complete. Where it is not, what holds it is revoked; throws if
    /// that is the frame.
    static func waitForLoans(
        _ frame: UnsafeMutablePointer<Frame>,
        _ activation: Activation,
        _ released: inout ReleasedObjects
    ) throws(ResolutionError) {
        let session = activation.session
        let key = activation.entry.takeUnretainedValue().key
        for lender in session.pointee.lenders {
            while true {
                let failed = try lender.coordinator?.waitForBorrowed(by: session.id, for: key, in: lender) ?? []
                if failed.isEmpty { break }
                for loan in failed {
                    let revoked = takeProvisional(session) { $0.borrowed.contains(loan.instance) }
                    end(revoked, session, loan.error, &released)
                }
                let held = failed.first { failed in
                    session.pointee.loans.contains { $0.instance == failed.instance && $0.frame == frame }
                }
                if let held { throw held.error }
            }
        }
    }

    /// Ends all loans of an outermost request.
    static func forgetLoans(_ session: UnsafeMutablePointer<Session>, _ released: inout ReleasedObjects) {
        let (lenders, loans) = (session.pointee.lenders, session.pointee.loans)
        session.pointee.lenders = []
        session.pointee.loans = []
        for index in session.pointee.provisional.indices { session.pointee.provisional[index].borrowed = [] }
        for lender in lenders { lender.coordinator?.forgetBorrowed(by: session.id) }
        released.append(lenders)
        released.append(loans)
    }

    /// Says that the loans of a frame that ends are held by the one around it, or by none. Returns their instances.
    static func moveLoans(
        _ session: UnsafeMutablePointer<Session>,
        from frame: UnsafeMutablePointer<Frame>,
        to outer: UnsafeMutablePointer<Frame>?
    ) -> [UnfinishedInstance] {
        guard frame.pointee.status.contains(.borrowingElsewhere) else { return [] }
        var instances: [UnfinishedInstance] = []
        for index in session.pointee.loans.indices where session.pointee.loans[index].frame == frame {
            session.pointee.loans[index].frame = outer
            instances.append(session.pointee.loans[index].instance)
        }
        return instances
    }

    /// A graph ends with instances that are not complete. They are found through its identifier when they are, if somebody has
    /// that.
    static func graphEnds(
        _ session: UnsafeMutablePointer<Session>,
        _ graph: UnsafeMutablePointer<RunningGraph>,
        _ identifier: GraphIdentifier?
    ) {
        for index in session.pointee.provisional.indices {
            guard case .graph(graph, let instance) = session.pointee.provisional[index].kept else { continue }
            let object = graph.pointee.object(instance)
            graph.pointee.forget(instance)
            session.pointee.provisional[index].kept =
                if let identifier, let object { .ended(identifier, object) } else { .nowhere }
        }
    }

    private static func takeProvisional(
        _ session: UnsafeMutablePointer<Session>,
        where isTaken: (Provisional) -> Bool
    ) -> [Provisional] {
        // Copied first: what is released when the list shrinks may run any code.
        let taken = session.pointee.provisional.filter(isTaken)
        session.pointee.provisional.removeAll(where: isTaken)
        session.pointee.hasProvisional = !session.pointee.provisional.isEmpty
        return taken
    }
}

/// The failure of a frame.
struct FrameFailure {
    let error: ResolutionError

    /// Whether it would fail for whoever asks. Otherwise the cause is in what else its session builds, or in what other
    /// threads hold.
    let isOwn: Bool

    /// What observers are to be told when the frame has ended, if the failure begins here.
    let announcement: FailureAnnouncement?

    init(_ error: ResolutionError, _ announcement: FailureAnnouncement? = nil, isOwn: Bool = true) {
        self.error = error
        self.announcement = announcement
        self.isOwn = isOwn && error.code != .crossThreadCycle && error.code != .waitLimitExceeded
    }
}

extension Session.Provisional {
    /// Whether there is anything to do when the outer frame ends.
    var isOfUse: Bool {
        if case .nowhere = kept { claimed != nil } else { true }
    }

    /// Publishes the instance, or takes it out.
    func endInstance(
        _ session: UnsafeMutablePointer<Session>,
        _ failure: ResolutionError?,
        _ released: inout ReleasedObjects
    ) {
        if let failure {
            kept.revoke(session, context, failure, &released)
        } else {
            kept.publish(RecordKey(entry: entry.id, context: context.id), &released)
        }
        // A private storage of an entry that is registered no more would be found by nobody, and stay; its own is still
        // found by those who came before, and through what forwards to it.
        if let place = kept.place, entry.flags.contains(.retired), place !== entry.place {
            released.append(context.removePrivateStorage(of: entry))
        }
    }

    /// Ends the claim of its place.
    func endClaim(_ session: UnsafeMutablePointer<Session>, _ failure: ResolutionError?) {
        if let claimed {
            let published = failure == nil ? kept.unfinished : nil
            claimed.endClaim(session, context, with: published, failure, isOwn: false)
        } else if failure == nil, let place = kept.place, kept.unfinished != nil || place.isClaimed(by: session) {
            // An outer activation has the claim, and goes on.
            context.coordinator?.published(kept.unfinished, in: place, by: session.id)
        }
    }
}

extension Frame {
    /// Makes the activation depend on an outer frame, or on the outermost of this one and those before.
    mutating func borrow(from lender: UnsafeMutablePointer<Frame>) {
        status.insert(.borrowing)
        borrowedFrom = outer(lender, borrowedFrom)
    }

    /// Which of two frames around this one is further out.
    func outer(
        _ first: UnsafeMutablePointer<Frame>,
        _ second: UnsafeMutablePointer<Frame>?
    ) -> UnsafeMutablePointer<Frame> {
        guard let second else { return first }
        // Whichever is reached last.
        var next = parent
        while let frame = next, frame != first {
            if frame == second { return first }
            next = frame.pointee.parent
        }
        return second
    }
}
