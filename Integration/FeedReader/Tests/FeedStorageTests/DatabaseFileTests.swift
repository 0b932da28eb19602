import FeedModel
import FeedStorage
import Foundation
import Testing

@Suite("The file of a feed store")
struct DatabaseFileTests {
    private let directory = TemporaryDirectory()
    private let now = Date(timeIntervalSince1970: 1_000_000)

    private func open(_ path: String) throws -> SQLiteFeedStore {
        try SQLiteFeedStore(at: .file(URL(fileURLWithPath: path)), library: SQLiteLibrary())
    }

    private func contents(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    @Test("is created, with its directories, and still holds everything when it is opened again")
    func reopen() throws {
        let path = directory.path("new/and deep/feeds.sqlite")
        let source = try FeedSource("sample:bakery")
        try open(path).add(source, at: now)
        let feed = ParsedFeed(title: "Feed", items: [ParsedItem(identifier: "1", title: "One")])
        try open(path).save(feed, validators: nil, for: source, at: now)
        let store = try open(path)
        #expect(try store.feeds().map(\.title) == ["Feed"])
        #expect(try store.items(ItemQuery()).map(\.content.title) == ["One"])
    }

    @Test("may be empty to begin with")
    func empty() throws {
        let path = try directory.file("empty.sqlite", containing: Data())
        #expect(try open(path).feeds().isEmpty)
    }

    @Test("that is not a database is an error, and is left untouched", arguments: [1, 50, 100, 600, 5000])
    func notADatabase(size: Int) throws {
        let original = Data(String(repeating: "Dear diary. ", count: 500).utf8.prefix(size))
        let path = try directory.file("diary.txt", containing: original)
        #expect(throws: FeedError.notADatabase(path: path)) { try open(path) }
        #expect(try contents(path) == original)
    }

    @Test("that belongs to another program is an error, and is left untouched")
    func foreign() throws {
        let path = directory.path("other.sqlite")
        try SQLiteDatabase(.file(path: path), library: SQLiteLibrary()).run("CREATE TABLE bookmarks (url)")
        let original = try contents(path)
        #expect(throws: FeedError.foreignDatabase(path: path)) { try open(path) }
        #expect(try contents(path) == original)
    }

    @Test("of a newer version is an error, and is left untouched")
    func newer() throws {
        let path = directory.path("newer.sqlite")
        _ = try open(path)
        try SQLiteDatabase(.file(path: path), library: SQLiteLibrary()).run("PRAGMA user_version = 99")
        let original = try contents(path)
        #expect(throws: FeedError.databaseTooNew(path: path, version: 99, supported: 1)) { try open(path) }
        #expect(try contents(path) == original)
    }

    @Test("that cannot be created is an error")
    func cannotOpen() throws {
        let reason = "the file cannot be opened or created"
        let path = directory.path("")
        #expect(throws: FeedError.databaseFailed(path: path, reason: reason)) { try open(path) }
        let file = try directory.file("plain", containing: Data("x".utf8))
        #expect(
            throws: FeedError.databaseFailed(path: file + "/feeds.sqlite", reason: "its directory cannot be created")
        ) { try open(file + "/feeds.sqlite") }
    }

    @Test("loses nothing when a refresh fails halfway")
    func failedRefresh() throws {
        let path = directory.path("feeds.sqlite")
        let source = try FeedSource("sample:bakery")
        let store = try open(path)
        try store.add(source, at: now)
        let before = ParsedFeed(title: "Before", items: [ParsedItem(identifier: "1", title: "One")])
        try store.save(before, validators: nil, for: source, at: now)
        // Makes the second of two writes fail.
        try SQLiteDatabase(.file(path: path), library: SQLiteLibrary()).run(
            """
            CREATE TRIGGER refuse BEFORE INSERT ON items WHEN NEW.title = 'Refused'
            BEGIN SELECT raise(ABORT, 'refused'); END
            """
        )
        let items = ["Refused", "Two"].map { ParsedItem(identifier: $0, title: $0) }
        let after = ParsedFeed(title: "After", items: items)
        #expect(throws: FeedError.databaseFailed(path: path, reason: "refused")) {
            try store.save(after, validators: nil, for: source, at: now + 1)
        }
        let feed = try #require(try store.feeds().first)
        #expect(feed.title == "Before")
        #expect(feed.refreshedAt == now)
        #expect(try store.items(ItemQuery()).map(\.content.title) == ["One"])
    }

    @Test("may be opened for the first time by several at once, and written by all of them")
    func several() async throws {
        let path = directory.path("shared.sqlite")
        let now = now
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0..<6 {
                group.addTask {
                    let store = try SQLiteFeedStore(
                        at: .file(URL(fileURLWithPath: path)),
                        library: SQLiteLibrary()
                    )
                    try store.add(FeedSource("https://example.org/\(number)"), at: now)
                }
            }
        }
        #expect(try open(path).feeds().count == 6)
    }
}
