internal import Synchronization

/// Observers of the failures of every container in the process, for diagnostics that must not miss one.
///
///     FailureObservers.add { error in print(error) }
///
/// Asked where a failure starts and nowhere else. For anything that belongs to one container, add a
/// ``ResolutionObserver`` to it.
public enum FailureObservers {
    private static let count = Atomic<Int>(0)
    private static let observers = Mutex<[(id: UInt, observe: @Sendable (ResolutionError) -> Void)]>([])

    /// Adds an observer and gives the token that removes it.
    @discardableResult
    public static func add(_ observe: @escaping @Sendable (ResolutionError) -> Void) -> UInt {
        let id = Identity.next()
        observers.withLock { $0.append((id, observe)) }
        count.wrappingAdd(1, ordering: .releasing)
        return id
    }

    /// Removes an observer.
    public static func remove(_ token: UInt) {
        let removed = observers.withLock { observers in
            observers.firstIndex { $0.id == token }.map { observers.remove(at: $0) }
        }
        if removed != nil { count.wrappingSubtract(1, ordering: .releasing) }
    }

    static var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

    static func tell(_ error: ResolutionError) {
        if isEmpty { return }
        for observer in observers.withLock({ $0 }) { observer.observe(error) }
    }
}
