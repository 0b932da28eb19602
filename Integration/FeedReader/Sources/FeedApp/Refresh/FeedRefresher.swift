package import FeedModel

/// Reads feeds in parallel, each in a unit of work of its own, and stores what they bring.
///
/// One that fails keeps none of the others from being stored; the journal says what came of each. One that is slow keeps
/// none of the others from being read. They are stored in their order, so that the numbers of items do not depend on who
/// answers first.
package struct FeedRefresher {
    private let units: RefreshUnits
    private let journal: RefreshJournal
    private let limits: RefreshLimits

    /// Takes the services.
    package init(units: RefreshUnits, journal: RefreshJournal, limits: RefreshLimits) {
        self.units = units
        self.journal = journal
        self.limits = limits
    }

    /// Refreshes the feeds, and writes one entry for each to the journal, in their order.
    package func refresh(_ feeds: [Feed]) async {
        let width = max(limits.width, 1)
        let jobs = feeds.enumerated().map { Job(index: $0, feed: $1, units: units) }
        await withTaskGroup(of: Finished.self) { group in
            for job in jobs.prefix(width) { group.addTask { await job.run() } }
            var waiting = jobs.dropFirst(width)
            var early: [Int: Finished] = [:]
            var next = 0
            while let finished = await group.next() {
                if let job = waiting.popFirst() { group.addTask { await job.run() } }
                early[finished.job.index] = finished
                while let finished = early.removeValue(forKey: next) {
                    journal.note(await store(finished))
                    next += 1
                }
            }
        }
    }

    private func store(_ finished: Finished) async -> RefreshJournal.Entry {
        do {
            try finished.result.get()
            let newItems = try await finished.unit.store(at: journal.startedAt)
            let visit = try finished.unit.visit
            let isUnchanged = visit.outcome?.feed == nil
            return RefreshJournal.Entry(
                feed: visit.feed,
                result: isUnchanged ? .unchanged : .stored(newItems: newItems)
            )
        } catch {
            return RefreshJournal.Entry(feed: finished.job.feed, result: .failed(error))
        }
    }
}

extension FeedRefresher {
    /// What a task is given.
    private struct Job: Sendable {
        let index: Int
        let feed: Feed
        let units: RefreshUnits

        func run() async -> Finished {
            let unit = units.begin(feed)
            do {
                try await unit.read()
                return Finished(job: self, unit: unit, result: .success(()))
            } catch {
                return Finished(job: self, unit: unit, result: .failure(error))
            }
        }
    }

    /// What a task gives back.
    private struct Finished: Sendable {
        let job: Job
        let unit: RefreshUnit
        let result: Result<Void, any Error>
    }
}
