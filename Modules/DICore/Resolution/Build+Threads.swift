// Unsafe: entries and contexts are passed on without being retained; see `Build+Care.swift`.

// What the resolution does where several threads use a container: an instance that they share is built by the one that
// has claimed its place, and an entry that is being looked at is not freed.

internal import Synchronization

/// Keeps the entry of a request that needs care from being freed, and lets in one thread at a time where there is a gate.
@usableFromInline
struct CarefulHold {
    private let located: LocatedEntry
    private let gate: (any SessionGate)?
    private let outside: Unmanaged<StoragePlace>?

    @usableFromInline
    init(_ located: LocatedEntry) {
        self.located = located
        gate = located.session.pointee.gate
        outside = StoragePlace.stepOut(located.session)
        if located.isReading {
            pauseReader()
            // A frame would name the entry only when it is being built.
            counter.pointee.add(1)
            located.endReading()
        }
        guard let gate else { return }
        gate.enter()
        gate.willBuild(located.unmanagedEntry.takeUnretainedValue())
    }

    @usableFromInline
    func end() {
        gate?.leave()
        StoragePlace.stepIn(located.session, outside)
        guard located.isReading else { return }
        counter.pointee.subtract(1)
        // What was replaced meanwhile could not be let go of while this one held it.
        if located.session.pointee.top == nil { Reclamation.drain() }
    }

    private var counter: UnsafeMutablePointer<Atomic<UInt32>> {
        Session.counter(located.session, of: located.unmanagedEntry._withUnsafeGuaranteedRef { $0.id })
    }
}

/// What there is for a request, and the place that it has claimed when there is nothing.
@usableFromInline
struct LookUp {
    @usableFromInline let found: Found
    fileprivate let claimed: StoragePlace?

    /// Ends the claim when its instance is known to all, or with why there is none. One that waits for the callbacks of
    /// an outer frame stays claimed; see ``Session/Provisional``.
    @usableFromInline
    func settle(_ activation: Activation, _ failure: ResolutionError?) {
        guard let claimed else { return }
        let session = activation.session
        if failure == nil, session.pointee.hasProvisional,
            session.pointee.provisional.contains(where: { $0.kept.place === claimed })
        {
            return
        }
        activation.context._withUnsafeGuaranteedRef { $0.coordinator }?.settle(claimed, by: session.id, failure)
    }
}

/// Asks for what there is for a request, and where threads share the container claims the place when there is nothing.
@usableFromInline
func lookUp(_ activation: Activation) throws(ResolutionError) -> LookUp {
    let context = activation.context.takeUnretainedValue()
    guard let coordinator = context.coordinator, activation.flags.contains(.shared) else {
        return LookUp(found: find(activation), claimed: nil)
    }
    let session = activation.session
    let entry = activation.entry.takeUnretainedValue()
    let place = context.place(of: entry)
    if place.isClaimed(by: session) { return LookUp(found: find(activation, in: place), claimed: nil) }
    while true {
        if let found = findFinished(activation, in: place) { return LookUp(found: found, claimed: nil) }
        let claim: PlaceClaim
        do throws(ResolutionError) {
            claim = try coordinator.claim(place, for: entry.key, by: session.id, in: context)
        } catch {
            Session.finishIfIdle(session)
            throw error
        }
        switch claim {
        case .lookAgain: continue
        case .build:
            // It may have been finished between the look and the claim.
            if let found = findFinished(activation, in: place) {
                coordinator.settle(place, by: session.id, nil)
                return LookUp(found: found, claimed: nil)
            }
            return LookUp(found: .nothing, claimed: place)
        case .borrow:
            Session.noteBorrowingElsewhere(session)
            let found = find(activation, in: place)
            if case .nothing = found {
                // It was reset meanwhile.
                place.noteUnfinished(false)
                continue
            }
            return LookUp(found: found, claimed: nil)
        case .never(let report, let building):
            let error = Session.failForEver(session, report, for: entry.key, building: building, in: context)
            Session.finishIfIdle(session)
            throw error
        }
    }
}

/// What a place has that is finished, if it has.
private func findFinished(_ activation: Activation, in place: StoragePlace) -> Found? {
    let session = activation.session
    if let cell = place.cell {
        if let box = cell.finishedBox(session) { return Found(box) }
        // What was put in from outside and is no instance of the service.
        guard let box = cell.box(session) as? ForeignBox else { return nil }
        return Found(box)
    }
    let identifier = Session.identifier(session)
    // Asked inside: who builds says so before the instance is stored.
    let instance = place.withStorage(session) { storage in
        place.isBeingBuilt(elsewhereThan: session) ? nil : storage.instance(inGraph: identifier)
    }
    guard let instance else { return nil }
    Session.noteBorrowing(session, of: activation.key)
    return .value(instance)
}

/// Waits in the outermost request for what it has borrowed from other threads.
@usableFromInline
func waitIfOutermost(_ frame: UnsafeMutablePointer<Frame>, _ activation: Activation) throws(ResolutionError) {
    guard frame.pointee.status.contains(.borrowingElsewhere), frame.pointee.parent == nil else { return }
    let context = activation.context.takeUnretainedValue()
    try context.threads?.waitForBorrowed(by: activation.session.id, in: context)
}

extension UnsafeMutablePointer<Session> {
    var id: ResolutionSession.ID { ResolutionSession.ID(bits: UInt(bitPattern: self)) }
}

extension Session.Provisional {
    /// Makes the instance known, or takes it out, and ends the claim on its place.
    func end(_ session: UnsafeMutablePointer<Session>, _ failure: ResolutionError?) {
        if failure == nil {
            kept.publish()
        } else {
            kept.revoke(RecordKey(entry: entry.id, context: context.id), session)
        }
        if let place = kept.place { context.coordinator?.settle(place, by: session.id, failure) }
    }
}

extension Session {
    /// The failure of a request for which threads wait for each other, shared by every frame back to the one that builds
    /// what the others want.
    static func failForEver(
        _ session: UnsafeMutablePointer<Session>,
        _ report: WaitReport,
        for key: ServiceKey,
        building place: StoragePlace,
        in context: ResolutionContext
    ) -> ResolutionError {
        let error = context.failure(.crossThreadCycle, key: key, detail: "\(report)")
        doom(session, error, backTo: place)
        return error
    }

    /// Marks all that is running as holding an instance whose callbacks another thread is running.
    static func noteBorrowingElsewhere(_ session: UnsafeMutablePointer<Session>) {
        var outermost: UnsafeMutablePointer<Frame>?
        var next = session.pointee.top
        while let frame = next {
            frame.pointee.status.insert(.borrowingElsewhere)
            outermost = frame
            next = frame.pointee.parent
        }
        guard let top = session.pointee.top, let outermost, top != outermost else { return }
        top.pointee.borrow(from: outermost)
    }

    /// The outermost frame has failed: what depends on the instances of other threads is not to be waited for.
    static func forgetBorrowed(
        _ session: UnsafeMutablePointer<Session>,
        of frame: UnsafeMutablePointer<Frame>,
        _ failure: ResolutionError
    ) {
        let revoked = session.pointee.provisional.filter { $0.root == frame }
        session.pointee.provisional.removeAll { $0.root == frame }
        session.pointee.hasProvisional = !session.pointee.provisional.isEmpty
        for provisional in revoked { provisional.end(session, failure) }
        frame.pointee.context._withUnsafeGuaranteedRef { $0.threads }?.forgetBorrowed(by: session.id)
    }
}
