package import FeedModel
import Synchronization

/// What came of one feed in a refresh: the unit of work that reading and storing it write to.
///
/// One for each unit; no two feeds ever share one.
package final class FeedVisit: Sendable {
    private let asked: Feed
    private let read = Mutex<FeedReading.Outcome?>(nil)

    /// Begins with the feed as the store knows it, with the validators of the last time.
    package init(feed: Feed) {
        asked = feed
    }

    /// The feed; once it was read, with the title it has now.
    package var feed: Feed {
        guard let title = outcome?.feed?.title else { return asked }
        var feed = asked
        feed.title = title
        return feed
    }

    /// What was read; nil before, and when it could not be read.
    package var outcome: FeedReading.Outcome? { read.withLock { $0 } }

    /// Writes down what was read.
    func note(_ outcome: FeedReading.Outcome) {
        read.withLock { $0 = outcome }
    }
}
