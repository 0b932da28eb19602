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
        observer.observe(interests.contains(.durations) ? event : event.withoutDuration)
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
