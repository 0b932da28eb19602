import FeedModel

/// Lists items.
struct ListCommand: Command {
    let query: ItemQuery
    let lister: ItemLister

    func run() async throws {
        try await lister.list(query)
    }
}
