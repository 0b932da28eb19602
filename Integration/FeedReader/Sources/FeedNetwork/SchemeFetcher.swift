public import FeedModel

/// Gives each source to the fetcher for its kind.
///
///     let fetcher = SchemeFetcher([HTTPFetcher(), FileFetcher()])
public struct SchemeFetcher: FeedFetcher {
    private let fetchers: [any FeedFetcher]

    /// Takes the fetchers there are; the first that says yes to a source gets it.
    public init(_ fetchers: [any FeedFetcher]) {
        self.fetchers = fetchers
    }

    /// Yes if one of the fetchers says so.
    public func canFetch(_ source: FeedSource) -> Bool {
        fetchers.contains { $0.canFetch(source) }
    }

    /// Asks the fetcher for this source. Throws what it throws, or `FeedError.noFetcher` if there is none.
    public func fetch(_ source: FeedSource, validators: CacheValidators?) async throws -> FetchOutcome {
        guard let fetcher = fetchers.first(where: { $0.canFetch(source) }) else {
            throw FeedError.noFetcher(source)
        }
        return try await fetcher.fetch(source, validators: validators)
    }
}
