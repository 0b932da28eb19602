package import DIWrappers
package import FeedModel

/// Reads feeds in parallel and stores what they bring.
///
/// One that fails keeps none of the others from being stored; the journal says what came of each.
package struct FeedRefresher {
    private let store: Lazy<any FeedStore>
    private let journal: RefreshJournal
    private let readings: FeedReadings

    /// How many feeds are read at a time: enough to wait for servers together, and no burden to a slow line.
    private static let width = 8

    /// Takes the services.
    package init(store: Lazy<any FeedStore>, journal: RefreshJournal, readings: FeedReadings) {
        self.store = store
        self.journal = journal
        self.readings = readings
    }

    /// Refreshes the feeds, and writes one entry for each to the journal, in their order.
    package func refresh(_ feeds: [Feed]) async throws {
        let store = try store.get()
        // The container stays where it is: what the tasks need is taken out of it before they start.
        let jobs = try feeds.enumerated().map { Job(index: $0, feed: $1, reading: try readings.make($1)) }
        await withTaskGroup(of: Finished.self) { group in
            for job in jobs.prefix(Self.width) { group.addTask { await job.run() } }
            var waiting = jobs.dropFirst(Self.width)
            var early: [Int: Finished] = [:]
            var next = 0
            while let finished = await group.next() {
                if let job = waiting.popFirst() { group.addTask { await job.run() } }
                // Stored in the order of the feeds, so that the numbers of items do not depend on who answers first.
                early[finished.job.index] = finished
                while let finished = early.removeValue(forKey: next) {
                    journal.note(await entry(of: finished, in: store))
                    next += 1
                }
            }
        }
    }

    private func entry(of finished: Finished, in store: any FeedStore) async -> RefreshJournal.Entry {
        var feed = finished.job.feed
        do {
            let outcome = try finished.outcome.get()
            let newItems = try await outcome.save(for: feed.source, in: store, at: journal.startedAt)
            guard let read = outcome.feed else { return RefreshJournal.Entry(feed: feed, result: .unchanged) }
            feed.title = read.title
            return RefreshJournal.Entry(feed: feed, result: .stored(newItems: newItems))
        } catch {
            return RefreshJournal.Entry(feed: feed, result: .failed(error))
        }
    }
}

extension FeedRefresher {
    /// What a task is given.
    private struct Job: Sendable {
        let index: Int
        let feed: Feed
        let reading: FeedReading

        func run() async -> Finished {
            do {
                return Finished(job: self, outcome: .success(try await reading.read()))
            } catch {
                return Finished(job: self, outcome: .failure(error))
            }
        }
    }

    /// What a task gives back.
    private struct Finished: Sendable {
        let job: Job
        let outcome: Result<FeedReading.Outcome, any Error>
    }
}
