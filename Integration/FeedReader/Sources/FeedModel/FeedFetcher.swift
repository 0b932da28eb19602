/// Brings the bytes of a feed.
///
/// One instance is asked from several tasks at once.
public protocol FeedFetcher: Sendable {
    /// Says whether this fetcher handles such a source. Decide by the source alone; touch neither disk nor network.
    func canFetch(_ source: FeedSource) -> Bool

    /// Reads a source that `canFetch` said yes to.
    ///
    /// `validators` are those of the last fetch of this source, if any. A fetcher that cannot compare them
    /// ignores them. Throws a `FeedError` that names the source, or `CancellationError` if the task was
    /// cancelled. Retrying is the caller's decision.
    func fetch(_ source: FeedSource, validators: CacheValidators?) async throws -> FetchOutcome
}
