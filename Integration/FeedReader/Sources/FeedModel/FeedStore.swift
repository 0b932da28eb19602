public import Foundation

/// Keeps feeds, their items and what was read.
///
/// One instance is used from several tasks at once. Each call either takes effect as a whole or, when it
/// throws, leaves everything as it was. Requirements are asynchronous so that an actor can meet them; plain
/// functions do as well.
public protocol FeedStore: Sendable {
    /// Subscribes to a feed. Says false, and changes nothing, if it was there already.
    @discardableResult
    func add(_ source: FeedSource, at date: Date) async throws -> Bool

    /// Forgets a feed and its items. Throws `FeedError.unknownFeed`.
    func remove(_ source: FeedSource) async throws

    /// Every feed, in the order they were added.
    func feeds() async throws -> [Feed]

    /// Stores what a refresh brought, and says how many items are new.
    ///
    /// An item already there, by its identifier, takes the new texts and keeps its number, its read state and
    /// the date it was first seen. An item the feed no longer lists stays. Throws `FeedError.unknownFeed`.
    @discardableResult
    func save(
        _ feed: ParsedFeed,
        validators: CacheValidators?,
        for source: FeedSource,
        at date: Date
    ) async throws -> Int

    /// Notes that a refresh found nothing changed. Throws `FeedError.unknownFeed`.
    func markUnchanged(_ source: FeedSource, at date: Date) async throws

    /// The items a query asks for, newest first.
    func items(_ query: ItemQuery) async throws -> [FeedItem]

    /// One item. Throws `FeedError.unknownItem`.
    func item(_ id: FeedItem.ID) async throws -> FeedItem

    /// Marks all of the items as read or unread, or none: throws `FeedError.unknownItem` for the first unknown one.
    func setRead(_ isRead: Bool, for ids: [FeedItem.ID]) async throws

    /// Marks every item as read, and says how many were not.
    @discardableResult
    func markAllRead() async throws -> Int
}
