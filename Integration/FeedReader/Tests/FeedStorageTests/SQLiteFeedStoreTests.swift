import DIAssembly
import DICore
import DITesting
import DIThreadSafe
import DIWrappers
import FeedModel
import FeedStorage
import Foundation
import Testing

@Suite(
    "The feed store",
    .container(ThreadSafeContainer()) { container in
        try container.apply(assemblies: [StorageAssembly()])
        container.register(DatabaseLocation.self, instance: .memory)
    }
)
struct SQLiteFeedStoreTests {
    @Injected private var store: SQLiteFeedStore
    private let source: FeedSource
    private let now = Date(timeIntervalSince1970: 1_000_000)

    init() throws {
        source = try FeedSource("https://example.org/feed")
    }

    private func item(_ identifier: String, title: String? = nil, day: Int? = nil) -> ParsedItem {
        ParsedItem(
            identifier: identifier,
            title: title ?? identifier,
            published: day.map { Date(timeIntervalSince1970: Double($0) * 86_400) }
        )
    }

    private func feed(_ items: ParsedItem...) -> ParsedFeed {
        ParsedFeed(title: "Feed", homePage: URL(string: "https://example.org/"), items: items)
    }

    private func titles(_ query: ItemQuery = ItemQuery()) throws -> [String] {
        try store.items(query).map(\.content.title)
    }

