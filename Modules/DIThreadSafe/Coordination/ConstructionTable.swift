/// What a session that waits for another one's construction can be given.
package enum ClaimTerms: Hashable {
    /// An unfinished instance: the session waits for the rest before it returns anything.
    case unfinished
    /// A finished instance alone.
    case finished
    /// The same, for a request inside of another one that is no part of it: in a wait cycle without an end it is the one that
    /// fails.
    case finishedAside
}

/// The coordination of threads as a value: which session builds which slot, which session waits, and what was lent
/// unfinished.
///
/// A session is one thread, a slot is a place for one shared instance. The table has no threads, no lock and no user code:
/// each operation is one step that leaves the invariants of ``checkInvariants()`` in force, and ``Coordinator`` calls it
/// inside a lock. A session that has to sleep is woken by a ``Decision``, made in the same step that ends the reason for
/// its sleep. So a wait edge exists exactly while its session sleeps and its cause goes on, and wait cycles are searched
/// over edges that exist.
package struct ConstructionTable<Session: Hashable, Slot: Hashable, Label, Failure> {
    /// An instance that a session builds, from the claim of its slot until the claim is settled.
    struct Construction {
        let builder: Session
        let label: Label

        /// Later ones have greater numbers; no number is used twice.
        let number: UInt

        /// The unfinished instance that is in the slot.
        var stored: UInt?

        /// Whether the slot was found empty although an instance was stored: it was reset, or its storage keeps nothing.
        var isEmptied = false

        /// Whether the instance is made, and the claim goes on because it depends on another one.
        var isProvisional = false
    }

    /// An instance from its being stored until it is published or revoked, in its slot or not.
    struct Unfinished {
        let slot: Slot
        let builder: Session
    }

    /// The reason for which a session sleeps.
    enum Wait {
        /// The instance of a slot that another session builds. It can be borrowed unfinished only by a session that has
        /// a frame, which then waits for the rest before its outermost request returns.
        case construction(Slot, ClaimTerms)

        /// The outermost request is complete but for the instances that were lent to it.
        case loans
    }

    /// The end of a sleep.
    package enum Decision {
        /// The construction has finished, or was published: look at the slot again.
        case lookAgain
        /// The construction has failed.
        case failed(Failure)
        /// The instance is stored and its builder waits for this session: take it unfinished.
        case borrow
        /// The sessions wait for each other and nothing is stored that one could borrow. `held` is the slot of this
        /// session for which another one in the cycle waits.
        case deadlock([Party], held: Slot)
        /// All that was lent is complete.
        case released
        /// Instances that were lent are revoked, since their constructions have failed. They are no loans any more.
        case loansFailed([FailedLoan])
    }

    package struct FailedLoan {
        package let slot: Slot
        /// The instance.
        package let number: UInt
        package let failure: Failure
    }

    /// One session in a report: the labels of its constructions, and of the one that it waits for.
    package struct Party {
        package let holds: [Label]
        package let wants: Label?
    }

    /// An unfinished instance that a session may use before its builder has finished it.
    struct Loan {
        let slot: Slot
        let builder: Session

        /// Whether the session has taken the instance out of the slot.
        var isTaken = false

        /// The failure of the construction, which becomes that of the session's outermost request.
        var failure: Failure?
    }

    /// A session that waits, that was lent something, or that has a decision to take.
    struct Waiter {
        var wait: Wait?
        var decision: Decision?

        /// By the number of the instance.
        var loans: [UInt: Loan] = [:]

        var isIdle: Bool { wait == nil && decision == nil && loans.isEmpty }
    }

    private(set) var constructions: [Slot: Construction] = [:]

    private(set) var unfinished: [UInt: Unfinished] = [:]
    private(set) var waiters: [Session: Waiter] = [:]
    private var lastNumber: UInt = 0

    /// A construction for which sessions have waited that pause.
    struct Watched {
        var watchers = 0
        var failure: Failure?
    }

    private var watched: [UInt: Watched] = [:]

    /// The failures of loans that are over.
    private var dropped: [Failure] = []

    /// The sessions that have been given a decision and may sleep.
    private var decided: [Session] = []

    package init() {}

    /// Whether nobody builds, waits or has a loan.
    package var isEmpty: Bool { constructions.isEmpty && unfinished.isEmpty && waiters.isEmpty }

    // MARK: Claims

    package enum Claim {
        /// The slot is the session's, to build in and to settle.
        case build
        /// The answer is known already.
        case decided(Decision)
        /// The session has to sleep until there is a decision.
        case wait
    }

    /// Claims a slot for a session, or makes the session wait for the one that has it. The session must not have it.
    package mutating func claim(_ slot: Slot, _ label: Label, by session: Session, terms: ClaimTerms) -> Claim {
        defer { assertInvariants() }
        guard let construction = constructions[slot] else {
            lastNumber += 1
            constructions[slot] = Construction(builder: session, label: label, number: lastNumber)
            return .build
        }
        if terms == .unfinished, let stored = construction.stored, waiters[session]?.loans[stored] != nil {
            return .decided(.borrow)
        }
        waiters[session, default: Waiter()].wait = .construction(slot, terms)
        breakCycles(through: session)
        return answer(for: session)
    }

    /// Records that the builder is about to put an unfinished instance into the slot, in place of what is there. Returns
    /// the number of the instance.
    package mutating func willStore(in slot: Slot, by session: Session) -> UInt {
        lastNumber += 1
        unfinished[lastNumber] = Unfinished(slot: slot, builder: session)
        if constructions[slot]?.builder == session { constructions[slot]?.stored = nil }
        assertInvariants()
        return lastNumber
    }

    /// Records that an unfinished instance is in its slot.
    package mutating func stored(_ number: UInt) {
        guard let instance = unfinished[number], constructions[instance.slot]?.builder == instance.builder else {
            return
        }
        constructions[instance.slot]?.stored = number
        constructions[instance.slot]?.isEmptied = false
        assertInvariants()
    }

    /// Records that the builder has made its instance, which depends on another one until the claim is settled.
    package mutating func provisional(_ slot: Slot, by session: Session) {
        guard constructions[slot]?.builder == session else { return }
        constructions[slot]?.isProvisional = true
        assertInvariants()
    }

    /// Records that the instance of an inner activation is finished and can be found, while the claim of the outer one
    /// goes on. The number is that under which it was stored unfinished, if it was.
    package mutating func published(_ number: UInt?, in slot: Slot, by session: Session) {
        defer { assertInvariants() }
        if let number { end(number, nil) }
        if constructions[slot]?.builder == session { endWaits(for: slot, nil) }
    }

    /// Records that an unfinished instance was taken out because of a failure, while the claim of its slot may go on.
    package mutating func revoked(_ number: UInt, _ failure: Failure) {
        end(number, failure)
        assertInvariants()
    }

    /// Ends the loans of an instance, which can be lent no more.
    private mutating func end(_ number: UInt, _ failure: Failure?) {
        guard let instance = unfinished.removeValue(forKey: number) else { return }
        if constructions[instance.slot]?.stored == number { constructions[instance.slot]?.stored = nil }
        endLoans(of: number, failure)
    }

    /// Ends the claim of a session on a slot, with the failure if there was one. Every wait for the construction ends here.
    ///
    /// - Parameter number: the number of the instance that was published, if it was stored unfinished.
    /// - Parameter isOwn: whether the failure is that of the service, whoever asks for it. Of one that has its cause in what
    ///   else the session builds, the waiting sessions are not told: they try for themselves.
    package mutating func settle(
        _ slot: Slot,
        by session: Session,
        with number: UInt? = nil,
        _ failure: Failure?,
        isOwn: Bool = true
    ) {
        defer { assertInvariants() }
        if let number { end(number, nil) }
        guard let construction = constructions[slot], construction.builder == session else { return }
        constructions[slot] = nil
        if let failure, isOwn { watched[construction.number]?.failure = failure }
        endWaits(for: slot, isOwn ? failure : nil)
    }

    /// Ends the waits for a construction.
    private mutating func endWaits(for slot: Slot, _ failure: Failure?) {
        for (session, waiter) in waiters {
            if case .construction(slot, _) = waiter.wait {
                decide(session, failure.map { .failed($0) } ?? .lookAgain)
            }
        }
    }

    /// Ends the loans of an instance.
    private mutating func endLoans(of number: UInt, _ failure: Failure?) {
        for (session, waiter) in waiters where waiter.loans[number] != nil {
            if let failure {
                waiters[session]?.loans[number]?.failure = failure
                if case .loans = waiter.wait { decideFailedLoans(of: session) }
            } else {
                waiters[session]?.loans[number] = nil
                forgetIfIdle(session)
            }
        }
        releaseArrived()
    }

    // MARK: Loans

    /// Ends the borrowing of an instance that the session has looked for in the slot. Returns its number if that is the one
    /// which was lent, and nil if it has come to an end meanwhile, or another one is being stored in its place.
    package mutating func borrowed(_ slot: Slot, by session: Session, wasFound: Bool) -> UInt? {
        defer { assertInvariants() }
        if let stored = constructions[slot]?.stored, waiters[session]?.loans[stored] != nil {
            if wasFound {
                waiters[session]?.loans[stored]?.isTaken = true
                return stored
            }
            constructions[slot]?.stored = nil
            constructions[slot]?.isEmptied = true
        }
        let unused = waiters[session]?.loans.filter { $0.value.slot == slot && !$0.value.isTaken } ?? [:]
        for number in unused.keys { waiters[session]?.loans[number] = nil }
        drop(unused.values)
        forgetIfIdle(session)
        return nil
    }

    private func hasArrived(_ session: Session) -> Bool {
        if case .loans = waiters[session]?.wait { true } else { false }
    }

    /// The outermost request of a session is complete. It may return when all that it was lent is complete: at once, or
    /// after a sleep.
    ///
    /// Called again after a decision other than ``Decision/released``.
    package mutating func arrive(_ session: Session) -> Claim {
        defer { assertInvariants() }
        guard let loans = waiters[session]?.loans, !loans.isEmpty else { return .decided(.released) }
        if loans.values.contains(where: { $0.failure != nil }) {
            decideFailedLoans(of: session)
        } else {
            waiters[session]?.wait = .loans
            releaseArrived()
        }
        if waiters[session]?.wait != nil { breakCycles(through: session) }
        return answer(for: session)
    }

    private mutating func decideFailedLoans(of session: Session) {
        var failed: [FailedLoan] = []
        for (number, loan) in waiters[session]?.loans.sorted(by: { $0.key < $1.key }) ?? [] {
            guard let failure = loan.failure else { continue }
            failed.append(FailedLoan(slot: loan.slot, number: number, failure: failure))
            waiters[session]?.loans[number] = nil
        }
        decide(session, .loansFailed(failed))
    }

    /// The outermost request of a session is over, and so are its loans.
    package mutating func leave(_ session: Session) {
        if let waiter = waiters.removeValue(forKey: session) { drop(waiter.loans.values) }
        assertInvariants()
    }

    /// The failures that nobody is told of. They are released by the caller, outside of its lock: an error is a user's.
    package mutating func takeDropped() -> [Failure] {
        defer { dropped = [] }
        return dropped
    }

    private mutating func drop(_ loans: some Collection<Loan>) {
        dropped += loans.compactMap(\.failure)
    }

    /// Lets all sessions go that have arrived and borrowed from sessions that have arrived alone.
    private mutating func releaseArrived() {
        var arrived = waiters.filter { hasArrived($0.key) }
        while true {
            let stuck = arrived.filter { _, waiter in
                waiter.loans.values.contains { arrived[$0.builder] == nil }
            }
            if stuck.isEmpty { break }
            for session in stuck.keys { arrived[session] = nil }
        }
        for session in arrived.keys {
            waiters[session]?.loans = [:]
            decide(session, .released)
        }
    }

    // MARK: Sleeping

    /// Whether there is a decision for a session.
    package func hasDecision(for session: Session) -> Bool { waiters[session]?.decision != nil }

    /// The decision for a session, which ends its sleep. Nil while it has to sleep on.
    package mutating func takeDecision(of session: Session) -> Decision? {
        guard let decision = waiters[session]?.decision else { return nil }
        waiters[session]?.decision = nil
        forgetIfIdle(session)
        return decision
    }

    /// Ends the wait of a session that does not want to sleep on. It keeps its loans.
    package mutating func stopWaiting(_ session: Session) {
        waiters[session]?.wait = nil
        forgetIfIdle(session)
        assertInvariants()
    }

    /// Ends the wait of a session for a while. Returns the number of the construction that it waited for, whose failure
    /// ``resume(_:)`` then gives.
    package mutating func pause(_ session: Session) -> UInt? {
        defer { stopWaiting(session) }
        guard case .construction(let slot, _) = waiters[session]?.wait, let construction = constructions[slot]
        else { return nil }
        watched[construction.number, default: Watched()].watchers += 1
        return construction.number
    }

    /// The failure of a construction for which a session waited before it paused; nil when it goes on or has succeeded.
    package mutating func resume(_ number: UInt) -> Failure? {
        guard let known = watched[number] else { return nil }
        if known.watchers == 1 { watched[number] = nil } else { watched[number]?.watchers -= 1 }
        return known.failure
    }

    /// The sessions that have been given a decision since this was last asked.
    package mutating func takeDecided() -> [Session] {
        defer { decided = [] }
        return decided
    }

    private mutating func decide(_ session: Session, _ decision: Decision) {
        waiters[session]?.wait = nil
        waiters[session]?.decision = decision
        decided.append(session)
    }

    private mutating func answer(for session: Session) -> Claim {
        takeDecision(of: session).map { .decided($0) } ?? .wait
    }

    private mutating func forgetIfIdle(_ session: Session) {
        if waiters[session]?.isIdle == true { waiters[session] = nil }
    }

    // MARK: Wait cycles

    /// Breaks each wait cycle through a session that has begun to wait: one session of it borrows the instance that it
    /// waits for, if one is stored; otherwise all of them are told of the deadlock.
    private mutating func breakCycles(through session: Session) {
        while let cycle = waitCycle(through: session) {
            if let borrower = cycle.first(where: { canBorrow($0) }) {
                lend(borrower.awaits, to: borrower.session)
            } else if let slot = cycle.lazy.map(\.awaits).first(where: { isGone($0) }) {
                detach(slot)
            } else {
                decideDeadlock(cycle)
            }
        }
    }

    private mutating func lend(_ slot: Slot, to session: Session) {
        guard let construction = constructions[slot], let stored = construction.stored else { return }
        if waiters[session]?.loans[stored] == nil {
            waiters[session]?.loans[stored] = Loan(slot: slot, builder: construction.builder)
        }
        decide(session, .borrow)
    }

    /// Frees a slot whose instance is made and is there no more. Who was lent it waits for its builder all the same.
    private mutating func detach(_ slot: Slot) {
        constructions[slot] = nil
        endWaits(for: slot, nil)
    }

    private func canBorrow(_ link: WaitLink<Session, Slot>) -> Bool {
        guard case .construction(let slot, .unfinished) = waiters[link.session]?.wait else { return false }
        return constructions[slot]?.stored != nil
    }

    /// Whether the instance of a slot is made and is there no more, so that nobody needs the claim of its builder.
    private func isGone(_ slot: Slot) -> Bool {
        guard let construction = constructions[slot] else { return false }
        return construction.isEmptied && construction.isProvisional
    }

    /// Tells the sessions of a wait cycle that it has no end; those alone that ask aside, if there are any.
    private mutating func decideDeadlock(_ cycle: [WaitLink<Session, Slot>]) {
        let parties = cycle.map { party($0.session) }
        func isAside(_ link: WaitLink<Session, Slot>) -> Bool {
            if case .construction(_, .finishedAside) = waiters[link.session]?.wait { true } else { false }
        }
        let hasAside = cycle.contains(where: isAside)
        for (index, link) in cycle.enumerated() where !hasAside || isAside(link) {
            // A session that has arrived builds nothing more; its fate is that of its loans.
            guard case .construction = waiters[link.session]?.wait else { continue }
            let held = cycle[index == 0 ? cycle.count - 1 : index - 1].awaits
            decide(link.session, .deadlock(Array(parties[index...] + parties[..<index]), held: held))
        }
    }

    /// What a session sleeps for, and who builds that.
    func awaited(by session: Session) -> [(slot: Slot, builder: Session)] {
        guard let waiter = waiters[session] else { return [] }
        switch waiter.wait {
        case .construction(let slot, _): return constructions[slot].map { [(slot, $0.builder)] } ?? []
        case .loans: return waiter.loans.sorted { $0.key < $1.key }.map { ($0.value.slot, $0.value.builder) }
        case nil: return []
        }
    }

    // MARK: Reports

    /// A session and those that it waits for, directly or through others, each for the next.
    package func report(of session: Session) -> [Party] {
        var parties = [party(session)]
        var seen: Set = [session]
        var next = awaited(by: session).first
        while let construction = next, seen.insert(construction.builder).inserted {
            parties.append(party(construction.builder))
            next = awaited(by: construction.builder).first
        }
        return parties
    }

    private func party(_ session: Session) -> Party {
        let held = constructions.values.filter { $0.builder == session }.sorted { $0.number < $1.number }
        let wanted = awaited(by: session).first.flatMap { constructions[$0.slot] }
        return Party(holds: held.map(\.label), wants: wanted?.label)
    }
}

