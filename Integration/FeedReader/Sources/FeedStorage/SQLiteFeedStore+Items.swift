public import FeedModel
import Foundation

extension SQLiteFeedStore {
    /// Items of the same date are listed as in their feed.
    public func items(_ query: ItemQuery) throws -> [FeedItem] {
        try read { database in
            try database.query(
                """
                SELECT items.id, feeds.title, identifier, items.title, link, author, summary, body, published,
                    first_seen, is_read
                FROM items JOIN feeds ON feeds.id = items.feed_id
                WHERE (?1 = 0 OR is_read = 0) AND (?2 IS NULL OR address = ?2)
                ORDER BY coalesce(published, first_seen) DESC, items.id DESC
                LIMIT ?3
                """,
                [
                    .flag(query.unreadOnly), .optional(query.source?.url.absoluteString),
                    // To SQLite a negative limit is none.
                    .integer(query.limit.map { Int64(max($0, 0)) } ?? -1),
                ],
                transform: Self.item
            )
        }
    }

    /// One look-up by the primary key.
    public func item(_ id: FeedItem.ID) throws -> FeedItem {
        try read { database in
            let found = try database.query(
                """
                SELECT items.id, feeds.title, identifier, items.title, link, author, summary, body, published,
                    first_seen, is_read
                FROM items JOIN feeds ON feeds.id = items.feed_id
                WHERE items.id = ?
                """,
                [.integer(id.rawValue)],
                transform: Self.item
            )
            guard let item = found.first else { throw FeedError.unknownItem(id.description) }
            return item
        }
    }

    /// One transaction for all of the items.
    public func setRead(_ isRead: Bool, for ids: [FeedItem.ID]) throws {
        try transaction { database in
            let update = try database.prepare("UPDATE items SET is_read = ? WHERE id = ?")
            for id in ids {
                try update.run([.flag(isRead), .integer(id.rawValue)])
                guard database.changes > 0 else { throw FeedError.unknownItem(id.description) }
            }
        }
    }

    /// One statement, whatever the number of items.
    @discardableResult
    public func markAllRead() throws -> Int {
        try transaction { database in
            try database.run("UPDATE items SET is_read = 1 WHERE is_read = 0")
            return database.changes
        }
    }

    /// Both queries above list the columns in this order.
    private static func item(_ row: SQLiteRow) throws -> FeedItem {
        let published = row.optionalDate(8)
        return FeedItem(
            id: FeedItem.ID(rawValue: row.integer(0)),
            feedTitle: row.text(1),
            content: ParsedItem(
                identifier: row.text(2),
                title: row.text(3),
                link: row.optionalURL(4),
                author: row.optionalText(5),
                summary: row.text(6),
                body: row.text(7),
                published: published
            ),
            date: published ?? row.optionalDate(9) ?? .distantPast,
            isRead: row.integer(10) != 0
        )
    }
}