    @Test("subscribes to a feed once, and lists feeds in the order they came")
    func add() throws {
        let other = try FeedSource("/tmp/a feed.xml")
        #expect(try store.add(source, at: now))
        #expect(try store.add(other, at: now))
        #expect(try !store.add(source, at: now))
        #expect(
            try store.feeds() == [
                Feed(source: source, title: "https://example.org/feed"), Feed(source: other, title: "/tmp/a feed.xml"),
            ]
        )
    }

    @Test("gives back all of what a refresh brought")
    func save() throws {
        let full = ParsedItem(
            identifier: "1",
            title: "It's \"quoted\"; DROP TABLE items",
            link: URL(string: "https://example.org/1?a=b&c=é"),
            author: "Ann",
            summary: "Short",
            body: "Long\n\ntext",
            published: Date(timeIntervalSince1970: 60.5)
        )
        try store.add(source, at: now)
        let validators = CacheValidators(entityTag: "\"v1\"", lastModified: nil)
        #expect(try store.save(feed(full, item("2")), validators: validators, for: source, at: now) == 2)
        let items = try store.items(ItemQuery())
        #expect(items.map(\.content) == [item("2"), full])
        #expect(items.map(\.feedTitle) == ["Feed", "Feed"])
        #expect(items.map(\.isRead) == [false, false])
        #expect(
            try store.feeds() == [
                Feed(
                    source: source,
                    title: "Feed",
                    homePage: URL(string: "https://example.org/"),
                    refreshedAt: now,
                    validators: validators,
                    itemCount: 2,
                    unreadCount: 2
                )
            ]
        )
    }

    @Test("dates an item without a date by when it was first seen, ever after")
    func firstSeen() throws {
        try store.add(source, at: now)
        try store.save(feed(item("1")), validators: nil, for: source, at: now)
        try store.save(feed(item("1")), validators: nil, for: source, at: now + 1000)
        let first = try #require(try store.items(ItemQuery()).first)
        #expect(first.date == now)
        #expect(!first.isDateFromFeed)
        try store.save(feed(item("1", day: 3)), validators: nil, for: source, at: now + 2000)
        try store.save(feed(item("1")), validators: nil, for: source, at: now + 3000)
        let dated = try #require(try store.items(ItemQuery()).first)
        #expect(dated.date == Date(timeIntervalSince1970: 3 * 86_400))
        #expect(dated.isDateFromFeed)
    }

    @Test("keeps number and read state of an item through a refresh, takes its new texts, counts only new items")
    func refresh() throws {
        try store.add(source, at: now)
        try store.save(feed(item("b"), item("a")), validators: nil, for: source, at: now)
        let a = try #require(try store.items(ItemQuery()).last)
        #expect(a.content.title == "a")
        try store.setRead(true, for: [a.id])
        let refreshed = feed(item("c"), item("b"), item("a", title: "A, edited"))
        #expect(try store.save(refreshed, validators: nil, for: source, at: now + 1) == 1)
        let after = try store.item(a.id)
        #expect(after.content.title == "A, edited")
        #expect(after.isRead)
        #expect(try store.items(ItemQuery()).map(\.id.rawValue) == [3, 2, 1])
    }

    @Test("keeps items the feed no longer lists")
    func disappeared() throws {
        try store.add(source, at: now)
        try store.save(feed(item("1")), validators: nil, for: source, at: now)
        try store.save(feed(item("2")), validators: nil, for: source, at: now)
        try store.save(feed(), validators: nil, for: source, at: now)
        #expect(try titles().sorted() == ["1", "2"])
    }

    @Test("lists newest first, in the feed's own order where dates are the same")
    func order() throws {
        try store.add(source, at: now)
        try store.save(
            feed(item("x"), item("day 2", day: 2), item("y"), item("day 20", day: 20)),
            validators: nil,
            for: source,
            at: now
        )
        // The undated ones count as seen on day 11.
        #expect(try titles() == ["day 20", "x", "y", "day 2"])
    }

    @Test("lists the unread ones, those of one feed, and no more than asked for")
    func queries() throws {
        let other = try FeedSource("https://example.org/other")
        for (source, prefix) in [(source, "a"), (other, "b")] {
            try store.add(source, at: now)
            let items = (1...3).map { (day: Int) in item("\(prefix)\(day)", day: day) }
            try store.save(ParsedFeed(title: prefix, items: items), validators: nil, for: source, at: now)
        }
        let newest = try #require(try store.items(ItemQuery(source: source, limit: 1)).first)
        #expect(newest.content.title == "a3")
        try store.setRead(true, for: [newest.id])
        #expect(try titles(ItemQuery(unreadOnly: true, source: source)) == ["a2", "a1"])
        #expect(try titles(ItemQuery(limit: 2)) == ["b3", "a3"])
        #expect(try titles(ItemQuery(unreadOnly: true)).count == 5)
        #expect(try titles(ItemQuery(limit: 0)).isEmpty)
        #expect(try titles(ItemQuery(limit: -1)).isEmpty)
        #expect(try titles(ItemQuery(source: FeedSource("https://example.org/none"))).isEmpty)
        #expect(try store.feeds().map(\.unreadCount) == [2, 3])
    }

    @Test("marks as read and unread, all of the named items or none")
    func read() throws {
        try store.add(source, at: now)
        try store.save(feed(item("b"), item("a")), validators: nil, for: source, at: now)
        let ids = try store.items(ItemQuery()).map(\.id)
        try store.setRead(true, for: ids)
        #expect(try titles(ItemQuery(unreadOnly: true)).isEmpty)
        #expect(throws: FeedError.unknownItem("99")) {
            try store.setRead(false, for: ids + [FeedItem.ID(rawValue: 99)])
        }
        #expect(try titles(ItemQuery(unreadOnly: true)).isEmpty)
        try store.setRead(false, for: ids)
        #expect(try store.markAllRead() == 2)
        #expect(try store.markAllRead() == 0)
    }

    @Test("names what is not there")
    func unknown() throws {
        #expect(throws: FeedError.unknownItem("7")) { try store.item(FeedItem.ID(rawValue: 7)) }
        #expect(throws: FeedError.unknownFeed(source)) { try store.remove(source) }
        #expect(throws: FeedError.unknownFeed(source)) { try store.markUnchanged(source, at: now) }
        #expect(throws: FeedError.unknownFeed(source)) {
            try store.save(feed(item("1")), validators: nil, for: source, at: now)
        }
        #expect(try store.items(ItemQuery()).isEmpty)
    }

    @Test("notes a refresh without changes, and changes nothing")
    func unchanged() throws {
        try store.add(source, at: now)
        let validators = CacheValidators(entityTag: nil, lastModified: "then")
        try store.save(feed(item("1")), validators: validators, for: source, at: now)
        try store.markUnchanged(source, at: now + 5)
        let stored = try #require(try store.feeds().first)
        #expect(stored.refreshedAt == now + 5)
        #expect(stored.validators == validators)
        #expect(stored.itemCount == 1)
    }

    @Test("forgets a feed with its items, and never gives their numbers out again")
    func remove() throws {
        try store.add(source, at: now)
        try store.save(feed(item("1")), validators: nil, for: source, at: now)
        try store.remove(source)
        #expect(try store.feeds().isEmpty)
        #expect(try store.items(ItemQuery()).isEmpty)
        try store.add(source, at: now)
        try store.save(feed(item("1")), validators: nil, for: source, at: now)
        #expect(try store.items(ItemQuery()).map(\.id.rawValue) == [2])
    }

    @Test("serves many tasks at once")
    func parallel() async throws {
        let store: any FeedStore = store
        let sources = try (0..<16).map { try FeedSource("https://example.org/\($0)") }
        try await withThrowingDiscardingTaskGroup { group in
            for source in sources {
                group.addTask {
                    try await store.add(source, at: .distantPast)
                    let items = (0..<20).map { ParsedItem(identifier: "\($0)", title: "\(source) \($0)") }
                    for _ in 0..<3 {
                        let feed = ParsedFeed(title: source.description, items: items)
                        try await store.save(feed, validators: nil, for: source, at: .distantPast)
                        _ = try await store.items(ItemQuery(unreadOnly: true, limit: 5))
                    }
                }
            }
        }
        #expect(try await store.items(ItemQuery()).count == 320)
        #expect(try await store.feeds().allSatisfy { $0.itemCount == 20 })
    }
}
