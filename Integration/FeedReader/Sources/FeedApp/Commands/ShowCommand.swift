import DIWrappers
import FeedModel

/// Shows an item, and marks it as read.
struct ShowCommand: Command {
    let id: FeedItem.ID
    let store: Lazy<any FeedStore>
    let page: ItemPage
    let output: any TextOutput

    func run() async throws {
        let store = try store.get()
        try output.write(page.text(of: try await store.item(id)))
        // Last, so that what could not be shown stays unread.
        try await store.setRead(true, for: [id])
    }
}
