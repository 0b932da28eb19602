internal import Synchronization

/// Counts the objects that were made under it and those that are left, so that tests assert lifetimes and not guesses.
public final class LifetimeTracker: Sendable {
    private let counts = Mutex((made: 0, alive: 0))

    public init() {}

    /// How many objects were made.
    public var made: Int { counts.withLock { $0.made } }

    /// How many of them are left.
    public var alive: Int { counts.withLock { $0.alive } }

    fileprivate func objectWasMade() {
        counts.withLock { counts in
            counts.made += 1
            counts.alive += 1
        }
    }

    fileprivate func objectWasReleased() {
        counts.withLock { $0.alive -= 1 }
    }
}

/// An object that a tracker counts. Subclass it, or hold one.
open class Tracked {
    public let tracker: LifetimeTracker

    public init(_ tracker: LifetimeTracker) {
        self.tracker = tracker
        tracker.objectWasMade()
    }

    deinit {
        tracker.objectWasReleased()
    }
}
