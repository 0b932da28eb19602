public import FeedModel
public import Foundation

extension SQLiteFeedStore {
    /// One statement: a feed that is there already keeps everything it has.
    @discardableResult
    public func add(_ source: FeedSource, at date: Date) throws -> Bool {
        try transaction { database in
            try database.run(
                "INSERT INTO feeds (address, title, added_at) VALUES (?, ?, ?) ON CONFLICT (address) DO NOTHING",
                [.text(source.url.absoluteString), .text(source.description), .date(date)]
            )
            return database.changes > 0
        }
    }

    /// Deletes the feed, its items and what was read of them.
    public func remove(_ source: FeedSource) throws {
        try transaction { database in
            // The items go with it, by the foreign key.
            try database.run("DELETE FROM feeds WHERE address = ?", [.text(source.url.absoluteString)])
            guard database.changes > 0 else { throw FeedError.unknownFeed(source) }
        }
    }

    /// Counts the items of every feed in the same query.
    public func feeds() throws -> [Feed] {
        try read { database in
            try database.query(
                """
                SELECT address, feeds.title, home_page, entity_tag, last_modified, refreshed_at,
                    count(items.id), count(CASE WHEN items.is_read = 0 THEN 1 END)
                FROM feeds LEFT JOIN items ON items.feed_id = feeds.id
                GROUP BY feeds.id ORDER BY feeds.id
                """
            ) { row in
                Feed(
                    source: try Self.source(row.text(0)),
                    title: row.text(1),
                    homePage: row.optionalURL(2),
                    refreshedAt: row.optionalDate(5),
                    validators: CacheValidators(entityTag: row.optionalText(3), lastModified: row.optionalText(4)),
                    itemCount: Int(row.integer(6)),
                    unreadCount: Int(row.integer(7))
                )
            }
        }
    }

    /// Changes the date of the refresh and nothing else.
    public func markUnchanged(_ source: FeedSource, at date: Date) throws {
        try transaction { database in
            try database.run(
                "UPDATE feeds SET refreshed_at = ? WHERE address = ?",
                [.date(date), .text(source.url.absoluteString)]
            )
            guard database.changes > 0 else { throw FeedError.unknownFeed(source) }
        }
    }

    /// One transaction: if it fails at the last item, the feed and all of its items are what they were.
    @discardableResult
    public func save(
        _ feed: ParsedFeed,
        validators: CacheValidators?,
        for source: FeedSource,
        at date: Date
    ) throws -> Int {
        try transaction { database in
            try database.run(
                """
                UPDATE feeds SET title = ?, home_page = ?, entity_tag = ?, last_modified = ?, refreshed_at = ?
                WHERE address = ?
                """,
                [
                    .text(feed.title), .optional(feed.homePage?.absoluteString), .optional(validators?.entityTag),
                    .optional(validators?.lastModified), .date(date), .text(source.url.absoluteString),
                ]
            )
            guard database.changes > 0 else { throw FeedError.unknownFeed(source) }
            let ids = try database.query(
                "SELECT id FROM feeds WHERE address = ?",
                [.text(source.url.absoluteString)]
            ) { $0.integer(0) }
            return try ids.reduce(0) { try $0 + Self.save(feed.items, feed: $1, at: date, in: database) }
        }
    }

    /// Feeds list their newest item first; it is stored last, so that it gets the highest number.
    private static func save(
        _ items: [ParsedItem],
        feed: Int64,
        at date: Date,
        in database: SQLiteDatabase
    ) throws -> Int {
        // Not an INSERT … ON CONFLICT DO UPDATE: that uses up a number for every item that is already there.
        let update = try database.prepare(
            """
            UPDATE items SET title = ?, link = ?, author = ?, summary = ?, body = ?,
                published = coalesce(?, published)
            WHERE feed_id = ? AND identifier = ?
            """
        )
        let insert = try database.prepare(
            """
            INSERT INTO items (title, link, author, summary, body, published, feed_id, identifier, first_seen)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        var newItems = 0
        for item in items.reversed() {
            let values: [SQLiteValue] = [
                .text(item.title), .optional(item.link?.absoluteString), .optional(item.author),
                .text(item.summary), .text(item.body), .optional(item.published),
                .integer(feed), .text(item.identifier),
            ]
            try update.run(values)
            guard database.changes == 0 else { continue }
            try insert.run(values + [.date(date)])
            newItems += 1
        }
        return newItems
    }

    private static func source(_ address: String) throws -> FeedSource {
        guard let url = URL(string: address) else { throw FeedError.unsupportedAddress(address) }
        return try FeedSource(url: url)
    }
}
