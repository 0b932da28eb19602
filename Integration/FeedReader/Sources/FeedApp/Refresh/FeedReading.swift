package import FeedModel
package import FeedParsing

/// Fetching one feed and making sense of it. Touches no store, so that many can run at once.
package struct FeedReading: Sendable {
    private let visit: FeedVisit
    private let fetcher: any FeedFetcher
    private let detector: FeedDetector

    /// Takes the unit of work, which knows the feed.
    package init(visit: FeedVisit, fetcher: any FeedFetcher, detector: FeedDetector) {
        self.visit = visit
        self.fetcher = fetcher
        self.detector = detector
    }

    /// Reads the feed. Throws what the fetcher and the parser throw.
    package func read() async throws {
        let feed = visit.feed
        switch try await fetcher.fetch(feed.source, validators: feed.validators) {
        case .fetched(let document, let validators): visit.note(.read(try detector.parse(document), validators))
        case .unchanged: visit.note(.unchanged)
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
    }
}
