package import FeedModel
package import Foundation

/// What happened in one run: the unit of work that everybody in it writes to.
///
/// The run has one time, however long it takes: what comes in together is dated together.
package final class RefreshJournal {
    /// The time of everything in this run.
    package let startedAt: Date

    /// What came of each feed, in the order in which they were asked for.
    package private(set) var entries: [Entry] = []

    /// Begins a run.
    package init(startedAt: Date) {
        self.startedAt = startedAt
    }

    /// What came of one feed.
    package enum Result {
        /// It was read, and so many items were new.
        case stored(newItems: Int)
        /// It had not changed.
        case unchanged
        /// It could not be read or stored.
        case failed(any Error)
    }

    /// One feed of the run.
    package struct Entry {
        /// The feed; once it was read, with the title it has now.
        package let feed: Feed
        /// What came of it.
        package let result: Result
    }

    /// Writes down what came of a feed.
    package func note(_ entry: Entry) {
        entries.append(entry)
    }

    /// How many items are new in all.
    package var newItems: Int {
        entries.reduce(0) { sum, entry in
            switch entry.result {
            case .stored(let newItems): sum + newItems
            case .unchanged, .failed: sum
            }
        }
    }

    /// The feeds that failed, with the reason.
    package var failures: [(feed: Feed, error: any Error)] {
        entries.compactMap { entry in
            switch entry.result {
            case .failed(let error): (entry.feed, error)
            case .stored, .unchanged: nil
            }
        }
    }
}
