import DIWrappers
import FeedModel

/// Lists the newest items; without subscriptions, subscribes to the samples first.
struct NewestCommand: Command {
    let query: ItemQuery
    let samples: [FeedSource]
    let store: Lazy<any FeedStore>
    let refresher: Lazy<FeedRefresher>
    let journal: RefreshJournal
    let lister: ItemLister
    let output: any TextOutput

    func run() async throws {
        if try await store.get().feeds().isEmpty {
            try await subscribe()
            try output.write("No subscriptions yet, so here are the feeds that ship with the reader.\n")
        }
        try await lister.list(query)
        try output.write("feeds show ID reads one; feeds --help tells the rest.")
    }

    private func subscribe() async throws {
        let store = try store.get()
        for source in samples { try await store.add(source, at: journal.startedAt) }
        let feeds = try await store.feeds()
        try await refresher.get().refresh(feeds)
    }
}
