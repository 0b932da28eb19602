public import Foundation

/// One stored entry of a feed, ready to be shown: every text is plain.
public struct FeedItem: Hashable, Sendable, Identifiable {
    /// The number a person types to name this item.
    public struct ID: Hashable, Sendable, RawRepresentable {
        /// The number itself.
        public var rawValue: Int64

        /// Takes a number a store gave out.
        public init(rawValue: Int64) {
            self.rawValue = rawValue
        }
    }

    /// Stays the same for as long as the item is stored, and is not given to another item afterwards.
    public var id: ID

    /// The title of the feed it came from.
    public var feedTitle: String

    /// What the feed says about it.
    public var content: ParsedItem

    /// When it was published or, where the feed does not say, when it was first seen.
    public var date: Date

    /// Whether `date` is the feed's own; if not, it is when the item was first seen.
    public var isDateFromFeed: Bool { content.published != nil }

    /// Whether somebody marked it as read.
    public var isRead: Bool

    /// Takes every field.
    public init(id: ID, feedTitle: String, content: ParsedItem, date: Date, isRead: Bool) {
        self.id = id
        self.feedTitle = feedTitle
        self.content = content
        self.date = date
        self.isRead = isRead
    }
}

extension FeedItem.ID: CustomStringConvertible {
    /// Reads what a person typed. Throws `FeedError.unknownItem` if that is no number at all.
    public init(_ text: String) throws {
        guard let number = Int64(text), number > 0 else { throw FeedError.unknownItem(text) }
        self.init(rawValue: number)
    }

    /// The number, as it is typed.
    public var description: String { String(rawValue) }
}
