internal import DICore
internal import Synchronization

/// Keeps one instance for as long as the session runs that it was put in during.
// Unchecked: the instance is a user's and goes from the thread that built it to those that ask, as the container that
// they share allows; what is here is inside the mutex.
final class SessionStorage: InstanceStorage, @unchecked Sendable {
    /// An instance and when it was built.
    struct Kept {
        let instance: Any
        let age: Int
        let session: Int
    }

    private weak let scope: SessionScope?
    private let state = Mutex(Slot())

    // Unchecked: see above.
    private struct Slot: @unchecked Sendable {
        var kept: Kept?
    }

    private static let ages = Atomic<Int>(0)

    init(of scope: SessionScope) {
        self.scope = scope
    }

    /// The instance of the session that runs.
    var instance: Any? {
        get {
            guard let session = scope?.session else { return nil }
            return state.withLock { $0.kept }.flatMap { $0.session == session ? $0.instance : nil }
        }
        set {
            let age = SessionStorage.ages.wrappingAdd(1, ordering: .relaxed).newValue
            let session = scope?.session
            let fresh = newValue.flatMap { instance in
                session.map { Kept(instance: instance, age: age, session: $0) }
            }
            let old = exchange(fresh)
            withExtendedLifetime(old) {}
        }
    }

    /// Takes the instance out, to be released by the caller: nothing of a user's runs inside the mutex.
    func take() -> Kept? { exchange(nil) }

    private func exchange(_ fresh: Kept?) -> Kept? {
        let slot = Slot(kept: fresh)
        return state.withLock { state in
            defer { state = slot }
            return state
        }
        .kept
    }
}
