/// What came of fetching a feed without an error.
public enum FetchOutcome: Hashable, Sendable {
    /// The document, and what to show the server next time.
    case fetched(FeedDocument, CacheValidators?)

    /// The feed is what it was when the validators were given out; nothing was transferred.
    case unchanged
}
