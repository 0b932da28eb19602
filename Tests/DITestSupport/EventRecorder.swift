public import DICore

/// Keeps the events that it is told.
public final class EventRecorder: ResolutionObserver {
    public private(set) var events: [ResolutionEvent] = []
    public let interests: ResolutionInterests
    public let isInheritedByChildren: Bool

    public init(_ interests: ResolutionInterests = .all, isInheritedByChildren: Bool = true) {
        self.interests = interests
        self.isInheritedByChildren = isInheritedByChildren
    }

    public func observe(_ event: ResolutionEvent) {
        events.append(event)
    }

    /// The errors of the failures among the events.
    public var failures: [ResolutionError] {
        events.compactMap { event in
            if case .failed(let error) = event.kind { error } else { nil }
        }
    }

    public func reset() {
        events = []
    }
}
