import DIWrappers
import FeedModel

/// Forgets a feed and its items.
struct RemoveCommand: Command {
    let source: FeedSource
    let store: Lazy<any FeedStore>
    let output: any TextOutput

    func run() async throws {
        let store = try store.get()
        let feed = try await store.feeds().first { $0.source == source }
        try await store.remove(source)
        let title = TerminalText.clean(feed?.title ?? source.description)
        try output.write("Removed \(title) and \(Count.items(feed?.itemCount ?? 0)).")
    }
}
