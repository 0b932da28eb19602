import DICore
import Synchronization

/// Is told of what happens, and acts on one kind of event.
final class FuzzObserver: ResolutionObserver, Sendable {
    private let plan: FuzzProgram.ObserverPlan
    private let round: FuzzRound

    init(_ plan: FuzzProgram.ObserverPlan, _ round: FuzzRound) {
        self.plan = plan
        self.round = round
    }

    var interests: ResolutionInterests { .all }

    func observe(_ event: ResolutionEvent) {
        guard isMeant(event.kind) else { return }
        guard case .waiting = event.kind else { return round.perform(plan.action, inBudget: true) }
        // The request that waits may be complete but for what it was lent.
        FuzzWorker.current.whileWaiting { round.perform(plan.action, inBudget: true) }
    }

    private func isMeant(_ kind: ResolutionEvent.Kind) -> Bool {
        switch (plan.event, kind) {
        case (.began, .began), (.created, .created), (.reused, .reused), (.aborted, .aborted), (.reset, .scopeReset),
            (.registered, .registered), (.registered, .replaced), (.waiting, .waiting):
            true
        default: false
        }
    }
}
