public import Foundation

/// A feed somebody subscribed to, as a store knows it.
public struct Feed: Hashable, Sendable {
    /// Where it is read from; no two feeds of a store share one.
    public var source: FeedSource

    /// Its own title, or the text of its source until it was read for the first time.
    public var title: String

    /// The web page it belongs to.
    public var homePage: URL?

    /// When it was last read with success, changed or not.
    public var refreshedAt: Date?

    /// What to show the server at the next refresh; see `CacheValidators`.
    public var validators: CacheValidators?

    /// How many items are stored.
    public var itemCount: Int

    /// How many of them are unread.
    public var unreadCount: Int

    /// Takes every field; only a new feed may rely on the defaults.
    public init(
        source: FeedSource,
        title: String,
        homePage: URL? = nil,
        refreshedAt: Date? = nil,
        validators: CacheValidators? = nil,
        itemCount: Int = 0,
        unreadCount: Int = 0
    ) {
        self.source = source
        self.title = title
        self.homePage = homePage
        self.refreshedAt = refreshedAt
        self.validators = validators
        self.itemCount = itemCount
        self.unreadCount = unreadCount
    }
}
