import DIAssembly
import DICore
import FeedApp
import FeedModel
import FeedStorage
import Foundation
import Testing

@Suite("The program")
struct ProgramTests {
    private let good = "https://example.org/good"
    private let other = "https://example.org/other"
    private let gone = "https://example.org/gone"
    private let store: SQLiteFeedStore
    private var app: TestApp
    private var pages: [String: String]

    init() throws {
        store = try TestApp.makeStore()
        app = TestApp(store: store)
        pages = [
            good: StubFetcher.feed("Good", items: ["One", "Two"]), other: StubFetcher.feed("Other", items: ["Three"]),
        ]
        app.fetcher = StubFetcher(pages: pages)
    }

    /// A new app on the same store, with outputs of its own.
    private func next(_ pages: [String: String] = [:]) -> TestApp {
        var next = TestApp(store: store)
        next.fetcher = StubFetcher(pages: self.pages.merging(pages) { $1 })
        return next
    }

    @Test("subscribes to the samples when there is nothing, and lists their items")
    func firstRun() async throws {
        #expect(try await app.run() == 0)
        #expect(
            app.output.text == """
                No subscriptions yet, so here are the feeds that ship with the reader.

                  ID    Date  Feed                  Title
                • 14       –  Skerry Point Tide-T…  Driftwood, free to collect
                •  9       –  Three Crusts & Daug…  A very flat loaf
                •  2       –  Kestrel Hill Observ…  Cloud. Again.
                • 12  15 Mar  Three Crusts & Daug…  The four o’clock rye
                •  6  14 Mar  Kestrel Hill Observ…  Saturn's rings, nearly edge-on & thin as a…
                • 18  14 Mar  Skerry Point Tide-T…  Spring tides: 5.4 m on the 20th
                • 11  12 Mar  Three Crusts & Daug…  Flour & water < patience
                •  5  12 Mar  Kestrel Hill Observ…  Dome motor: Fish & Chips night saved us
                • 17  11 Mar  Skerry Point Tide-T…  Barnacle census < last year's
                • 10  10 Mar  Three Crusts & Daug…  Hot cross buns: the list opens
                • 16   9 Mar  Skerry Point Tide-T…  Notice to walkers: the north lamp is out
                •  4   9 Mar  Kestrel Hill Observ…  A fireball over the café terrace
                •  8   8 Mar  Three Crusts & Daug…  Opening hours (with the new oven)
                • 15   6 Mar  Skerry Point Tide-T…  Minutes of the March meeting (as approved)
                •  3   2 Mar  Kestrel Hill Observ…  Sunspot count for the week (corrected)
                •  7  27 Feb  Three Crusts & Daug…  A customer asked for a loaf “with fewer hol…
                • 13  24 Feb  Skerry Point Tide-T…  A gannet dived within an oar's length of th…
                •  1  20 Feb  Kestrel Hill Observ…  Open evening on the equinox

                18 items, 18 unread, from 3 feeds.
                feeds show ID reads one; feeds --help tells the rest.
                """
        )
        #expect(app.output.lines.allSatisfy { $0.count <= 80 })
        #expect(app.errors.text.isEmpty)
    }

    @Test("leaves subscriptions alone when there are some")
    func laterRun() async throws {
        try store.add(FeedSource(good), at: TestApp.date)
        #expect(try await app.run() == 0)
        #expect(app.output.lines.first == "There are no items; feeds add URL subscribes to a feed.")
        #expect(try store.feeds().map(\.source.description) == [good])
    }

    @Test("lists the newest twenty without a command, and all with one")
    func limit() async throws {
        let many = StubFetcher.feed("Many", items: (1...30).map { "Item \($0)" })
        #expect(try await next([good: many]).run("add", good) == 0)
        let newest = next()
        #expect(try await newest.run() == 0)
        #expect(newest.output.lines.contains("20 of 30 items, 30 unread, from 1 feed."))
        #expect(newest.output.lines.count == 1 + 20 + 3)
        let all = next()
        #expect(try await all.run("list") == 0)
        #expect(all.output.lines.count == 1 + 30 + 2)
    }

    @Test("subscribes to a feed once")
    func add() async throws {
        #expect(try await app.run("add", good) == 0)
        #expect(app.output.text == "Added Good: 2 items.")
        let again = next([good: StubFetcher.feed("Good", items: ["One", "Two", "Four"])])
        #expect(try await again.run("add", good) == 0)
        #expect(again.output.text == "Good was there already: 1 new item.")
        #expect(try store.feeds().map(\.itemCount) == [3])
    }

    @Test("does not subscribe to what it cannot read")
    func addFailure() async throws {
        #expect(try await app.run("add", gone) == 1)
        #expect(app.output.text.isEmpty)
        #expect(app.errors.text == "feeds: \(gone): the server answered HTTP status 404 (not found).")
        let page = next([gone: "<html></html>"])
        #expect(try await page.run("add", gone) == 1)
        #expect(page.errors.text == "feeds: \(gone): not a feed: it is a web page.")
        let broken = next([gone: "<rss><channel><title>Cut"])
        #expect(try await broken.run("add", gone) == 1)
        #expect(broken.errors.lines.count == 1)
        #expect(broken.errors.text.hasPrefix("feeds: \(gone): broken XML in line 1: "))
        #expect(try store.feeds().isEmpty)
    }

    @Test("takes a subscription back when its items cannot be stored")
    func addStoreFailure() async throws {
        let failing = TestApp(
            fetcher: app.fetcher,
            store: RefusingStore(base: store, source: try FeedSource(good))
        )
        #expect(try await failing.run("add", good) == 1)
        #expect(failing.errors.text == "feeds: here: the database failed: full.")
        #expect(try store.feeds().isEmpty)
        #expect(try await app.run("add", good) == 0)
        // One that was there before stays.
        let later = TestApp(fetcher: app.fetcher, store: failing.store)
        #expect(try await later.run("add", good) == 1)
        #expect(try store.feeds().map(\.itemCount) == [2])
    }

    @Test("refreshes what it can, and names each feed that fails")
    func refresh() async throws {
        for address in [good, gone, other] { try store.add(FeedSource(address), at: TestApp.date) }
        #expect(try await app.run("refresh") == 1)
        let end = String(repeating: " ", count: 64)
        #expect(
            app.output.text == """
                Good\(end)  2 new
                \(gone)\(String(repeating: " ", count: 68 - gone.count))  failed
                Other\(end.dropLast())  1 new
                3 feeds, 3 new items, 1 failed.
                """
        )
        #expect(app.errors.text == "feeds: \(gone): the server answered HTTP status 404 (not found).")
        #expect(try store.feeds().map(\.itemCount) == [2, 0, 1])
        #expect(try store.feeds().map(\.refreshedAt) == [TestApp.date, nil, TestApp.date])
        let later = next([gone: StubFetcher.feed("Back", items: ["Four"])])
        #expect(try await later.run("refresh") == 0)
        #expect(later.output.lines.last == "3 feeds, 1 new item.")
        #expect(later.errors.text.isEmpty)
    }

    @Test("loses nothing that is stored when a feed cannot be read any more")
    func refreshLosesNothing() async throws {
        #expect(try await app.run("add", good) == 0)
        let before = try store.items(ItemQuery())
        let later = next([good: "<rss><channel><title>Cut"])
        #expect(try await later.run("refresh") == 1)
        #expect(later.errors.lines.count == 1)
        #expect(try store.items(ItemQuery()) == before)
        #expect(try store.feeds().map(\.title) == ["Good"])
    }

    @Test("stores the other feeds when one cannot be stored")
    func refreshStoreFailure() async throws {
        for address in [good, other] { try store.add(FeedSource(address), at: TestApp.date) }
        let failing = TestApp(
            fetcher: app.fetcher,
            store: RefusingStore(base: store, source: try FeedSource(good))
        )
        #expect(try await failing.run("refresh") == 1)
        #expect(failing.errors.text == "feeds: here: the database failed: full.")
        #expect(try store.feeds().map(\.itemCount) == [0, 1])
    }

    @Test("waits for several servers at a time", .timeLimit(.minutes(1)))
    mutating func parallel() async throws {
        for number in 1...20 { try store.add(FeedSource("https://example.org/\(number)"), at: TestApp.date) }
        // Four meet at a time: one after the other, the first would wait for ever.
        app.fetcher = StubFetcher(pages: pages, barrier: Barrier(count: 4))
        #expect(try await app.run("refresh") == 1)
        #expect(app.errors.lines.count == 20)
        #expect(app.errors.lines.first?.contains("https://example.org/1:") == true)
        #expect(app.errors.lines.last?.contains("https://example.org/20:") == true)
    }

    @Test("says so when there is nothing to refresh")
    func refreshNothing() async throws {
        #expect(try await app.run("refresh") == 0)
        #expect(app.output.text == "There are no subscriptions; feeds add URL makes one.")
    }

    @Test("shows an item and marks it as read, so that it is unread no more")
    func show() async throws {
        #expect(try await app.run("add", good) == 0)
        let items = try store.items(ItemQuery())
        let shown = try #require(items.first)
        let page = next()
        #expect(try await page.run("show", "\(shown.id)") == 0)
        #expect(page.output.lines.first == shown.content.title)
        #expect(try store.items(ItemQuery(unreadOnly: true)) == Array(items.dropFirst()))
        let list = next()
        #expect(try await list.run("list", "--unread") == 0)
        #expect(list.output.lines.last == "1 of 2 items, 1 unread, from 1 feed.")
        try store.markAllRead()
        let done = next()
        #expect(try await done.run("list", "--unread") == 0)
        #expect(done.output.text == "All is read.")
    }

    @Test("knows no item of a number that was not given out", arguments: ["99", "0", "first"])
    func unknownItem(id: String) async throws {
        #expect(try await app.run("show", id) == 1)
        #expect(
            app.errors.text == "feeds: \(id): no item of this number; the list shows the numbers there are."
        )
    }

    @Test("forgets a feed, and only that")
    func remove() async throws {
        #expect(try await app.run("add", good) == 0)
        #expect(try await next().run("add", other) == 0)
        let removal = next()
        #expect(try await removal.run("remove", good) == 0)
        #expect(removal.output.text == "Removed Good and 2 items.")
        #expect(try store.feeds().map(\.title) == ["Other"])
        let again = next()
        #expect(try await again.run("remove", good) == 1)
        #expect(again.errors.text == "feeds: \(good): no such feed; add it first.")
    }

    @Test("has a line for what goes wrong outside of the model")
    func outputFailure() async throws {
        let broken = try app.app(["--help"], [BrokenOutput()])
        #expect(await Program(broken).run() == 1)
        #expect(app.errors.text == "feeds: nobody listens")
    }

    private struct BrokenOutput: SendableAssembly, TextOutput {
        struct NobodyListens: Error, CustomStringConvertible {
            let description = "nobody\n  listens"
        }

        func assemble(registrar: any SendableRegistrar) {
            registrar.register((any TextOutput).self, instance: self)
        }

        func write(_ text: String) throws { throw NobodyListens() }
    }
}

/// A store that has no room for the items of one feed.
private struct RefusingStore: FeedStore {
    let base: SQLiteFeedStore
    let source: FeedSource

    func add(_ source: FeedSource, at date: Date) throws -> Bool { try base.add(source, at: date) }
    func remove(_ source: FeedSource) throws { try base.remove(source) }
    func feeds() throws -> [Feed] { try base.feeds() }
    func save(
        _ feed: ParsedFeed,
        validators: CacheValidators?,
        for source: FeedSource,
        at date: Date
    ) throws -> Int {
        guard source != self.source else { throw FeedError.databaseFailed(path: "here", reason: "full") }
        return try base.save(feed, validators: validators, for: source, at: date)
    }
    func markUnchanged(_ source: FeedSource, at date: Date) throws { try base.markUnchanged(source, at: date) }
    func items(_ query: ItemQuery) throws -> [FeedItem] { try base.items(query) }
    func item(_ id: FeedItem.ID) throws -> FeedItem { try base.item(id) }
    func setRead(_ isRead: Bool, for ids: [FeedItem.ID]) throws { try base.setRead(isRead, for: ids) }
    func markAllRead() throws -> Int { try base.markAllRead() }
}
