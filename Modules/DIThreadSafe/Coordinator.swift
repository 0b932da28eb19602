internal import DICore

/// Decides which thread builds a shared instance, and lets the others wait for that very one.
///
/// There is one table for all containers of the process, behind one lock that is held for a few steps and never while
/// code of a user runs, and it is asked only when something is not built yet. A thread that is about to wait follows the
/// chain of who builds what it wants and what that one waits for. When the chain leads back to it, somebody on it is given
/// what it wants as it is, where it is stored and only its callbacks are missing; where nothing is stored, nobody could
/// ever go on, which is an error.
final class Coordinator: ThreadCoordinator {
    /// After how long a wait is told to observers; nil for never.
    let warning: Duration?
    /// After how long a wait fails; nil for never.
    let limit: Duration?

    init(warning: Duration?, limit: Duration?) {
        self.warning = warning
        self.limit = limit
    }

    var session: ResolutionSession { ThreadSessions.current }

    func claim(
        _ place: StoragePlace,
        for key: ServiceKey,
        by session: ResolutionSession.ID,
        in context: ResolutionContext
    ) throws(ResolutionError) -> PlaceClaim {
        Traffic.shared.room.lock()
        guard let wanted = Traffic.shared.construction(at: place) else {
            Traffic.shared.begin(place, key, by: session)
            Traffic.shared.room.unlock()
            return .build
        }
        let waiter = Traffic.shared.waiter(of: session)
        waiter.wants = wanted
        let ending = wait(waiter, for: key, in: context) { () -> Ending<PlaceClaim>? in
            // First: by now the others of the loop may have failed for the same reason.
            if let deadlock = waiter.deadlock { return .success(.never(deadlock.report, building: deadlock.held)) }
            switch wanted.outcome {
            case .finished: return .success(.lookAgain)
            case .failed(let error): return .failed(error)
            case nil: break
            }
            if waiter.mayBorrow {
                waiter.borrowed.append(wanted)
                return .success(.borrow)
            }
            return nil
        }
        waiter.wants = nil
        waiter.mayBorrow = false
        waiter.deadlock = nil
        Traffic.shared.leave(waiter)
        Traffic.shared.room.unlock()
        return try ending.get(key, context)
    }

    func settle(_ place: StoragePlace, by session: ResolutionSession.ID, _ failure: ResolutionError?) {
        // Held until after the lock: the construction may hold the last reference to the place.
        let construction = Traffic.shared.locked { traffic in
            traffic.end(place, by: session, failure.map { .failed($0) } ?? .finished)
        }
        withExtendedLifetime(construction) {}
    }

    func waitForBorrowed(by session: ResolutionSession.ID, in context: ResolutionContext) throws(ResolutionError) {
        Traffic.shared.room.lock()
        let waiter = Traffic.shared.waiter(of: session)
        guard let key = waiter.borrowed.first?.key else {
            Traffic.shared.leave(waiter)
            return Traffic.shared.room.unlock()
        }
        waiter.hasArrived = true
        let ending = wait(waiter, for: key, in: context) { () -> Ending<Void>? in
            for construction in waiter.borrowed {
                if case .failed(let error) = construction.outcome { return .failed(error) }
            }
            Traffic.shared.releaseAll(with: waiter)
            if waiter.isReleased { return .success(()) }
            return waiter.deadlock.map { .deadlock($0.report) }
        }
        let borrowed = Traffic.shared.forget(waiter)
        Traffic.shared.room.unlock()
        withExtendedLifetime(borrowed) {}
        try ending.get(key, context)
    }

    func forgetBorrowed(by session: ResolutionSession.ID) {
        let borrowed = Traffic.shared.locked { $0.forget($0.waiter(of: session)) }
        withExtendedLifetime(borrowed) {}
    }

    // MARK: Waiting

    private enum Ending<Success> {
        case success(Success)
        case failed(ResolutionError)
        case deadlock(WaitReport)
        case tooLong(WaitReport)

        func get(_ key: ServiceKey, _ context: ResolutionContext) throws(ResolutionError) -> Success {
            switch self {
            case .success(let success): return success
            case .failed(let error): throw error
            case .deadlock(let report):
                throw context.failure(.crossThreadCycle, key: key, detail: "\(report)")
            case .tooLong(let report):
                throw context.failure(.waitLimitExceeded, key: key, detail: "\(report)")
            }
        }
    }

    /// Tells observers of a wait. They are a user's, and may resolve: the waiter does not wait meanwhile, and what it is
    /// used for by a request of theirs is undone.
    private func report(_ waiter: Waiter, for key: ServiceKey, in context: ResolutionContext) {
        let report = Traffic.shared.report(of: waiter)
        let (wants, hasArrived) = (waiter.wants, waiter.hasArrived)
        waiter.wants = nil
        waiter.hasArrived = false
        Traffic.shared.room.unlock()
        context.report(report, for: key)
        Traffic.shared.room.lock()
        Traffic.shared.comeBack(waiter)
        waiter.wants = wants
        waiter.hasArrived = hasArrived
    }

    /// Sleeps until the condition gives an ending. Inside the lock, which is free meanwhile.
    private func wait<Success>(
        _ waiter: Waiter,
        for key: ServiceKey,
        in context: ResolutionContext,
        until ending: () -> Ending<Success>?
    ) -> Ending<Success> {
        let start = ContinuousClock.now
        var warning = warning
        while true {
            if let ending = ending() { return ending }
            Traffic.shared.resolveLoops(of: waiter)
            if let ending = ending() { return ending }
            let time = start.duration(to: .now)
            if let limit, time >= limit { return .tooLong(Traffic.shared.report(of: waiter)) }
            if let due = warning, time >= due {
                warning = nil
                report(waiter, for: key, in: context)
                continue
            }
            let next = [warning, limit].compactMap { $0 }.min()
            waiter.bed.sleep(for: next.map { $0 - time })
        }
    }
}
