internal import DICore

/// Who builds what and who waits for whom, in the whole process.
// Unchecked: looked at and changed inside the lock of the room alone.
final class Traffic: @unchecked Sendable {
    static let shared = Traffic()

    let room = WaitingRoom()

    private var constructions: [ObjectIdentifier: Construction] = [:]
    private var begun: UInt = 0
    private var waiters: [ResolutionSession.ID: Waiter] = [:]

    func locked<Result>(_ body: (Traffic) -> Result) -> Result {
        room.lock()
        defer { room.unlock() }
        return body(self)
    }

    // MARK: Constructions

    func construction(at place: StoragePlace) -> Construction? { constructions[ObjectIdentifier(place)] }

    func begin(_ place: StoragePlace, _ key: ServiceKey, by session: ResolutionSession.ID) {
        begun += 1
        constructions[ObjectIdentifier(place)] = Construction(place, key, by: session, number: begun)
        place.setBuilder(session)
    }

    /// Ends a construction and wakes all that it concerns. Nil when the session has none there.
    func end(_ place: StoragePlace, by session: ResolutionSession.ID, _ outcome: Construction.Outcome) -> Construction?
    {
        guard let construction = constructions[ObjectIdentifier(place)], construction.builder == session else {
            return nil
        }
        constructions[ObjectIdentifier(place)] = nil
        place.setBuilder(nil)
        construction.outcome = outcome
        for waiter in waiters.values where waiter.wants === construction || waiter.hasArrived { waiter.bed.wake() }
        return construction
    }

    // MARK: Waiters

    func waiter(of session: ResolutionSession.ID) -> Waiter {
        if let waiter = waiters[session] { return waiter }
        let waiter = Waiter(session, room)
        waiters[session] = waiter
        return waiter
    }

    /// Makes a waiter known again that may have left meanwhile.
    func comeBack(_ waiter: Waiter) {
        waiters[waiter.session] = waiter
    }

    /// The waiter waits no longer. It stays known while it has borrowed something.
    func leave(_ waiter: Waiter) {
        if waiter.borrowed.isEmpty { waiters[waiter.session] = nil }
    }

    /// The outermost request of the waiter is over. Gives back what it had borrowed, to be released outside of the lock.
    func forget(_ waiter: Waiter) -> [Construction] {
        waiters[waiter.session] = nil
        return waiter.borrowed
    }

    // MARK: Loops

    /// One thread of a loop, and what it awaits of the next one.
    private struct Link {
        let waiter: Waiter
        let awaits: Construction
    }

    /// Breaks the loops of waiting threads that lead through a waiter, each by letting one of them take what it wants as
    /// it is. Where that is not possible all of them are told so.
    func resolveLoops(of waiter: Waiter) {
        while let loop = loop(from: waiter) {
            guard let lucky = loop.first(where: { $0.waiter.wants?.place.holdsUnfinished == true })?.waiter else {
                return tellDeadlock(of: loop)
            }
            lucky.mayBorrow = true
            // It waits no longer, also while it has not woken up yet.
            if lucky === waiter { return }
            lucky.wants = nil
            lucky.bed.wake()
        }
    }

    private func tellDeadlock(of loop: [Link]) {
        let parties = loop.map { party($0.waiter) }
        for index in loop.indices {
            let waiter = loop[index].waiter
            waiter.deadlock = Waiter.Deadlock(
                report: WaitReport(parties: Array(parties[index...] + parties[..<index])),
                held: loop[index == 0 ? loop.count - 1 : index - 1].awaits.place
            )
            waiter.bed.wake()
        }
        for link in loop { link.waiter.wants = nil }
    }

    /// A loop that leads from a waiter back to it, which comes first, and in which somebody wants something.
    ///
    /// One in which all have arrived is passed over: nobody in it waits for the others to build.
    private func loop(from start: Waiter) -> [Link]? {
        struct Visit: Hashable {
            let session: ResolutionSession.ID
            let isWanting: Bool
        }
        var seen: Set<Visit> = []
        func path(from waiter: Waiter, _ isWanting: Bool) -> [Link]? {
            let isWanting = isWanting || waiter.wants != nil
            for construction in waiter.awaited {
                let link = Link(waiter: waiter, awaits: construction)
                if construction.builder == start.session {
                    if isWanting { return [link] }
                    continue
                }
                guard let next = waiters[construction.builder],
                    seen.insert(Visit(session: next.session, isWanting: isWanting)).inserted,
                    let rest = path(from: next, isWanting)
                else { continue }
                return [link] + rest
            }
            return nil
        }
        return path(from: start, false)
    }

    // MARK: The end of borrowing

    /// Lets a waiter go, with all whose unfinished instances it has borrowed, if all of them have arrived and none is
    /// about to fail.
    func releaseAll(with waiter: Waiter) {
        var group: [Waiter] = [waiter]
        var index = 0
        while index < group.count {
            for construction in group[index].borrowed {
                switch construction.outcome {
                case .finished: continue
                // Who has borrowed it fails as well, as soon as it has woken up.
                case .failed: return
                case nil: break
                }
                guard let owner = waiters[construction.builder], owner.hasArrived else { return }
                if !group.contains(where: { $0 === owner }) { group.append(owner) }
            }
            index += 1
        }
        for waiter in group {
            waiter.isReleased = true
            waiter.bed.wake()
        }
    }

    // MARK: Reports

    /// What the threads hold and want that a waiter waits for, directly or through others.
    func report(of waiter: Waiter) -> WaitReport {
        var parties = [party(waiter)]
        var seen: Set<ResolutionSession.ID> = [waiter.session]
        var next = waiter.awaited.first
        while let construction = next, seen.insert(construction.builder).inserted {
            let owner = waiters[construction.builder]
            parties.append(WaitReport.Party(holds: holds(construction.builder), wants: owner?.awaited.first?.key))
            next = owner?.awaited.first
        }
        return WaitReport(parties: parties)
    }

    private func party(_ waiter: Waiter) -> WaitReport.Party {
        WaitReport.Party(holds: holds(waiter.session), wants: waiter.awaited.first?.key)
    }

    private func holds(_ session: ResolutionSession.ID) -> [ServiceKey] {
        constructions.values.filter { $0.builder == session }.sorted { $0.number < $1.number }.map(\.key)
    }
}
