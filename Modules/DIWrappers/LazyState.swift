// Unsafe: the instance lies in memory of its own, which is written once, before `hasOpened` says so, and freed with the
// state. As an optional it would have to be looked at through its type, which code that is not specialised pays for.

internal import DICore
internal import Synchronization

/// What the copies of a `Lazy` share: the instance, or how to get it and who is doing so.
// Unchecked: all that changes is read and changed inside the gate; the instance is constant once it is there.
final class LazyState<Service>: @unchecked Sendable {
    private let gate = ThreadGate()
    /// Where the container knows who waits for whom, threads wait there.
    private let turn: BuildTurn?
    private var phase: LazyPhase
    /// Stays at hand while an attempt is made, in case that it fails; nil once there is an instance.
    private var provider: InstanceProvider<Service>?
    private var opened: UnsafeMutablePointer<Service>?
    private let hasOpened: Atomic<Bool>

    init(_ provider: InstanceProvider<Service>) {
        self.provider = provider
        phase = .unopened
        hasOpened = Atomic(false)
        turn = provider.isForThreads ? BuildTurn() : nil
    }

    init(_ instance: Service) {
        opened = .allocate(capacity: 1)
        opened?.initialize(to: instance)
        phase = .opened
        hasOpened = Atomic(true)
        turn = nil
    }

    deinit {
        opened?.deinitialize(count: 1)
        opened?.deallocate()
    }

    var isOpened: Bool { hasOpened.load(ordering: .acquiring) }

    func open() throws(ResolutionError) -> Service {
        while true {
            // Nothing is written once this is true.
            if isOpened, let opened { return opened.pointee }
            guard let provider = gate.withLock({ provider }) else { continue }
            if let turn {
                try provider.begin(turn)
                defer { provider.end(turn) }
                if !isOpened { return try build(with: provider) }
            } else {
                switch claim() {
                case .opened: continue
                case .opening: throw provider.openedWhileBuilt
                case .unopened: return try build(with: provider)
                }
            }
        }
    }

    /// Waits while another thread builds. Gives `unopened` to the one that is to build, and `opening` to one that is
    /// building already.
    private func claim() -> LazyPhase {
        gate.withLock {
            while true {
                switch phase {
                case .opened: return phase
                case .opening(by: let thread):
                    if thread == .current { return phase }
                    gate.wait()
                case .unopened:
                    phase = .opening(by: .current)
                    return .unopened
                }
            }
        }
    }

    private func build(with provider: InstanceProvider<Service>) throws(ResolutionError) -> Service {
        provider.requireIsolation()
        do throws(ResolutionError) {
            let instance = try provider()
            settle(instance)
            return instance
        } catch {
            gate.withLock {
                phase = .unopened
                gate.wakeAll()
            }
            throw error
        }
    }

    /// Keeps the instance. The provider is released by the caller's copy, outside the lock.
    private func settle(_ instance: Service) {
        let opened = UnsafeMutablePointer<Service>.allocate(capacity: 1)
        opened.initialize(to: instance)
        gate.withLock {
            phase = .opened
            provider = nil
            self.opened = opened
            hasOpened.store(true, ordering: .releasing)
            gate.wakeAll()
        }
    }
}

private enum LazyPhase {
    case unopened
    case opening(by: ThreadIdentity)
    case opened
}
