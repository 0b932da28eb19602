import DIWrappers
import FeedModel

/// Reads all feeds anew, and says what came of each.
struct RefreshCommand: Command {
    let store: Lazy<any FeedStore>
    let refresher: Lazy<FeedRefresher>
    let journal: RefreshJournal
    let layout: TextLayout
    let output: any TextOutput

    func run() async throws {
        let feeds = try await store.get().feeds()
        guard !feeds.isEmpty else {
            try output.write("There are no subscriptions; feeds add URL makes one.")
            return
        }
        try await refresher.get().refresh(feeds)
        let width = layout.columns - 12
        for entry in journal.entries {
            let title = TerminalText.fitted(entry.feed.title, to: width)
            try output.write("\(title)  \(word(for: entry.result))")
        }
        let failed = journal.failures.count
        try output.write(
            "\(Count.feeds(feeds.count)), \(Count.newItems(journal.newItems))"
                + (failed == 0 ? "." : ", \(failed) failed.")
        )
    }

    private func word(for result: RefreshJournal.Result) -> String {
        switch result {
        case .stored(newItems: 0), .unchanged: "no news"
        case .stored(let newItems): "\(newItems) new"
        case .failed: "failed"
        }
    }
}
