internal import Synchronization

/// An observer as a context keeps it: with the answers that it gave when it was added.
final class ObserverSlot {
    let observer: any ResolutionObserver
    let interests: ResolutionInterests
    let isInherited: Bool
    private var isObserving = false

    init(_ observer: any ResolutionObserver) {
        self.observer = observer
        interests = observer.interests
        isInherited = observer.isInheritedByChildren
    }

    var wantsResolutions: Bool { interests.contains(.resolutions) }

    /// Tells the observer, unless the event is of its own doing.
    func tell(_ event: ResolutionEvent) {
        guard !isObserving else { return }
        isObserving = true
        defer { isObserving = false }
        observer.observe(event)
    }
}

extension ResolutionContext {
    func addObserver(_ observer: any ResolutionObserver) {
        let slot = ObserverSlot(observer)
        observers.append(slot)
        if slot.wantsResolutions { session.memory.pointee.resolutionObservers += 1 }
    }

    func removeObserver(_ observer: any ResolutionObserver) {
        guard let index = observers.firstIndex(where: { $0.observer === observer }) else { return }
        let slot = observers.remove(at: index)
        if slot.wantsResolutions { session.memory.pointee.resolutionObservers -= 1 }
    }

    /// Whether a failure here has an audience.
    var hasFailureObservers: Bool {
        var context: ResolutionContext? = self
        while let current = context {
            if current.observers.contains(where: {
                $0.interests.contains(.failures) && (current === self || $0.isInherited)
            }) {
                return true
            }
            context = current.parent
        }
        return false
    }

    /// The observers that are told of what happens here: its own, then those that its parents pass on.
    func observers(of interests: ResolutionInterests) -> [ObserverSlot] {
        var found: [ObserverSlot] = []
        var context: ResolutionContext? = self
        while let current = context {
            for slot in current.observers
            where !slot.interests.isDisjoint(with: interests) && (current === self || slot.isInherited) {
                found.append(slot)
            }
            context = current.parent
        }
        return found
    }
}

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
