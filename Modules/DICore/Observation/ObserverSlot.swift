internal import Synchronization

/// An observer as a context keeps it: with the answers that it gave when it was added.
// Unchecked: constant, and a container for several threads takes only observers that are `Sendable`.
final class ObserverSlot: @unchecked Sendable {
    let observer: any ResolutionObserver
    let interests: ResolutionInterests
    let isInherited: Bool

    init(_ observer: any ResolutionObserver) {
        self.observer = observer
        interests = observer.interests
        isInherited = observer.isInheritedByChildren
    }

    /// Tells the observer, unless the event is of its own doing.
    func tell(_ event: ResolutionEvent, _ session: UnsafeMutablePointer<Session>) {
        guard !session.pointee.observing.contains(where: { $0 === self }) else { return }
        session.pointee.observing.append(self)
        Session.aside(session) { observer.observe(interests.contains(.durations) ? event : event.withoutDuration) }
        session.pointee.observing.removeLast()
    }
}

extension ResolutionContext {
    /// Adds an observer, which is told of what happens from here on, here and in children. Held strongly.
    public func addObserver(_ observer: any ResolutionObserver) {
        let slot = ObserverSlot(observer)
        state.withLock { $0.observers.append(slot) }
        tree.count(slot, by: 1)
    }

    /// Removes an observer.
    public func removeObserver(_ observer: any ResolutionObserver) {
        let removed = state.withLock { state in
            state.observers.firstIndex { $0.observer === observer }.map { state.observers.remove(at: $0) }
        }
        if let removed { tree.count(removed, by: -1) }
    }

    private var observers: [ObserverSlot] { state.withLock { $0.observers } }

    /// Whether a failure here has an audience.
    var hasFailureObservers: Bool {
        tree.failureObservers.load(ordering: .relaxed) != 0 && isHeardFailing
    }

    @inline(never)
    private var isHeardFailing: Bool {
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
    ///
    /// - Parameter inheritedOnly: whether something happens in a child, so that its own must be passed on as well.
    func observers(of interests: ResolutionInterests, inheritedOnly: Bool = false) -> [ObserverSlot] {
        var found: [ObserverSlot] = []
        var context: ResolutionContext? = self
        while let current = context {
            for slot in current.observers
            where !slot.interests.isDisjoint(with: interests)
                && (current === self && !inheritedOnly || slot.isInherited)
            {
                found.append(slot)
            }
            context = current.parent
        }
        return found
    }
}
