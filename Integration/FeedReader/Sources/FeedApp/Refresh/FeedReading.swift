package import FeedModel
package import FeedParsing
package import Foundation

/// Fetching one feed and making sense of it. Touches no store, so that many can run at once.
package struct FeedReading: Sendable {
    private let feed: Feed
    private let fetcher: any FeedFetcher
    private let detector: FeedDetector

    /// Takes the feed as the store knows it, with the validators of the last time.
    package init(feed: Feed, fetcher: any FeedFetcher, detector: FeedDetector) {
        self.feed = feed
        self.fetcher = fetcher
        self.detector = detector
    }

    /// Reads the feed. Throws what the fetcher and the parser throw.
    package func read() async throws -> Outcome {
        switch try await fetcher.fetch(feed.source, validators: feed.validators) {
        case .fetched(let document, let validators): .read(try detector.parse(document), validators)
        case .unchanged: .unchanged
        }
    }
}

extension FeedReading {
    /// What came of it.
    package enum Outcome: Sendable {
        /// The feed, and what to show the server next time.
        case read(ParsedFeed, CacheValidators?)
        /// Nothing has changed since the last time.
        case unchanged

        /// The feed, if it was read.
        package var feed: ParsedFeed? {
            switch self {
            case .read(let feed, _): feed
            case .unchanged: nil
            }
        }

        /// Stores it, and gives the number of new items.
        package func save(for source: FeedSource, in store: any FeedStore, at date: Date) async throws -> Int {
            switch self {
            case .read(let feed, let validators):
                return try await store.save(feed, validators: validators, for: source, at: date)
            case .unchanged:
                try await store.markUnchanged(source, at: date)
                return 0
            }
        }
    }
}
