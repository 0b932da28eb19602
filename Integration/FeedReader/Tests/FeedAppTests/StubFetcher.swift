import FeedModel
import Foundation

/// A web of a few pages.
struct StubFetcher: FeedFetcher {
    /// The pages by their addresses; any other is not found.
    var pages: [String: String]

    /// Is waited for before each answer.
    var barrier: Barrier?

    func canFetch(_ source: FeedSource) -> Bool { source.kind == .web }

    func fetch(_ source: FeedSource, validators: CacheValidators?) async throws -> FetchOutcome {
        await barrier?.arrive()
        guard let page = pages[source.description] else { throw FeedError.httpStatus(source, code: 404) }
        return .fetched(FeedDocument(data: Data(page.utf8), source: source), nil)
    }

    /// A small feed.
    static func feed(_ title: String, items: [String]) -> String {
        let items = items.map { "<item><guid>\($0)</guid><title>\($0)</title></item>" }.joined()
        return "<rss version=\"2.0\"><channel><title>\(title)</title>\(items)</channel></rss>"
    }
}

/// Lets nobody pass until so many have come.
actor Barrier {
    private let count: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(count: Int) {
        self.count = count
    }

    func arrive() async {
        if waiting.count + 1 == count {
            for continuation in waiting { continuation.resume() }
            waiting = []
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }
}
