import DICore
import DITestSupport

/// Is told of threads that wait, and lets a test go on when one does: the order of events without looking at a clock.
final class WaitWatcher: ResolutionObserver, Sendable {
    let interests: ResolutionInterests = .failures

    /// Opens when a thread waits for an instance that another one builds.
    let isWaiting = Gate()
    let reports = Journal<WaitReport>()
    let failures = Journal<ResolutionError>()

    private let whenWaiting: @Sendable (ResolutionEvent) -> Void

    init(whenWaiting: @escaping @Sendable (ResolutionEvent) -> Void = { _ in }) {
        self.whenWaiting = whenWaiting
    }

    func observe(_ event: ResolutionEvent) {
        switch event.kind {
        case .waiting(let report):
            reports.add(report)
            whenWaiting(event)
            isWaiting.open()
        case .failed(let error): failures.add(error)
        default: break
        }
    }
}
