// Unsafe: entries and contexts are passed on without being retained; see `Build+Care.swift`.

// What the resolution does where several threads use a container: an instance that they share is built by the one that
// has claimed its place, and an entry that is being looked at is not freed.

internal import Synchronization

/// Keeps the entry of a request that needs care from being freed, and lets in one thread at a time where there is a gate.
@usableFromInline
struct CarefulHold {
    private let located: UnsafeLocatedEntry
    private let gate: (any SessionGate)?
    private let outside: Unmanaged<StoragePlace>?
    private let isKept: Bool

    @usableFromInline
    init(_ located: UnsafeLocatedEntry) {
        self.located = located
        isKept = located.unmanagedEntry._withUnsafeGuaranteedRef { $0.flags.contains(.shared) }
        if isKept { located.session.pointee.keptRequests += 1 }
        gate = located.context._withUnsafeGuaranteedRef { $0.gate }
        outside = StoragePlace.stepOut(located.session)
        if located.isReading {
            pauseReader()
            // A frame would name the entry only when it is being built.
            holds.pointee.add(1)
            located.endReading()
        }
        guard let gate else { return }
        gate.enter()
        gate.willBuild(located.unmanagedEntry.takeUnretainedValue())
    }

    @usableFromInline
    func end() {
        if isKept { located.session.pointee.keptRequests -= 1 }
        gate?.leave()
        StoragePlace.stepIn(located.session, outside)
        guard located.isReading else { return }
        holds.pointee.subtract(1)
        guard located.session.pointee.top == nil else { return }
        // What was replaced meanwhile could not be let go of while this one held it.
        Session.outermostEnds()
        Reclamation.drain()
    }

    private var holds: UnsafeMutablePointer<Atomic<UInt32>> {
        Session.holds(located.session, of: located.unmanagedEntry._withUnsafeGuaranteedRef { $0.id })
    }
}

/// What there is for a request, and where its instance is kept.
struct LookUp {
    let found: Found
    let place: StoragePlace?

    /// The request with its place, and whether it has claimed that. From here on it goes by this place alone.
    let activation: Activation

    fileprivate init(_ activation: Activation, _ found: Found, _ place: StoragePlace?, isClaimed: Bool = false) {
        self.found = found
        self.place = place
        self.activation = Activation(
            entry: activation.entry,
            flags: activation.flags,
            context: activation.context,
            session: activation.session,
            place: place.map { Unmanaged.passUnretained($0) },
            status: activation.status.union(isClaimed ? .claimed : []),
            isReading: activation.isReading
        )
    }
}

/// Asks for what there is for a request, and where threads share the container claims the place when there is nothing.
func lookUp(_ activation: Activation) throws(ResolutionError) -> LookUp {
    guard activation.flags.contains(.shared) else { return LookUp(activation, find(activation), nil) }
    let session = activation.session
    let context = activation.context.takeUnretainedValue()
    let entry = activation.entry.takeUnretainedValue()
    // An entry that was replaced has no place any more but that of the activations that are running.
    let running = entry.flags.contains(.retired) ? Session.place(session, of: activation.key) : nil
    let place = running ?? context.place(of: entry)
    // A claim is the outermost activation's; what is inside of that finds what it and others inside of it have stored.
    guard let coordinator = context.coordinator, !place.isClaimed(by: session) else {
        return LookUp(activation, find(activation, in: place), place)
    }
    while true {
        if let found = findFinished(activation, in: place) { return LookUp(activation, found, place) }
        let claim: PlaceClaim
        do throws(ResolutionError) {
            claim = try coordinator.claim(
                place,
                for: entry.key,
                by: session.id,
                terms: session.pointee.waitTerms,
                in: context
            )
        } catch {
            Session.finishIfIdle(session)
            throw error
        }
        switch claim {
        case .lookAgain: continue
        case .build:
            place.setBuilder(session)
            // It may have been finished between the look and the claim.
            if let found = findFinished(activation, in: place) {
                place.endClaim(session, context, nil)
                return LookUp(activation, found, place)
            }
            return LookUp(activation, .nothing, place, isClaimed: true)
        case .borrow:
            let found = findUnfinished(activation, in: place)
            guard let instance = coordinator.borrowed(place, by: session.id, wasFound: !found.isNothing)
            else { continue }
            Session.noteBorrowingElsewhere(session, of: instance, from: context)
            return LookUp(activation, found, place)
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

/// What a place has, finished or not.
private func findUnfinished(_ activation: Activation, in place: StoragePlace) -> Found {
    let session = activation.session
    if let cell = place.cell { return cell.box(session).map { Found($0) } ?? .nothing }
    let identifier = Session.identifier(session)
    return place.withStorage(session) { $0.instance(inGraph: identifier) }.map { .value($0) } ?? .nothing
}

extension StoragePlace {
    /// Ends the session's claim of the place, with the instance that was published if it was stored unfinished.
    func endClaim(
        _ session: UnsafeMutablePointer<Session>,
        _ context: ResolutionContext,
        with instance: UnfinishedInstance? = nil,
        _ failure: ResolutionError?,
        isOwn: Bool = true
    ) {
        clearBuilder(session)
        context.coordinator?.settle(self, by: session.id, with: instance, failure, isOwn: isOwn)
    }
}

extension UnsafeMutablePointer<Session> {
    var id: ResolutionSession.ID { ResolutionSession.ID(bits: UInt(bitPattern: self)) }
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

    /// The place of the innermost running activation of an entry for a container.
    static func place(_ session: UnsafeMutablePointer<Session>, of key: RecordKey) -> StoragePlace? {
        var next = session.pointee.top
        while let frame = next {
            if frame.pointee.key == key { return frame.pointee.place?.takeUnretainedValue() }
            next = frame.pointee.parent
        }
        return nil
    }

    /// Notes that the innermost frame was given an instance of a context whose callbacks another thread is running.
    static func noteBorrowingElsewhere(
        _ session: UnsafeMutablePointer<Session>,
        of instance: UnfinishedInstance,
        from context: ResolutionContext
    ) {
        guard let top = session.pointee.top else { return }
        var outermost = top
        while let parent = outermost.pointee.parent { outermost = parent }
        if !session.pointee.lenders.contains(where: { $0.coordinator === context.coordinator }) {
            session.pointee.lenders.append(context)
        }
        session.pointee.loans.append(Loan(instance: instance, frame: top))
        top.pointee.status.insert(.borrowingElsewhere)
        outermost.pointee.status.insert(.awaitingLoans)
    }
}
