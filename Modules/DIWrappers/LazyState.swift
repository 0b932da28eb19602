internal import DICore
internal import Synchronization

/// What the copies of a `Lazy` share: the instance, or how to get it and who is doing so.
// Unchecked: the phase is read and changed inside the gate, or by the one thread that has the turn; once it is opened it
// is read alone.
final class LazyState<Service>: @unchecked Sendable {
    private enum Phase {
        case unopened(InstanceProvider<Service>)
        /// The provider stays at hand in case that the attempt fails.
        case opening(InstanceProvider<Service>, by: ThreadIdentity)
        case opened(Service)
    }

    private let gate = ThreadGate()
    /// Where the container knows who waits for whom, threads wait there.
    private let turn: BuildTurn?
    private var phase: Phase
    private let hasOpened: Atomic<Bool>

    init(_ provider: InstanceProvider<Service>) {
        phase = .unopened(provider)
        hasOpened = Atomic(false)
        turn = provider.isForThreads ? BuildTurn() : nil
    }

    init(_ instance: Service) {
        phase = .opened(instance)
        hasOpened = Atomic(true)
        turn = nil
    }

    var isOpened: Bool { hasOpened.load(ordering: .acquiring) }

    func open() throws(ResolutionError) -> Service {
        // Nothing is written once this is true.
        if isOpened, case .opened(let instance) = phase { return instance }
        if let turn { return try open(inTurn: turn) }
        switch claim() {
        case .opened(let instance): return instance
        case .opening(let provider, by: _): throw provider.openedWhileBuilt
        case .unopened(let provider): return try build(with: provider)
        }
    }

    private func open(inTurn turn: BuildTurn) throws(ResolutionError) -> Service {
        let provider: InstanceProvider<Service>
        switch gate.withLock({ phase }) {
        case .opened(let instance): return instance
        case .opening(let known, by: _), .unopened(let known): provider = known
        }
        try provider.begin(turn)
        defer { provider.end(turn) }
        if case .opened(let instance) = gate.withLock({ phase }) { return instance }
        return try build(with: provider)
    }

    /// Waits while another thread builds. Gives `unopened` to the one that is to build, and `opening` to one that is
    /// building already.
    private func claim() -> Phase {
        gate.withLock {
            while true {
                switch phase {
                case .opened: return phase
                case .opening(_, by: let thread):
                    if thread == .current { return phase }
                    gate.wait()
                case .unopened(let provider):
                    phase = .opening(provider, by: .current)
                    return .unopened(provider)
                }
            }
        }
    }

    private func build(with provider: InstanceProvider<Service>) throws(ResolutionError) -> Service {
        provider.requireIsolation()
        do throws(ResolutionError) {
            let instance = try provider()
            settle(.opened(instance))
            return instance
        } catch {
            settle(.unopened(provider))
            throw error
        }
    }

    private func settle(_ settled: Phase) {
        // What the old phase held is released by the caller's copy, outside the lock.
        gate.withLock {
            phase = settled
            if case .opened = settled { hasOpened.store(true, ordering: .releasing) }
            gate.wakeAll()
        }
    }
}
