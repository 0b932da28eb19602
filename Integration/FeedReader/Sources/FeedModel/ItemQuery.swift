/// Which items to list. Without arguments: all of them.
public struct ItemQuery: Hashable, Sendable {
    /// Leave out what was read.
    public var unreadOnly: Bool

    /// Only the items of this feed.
    public var source: FeedSource?

    /// At most so many of the newest; nil is no limit, and less than zero counts as zero.
    public var limit: Int?

    /// Each argument narrows the list.
    public init(unreadOnly: Bool = false, source: FeedSource? = nil, limit: Int? = nil) {
        self.unreadOnly = unreadOnly
        self.source = source
        self.limit = limit
    }
}
