import DIWrappers
import FeedModel

/// Subscribes to a feed.
///
/// The feed is read first: what cannot be read is not subscribed to, and no database is made for it.
struct AddCommand: Command {
    let source: FeedSource
    let units: RefreshUnits
    let store: Lazy<any FeedStore>
    let journal: RefreshJournal
    let output: any TextOutput

    func run() async throws {
        // A feed that nobody subscribed to yet is read as any other.
        let feed = Feed(source: source, title: source.description)
        let unit = units.begin(feed)
        try await unit.read()
        let (isNew, newItems) = try await subscribe(with: unit)
        let title = TerminalText.clean(try unit.visit.feed.title)
        try output.write(
            isNew
                ? "Added \(title): \(Count.items(newItems))."
                : "\(title) was there already: \(Count.newItems(newItems))."
        )
    }

    private func subscribe(with unit: RefreshUnit) async throws -> (isNew: Bool, newItems: Int) {
        let store = try store.get()
        let isNew = try await store.add(source, at: journal.startedAt)
        do {
            return (isNew, try await unit.store(at: journal.startedAt))
        } catch {
            // All or nothing; why it failed matters more than whether this works.
            if isNew { try? await store.remove(source) }
            throw error
        }
    }
}
