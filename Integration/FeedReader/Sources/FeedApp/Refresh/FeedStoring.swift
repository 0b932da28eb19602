package import FeedModel
package import Foundation

/// Storing what was read of one feed.
package struct FeedStoring: Sendable {
    private let visit: FeedVisit
    private let store: any FeedStore

    /// Takes the unit of work, which knows what was read.
    package init(visit: FeedVisit, store: any FeedStore) {
        self.visit = visit
        self.store = store
    }

    /// Stores it, and gives the number of new items. Throws what the store throws.
    package func store(at date: Date) async throws -> Int {
        let source = visit.feed.source
        switch visit.outcome {
        case .read(let feed, let validators):
            return try await store.save(feed, validators: validators, for: source, at: date)
        case .unchanged:
            try await store.markUnchanged(source, at: date)
            return 0
        case nil:
            return 0
        }
    }
}
