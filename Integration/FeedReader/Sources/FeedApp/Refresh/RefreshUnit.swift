import DICore
package import DIThreadSafe
package import FeedModel
package import Foundation

/// Begins units of work, each when its feed is known.
package struct RefreshUnits: Sendable {
    private let shared: ThreadSafeContainer

    /// Takes the container that all units are made over.
    package init(over shared: ThreadSafeContainer) {
        self.shared = shared
    }

    /// Begins a unit.
    package func begin(_ feed: Feed) -> RefreshUnit {
        RefreshUnit(of: feed, over: shared)
    }
}

/// The refresh of one feed: a unit of work with a container of its own, which ends with it.
///
/// Any thread may run it: its services are built where it runs, and those of the app by whoever is first.
package struct RefreshUnit: Sendable {
    private let container: ThreadSafeContainer

    /// Makes the container, and puts the feed into it.
    init(of feed: Feed, over shared: ThreadSafeContainer) {
        container = shared.createChild()
        container.register(Feed.self, instance: feed)
    }

    /// Reads the feed. Throws what the fetcher and the parser throw.
    package func read() async throws {
        try await container.require(FeedReading.self).read()
    }

    /// Stores what was read, and gives the number of new items.
    package func store(at date: Date) async throws -> Int {
        try await container.require(FeedStoring.self).store(at: date)
    }

    /// What came of it so far.
    package var visit: FeedVisit {
        get throws { try container.require(FeedVisit.self) }
    }
}
