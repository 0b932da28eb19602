internal import DICore

/// Decides which thread builds a shared instance, and lets the others wait for that very one.
///
/// A thin shell: what is decided is decided by the ``ConstructionTable``, inside one lock for all containers of the
/// process that is held for one step and never while user code runs. The table is asked only for what is not built yet.
final class Coordinator: ThreadCoordinator {
    private typealias Table = SharedTable.Table

    /// After how long a wait is reported to observers; nil for never.
    let warning: Duration?
    /// After how long a wait fails; nil for never.
    let limit: Duration?

    init(warning: Duration?, limit: Duration?) {
        self.warning = warning
        self.limit = limit
    }

    func claim(
        _ slot: StoragePlace,
        for key: ServiceKey,
        by session: ResolutionSession.ID,
        terms: WaitTerms,
        in context: ResolutionContext
    ) throws(ResolutionError) -> PlaceClaim {
        let decision = try outcome(for: session, key, context) {
            $0.claim(SharedTable.Slot(place: slot), key, by: session, terms: ClaimTerms(terms))
        }
        switch decision {
        case nil: return .build
        case .lookAgain, .released, .loansFailed: return .lookAgain
        case .borrow: return .borrow
        case .failed(let error): throw error
        case .deadlock(let parties, let held): return .never(WaitReport(parties), building: held.place)
        }
    }

    func willStore(in slot: StoragePlace, by session: ResolutionSession.ID) -> UnfinishedInstance {
        let number = SharedTable.step { $0.willStore(in: SharedTable.Slot(place: slot), by: session) }
        return UnfinishedInstance(in: slot, number: number)
    }

    func stored(_ instance: UnfinishedInstance) {
        SharedTable.step { $0.stored(instance.number) }
    }

    func provisional(_ slot: StoragePlace, by session: ResolutionSession.ID) {
        SharedTable.step { $0.provisional(SharedTable.Slot(place: slot), by: session) }
    }

    func published(_ instance: UnfinishedInstance?, in slot: StoragePlace, by session: ResolutionSession.ID) {
        SharedTable.step { $0.published(instance?.number, in: SharedTable.Slot(place: slot), by: session) }
    }

    func revoked(_ instance: UnfinishedInstance, _ failure: ResolutionError) {
        SharedTable.step { $0.revoked(instance.number, failure) }
    }

    func settle(
        _ slot: StoragePlace,
        by session: ResolutionSession.ID,
        with instance: UnfinishedInstance?,
        _ failure: ResolutionError?,
        isOwn: Bool
    ) {
        SharedTable.step {
            $0.settle(SharedTable.Slot(place: slot), by: session, with: instance?.number, failure, isOwn: isOwn)
        }
    }

    func borrowed(
        _ slot: StoragePlace,
        by session: ResolutionSession.ID,
        wasFound: Bool
    ) -> UnfinishedInstance? {
        SharedTable.step { $0.borrowed(SharedTable.Slot(place: slot), by: session, wasFound: wasFound) }
            .map { UnfinishedInstance(in: slot, number: $0) }
    }

    func waitForBorrowed(
        by session: ResolutionSession.ID,
        for key: ServiceKey,
        in context: ResolutionContext
    ) throws(ResolutionError) -> [FailedLoan] {
        let decision = try outcome(for: session, key, context) { $0.arrive(session) }
        guard case .loansFailed(let failed) = decision else { return [] }
        return failed.map {
            FailedLoan(of: UnfinishedInstance(in: $0.slot.place, number: $0.number), error: $0.failure)
        }
    }

    func forgetBorrowed(by session: ResolutionSession.ID) {
        SharedTable.step { $0.leave(session) }
    }

    // MARK: Waiting

    /// The end of a sleep that took too long.
    private enum Pause {
        case decided(Table.Decision)
        case paused(WaitReport, UInt?)

        init(_ table: inout Table, _ session: ResolutionSession.ID) {
            let report = WaitReport(table.report(of: session))
            self = .paused(report, table.pause(session))
        }
    }

    /// Carries out a step that may make the session sleep, and sleeps until there is a decision; nil for a claim that was
    /// granted.
    private func outcome(
        for session: ResolutionSession.ID,
        _ key: ServiceKey,
        _ context: ResolutionContext,
        _ enter: (inout Table) -> Table.Claim
    ) throws(ResolutionError) -> Table.Decision? {
        let start = SuspendingClock.now
        var warning = warning
        var claim = SharedTable.step(enter)
        while true {
            switch claim {
            case .build: return nil
            case .decided(let decision): return decision
            case .wait: break
            }
            let due = [warning, limit].compactMap { $0 }.min()
            let decision = SharedTable.decision(for: session, within: due.map { $0 - start.duration(to: .now) })
            if let decision { return decision }
            let time = start.duration(to: .now)
            guard let due, time >= due else { continue }
            // Observers are user code and may resolve: the session does not wait meanwhile.
            let pause = SharedTable.step { $0.takeDecision(of: session).map(Pause.decided) ?? Pause(&$0, session) }
            switch pause {
            case .decided(let decision): return decision
            case .paused(let report, let number):
                let isOver = limit.map { time >= $0 } ?? false
                if !isOver {
                    warning = nil
                    context.report(report, for: key)
                }
                // In one step: it may fail between a look at it and another claim.
                let next = SharedTable.step { table -> Table.Claim? in
                    if let failure = number.flatMap({ table.resume($0) }) { return .decided(.failed(failure)) }
                    return isOver ? nil : enter(&table)
                }
                guard let next else { throw context.failure(.waitLimitExceeded, key: key, detail: "\(report)") }
                claim = next
            }
        }
    }
}

extension ClaimTerms {
    fileprivate init(_ terms: WaitTerms) {
        self =
            switch terms {
            case .unfinished: .unfinished
            case .finished: .finished
            case .finishedAside: .finishedAside
            }
    }
}
