package import DIWrappers
package import FeedModel

/// Writes lists of items.
package struct ItemLister {
    private let store: Lazy<any FeedStore>
    private let table: Provider<ItemTable>
    private let output: any TextOutput

    /// Takes the services; a table is made for each list.
    package init(store: Lazy<any FeedStore>, table: Provider<ItemTable>, output: any TextOutput) {
        self.store = store
        self.table = table
        self.output = output
    }

    /// Writes the items of a query, and how many there are in all.
    func list(_ query: ItemQuery) async throws {
        let store = try store.get()
        let items = try await store.items(query)
        let feeds = try await store.feeds()
        let total = feeds.reduce(0) { $0 + $1.itemCount }
        let unread = feeds.reduce(0) { $0 + $1.unreadCount }
        guard !items.isEmpty else {
            try output.write(total == 0 ? "There are no items; feeds add URL subscribes to a feed." : "All is read.")
            return
        }
        var table = try table.get()
        for item in items { table.add(item) }
        try output.write(table.text)
        let shown = items.count < total ? "\(items.count) of \(Count.items(total))" : Count.items(total)
        try output.write("\n\(shown), \(unread) unread, from \(Count.feeds(feeds.count)).")
    }
}
