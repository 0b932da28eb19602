import DIWrappers
import FeedModel

/// Subscribes to a feed.
///
/// The feed is read first: what cannot be read is not subscribed to, and no database is made for it.
struct AddCommand: Command {
    let source: FeedSource
    let readings: FeedReadings
    let store: Lazy<any FeedStore>
    let journal: RefreshJournal
    let output: any TextOutput

    func run() async throws {
        // A feed that nobody subscribed to yet is read as any other.
        let feed = Feed(source: source, title: source.description)
        let outcome = try await readings.make(feed).read()
        let (isNew, newItems) = try await subscribe(with: outcome)
        let title = TerminalText.clean(outcome.feed?.title ?? source.description)
        try output.write(
            isNew
                ? "Added \(title): \(Count.items(newItems))."
                : "\(title) was there already: \(Count.newItems(newItems))."
        )
    }

    private func subscribe(with outcome: FeedReading.Outcome) async throws -> (isNew: Bool, newItems: Int) {
        let store = try store.get()
        let isNew = try await store.add(source, at: journal.startedAt)
        do {
            return (isNew, try await outcome.save(for: source, in: store, at: journal.startedAt))
        } catch {
            // All or nothing; why it failed matters more than whether this works.
            if isNew { try? await store.remove(source) }
            throw error
        }
    }
}