// A state can be told from another one, for the exploration of all of them.
extension ConstructionTable: Equatable where Label: Equatable, Failure: Equatable {}
extension ConstructionTable: Hashable where Label: Hashable, Failure: Hashable {}
extension ConstructionTable.Construction: Equatable where Label: Equatable {}
extension ConstructionTable.Construction: Hashable where Label: Hashable {}
extension ConstructionTable.Unfinished: Hashable {}
extension ConstructionTable.Wait: Hashable {}
extension ConstructionTable.Decision: Equatable where Label: Equatable, Failure: Equatable {}
extension ConstructionTable.Decision: Hashable where Label: Hashable, Failure: Hashable {}
extension ConstructionTable.FailedLoan: Equatable where Failure: Equatable {}
extension ConstructionTable.FailedLoan: Hashable where Failure: Hashable {}
extension ConstructionTable.Party: Equatable where Label: Equatable {}
extension ConstructionTable.Party: Hashable where Label: Hashable {}
extension ConstructionTable.Loan: Equatable where Failure: Equatable {}
extension ConstructionTable.Loan: Hashable where Failure: Hashable {}
extension ConstructionTable.Waiter: Equatable where Label: Equatable, Failure: Equatable {}
extension ConstructionTable.Waiter: Hashable where Label: Hashable, Failure: Hashable {}
extension ConstructionTable.Watched: Equatable where Failure: Equatable {}
extension ConstructionTable.Watched: Hashable where Failure: Hashable {}
