import DIAssembly
import DICore
import DIScopes
import DITesting
import DIThreadSafe
import FeedApp
import FeedModel
import FeedNetwork
import FeedStorage
import Foundation
import Synchronization
import Testing

@Suite("A refresh in parallel")
struct RefreshTests {
    private static func address(_ number: Int) -> String { "https://example.org/\(number)" }

    private static let count = 20

    /// Every fifth feed is gone, and every seventh is no feed.
    private static let pages: [String: String] = {
        var pages: [String: String] = [:]
        for number in 0..<count where number % 5 != 4 {
            let items = (0...number % 4).map { "Item \(number)-\($0)" }
            pages[address(number)] =
                number % 7 == 6 ? "<html></html>" : StubFetcher.feed("Feed \(number)", items: items)
        }
        return pages
    }()

    /// A store with subscriptions.
    private static func store() throws -> SQLiteFeedStore {
        let store = try TestApp.makeStore()
        for number in 0..<count { try store.add(FeedSource(address(number)), at: TestApp.date) }
        return store
    }

    /// The number at the end of an address.
    private static func number(of source: FeedSource) -> Int { Int(source.url.lastPathComponent) ?? -1 }

    /// A web whose answers somebody else can hold back.
    private struct ScriptedFetcher: FeedFetcher {
        let pages = StubFetcher(pages: RefreshTests.pages)
        let before: @Sendable (Int) async -> Void
        var after: @Sendable (Int) async -> Void = { _ in }

        func canFetch(_ source: FeedSource) -> Bool { source.kind == .web }

        func fetch(_ source: FeedSource, validators: CacheValidators?) async throws -> FetchOutcome {
            let number = RefreshTests.number(of: source)
            await before(number)
            let result: Result<FetchOutcome, any Error>
            do {
                result = .success(try await pages.fetch(source, validators: validators))
            } catch {
                result = .failure(error)
            }
            await after(number)
            return try result.get()
        }
    }

    /// Remembers what has been read, and lets others wait for it.
    private actor Progress {
        private(set) var order: [Int] = []
        private var waiting: [(isMet: ([Int]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

        func finish(_ number: Int) {
            order.append(number)
            let order = order
            waiting.removeAll { waiter in
                guard waiter.isMet(order) else { return false }
                waiter.continuation.resume()
                return true
            }
        }

        func wait(until isMet: @Sendable @escaping ([Int]) -> Bool) async {
            if isMet(order) { return }
            await withCheckedContinuation { waiting.append((isMet, $0)) }
        }
    }

    @Test("brings what one feed after the other brings, whoever answers first", .timeLimit(.minutes(1)))
    func sameAsSerial() async throws {
        let serial = TestApp(
            fetcher: StubFetcher(pages: Self.pages),
            limits: RefreshLimits(width: 1),
            store: try Self.store()
        )
        #expect(try await serial.run("refresh") == 1)
        // In each eight, the last one answers first.
        let progress = Progress()
        let backwards = ScriptedFetcher(
            before: { number in
                guard number % 8 != 7, number + 1 < Self.count else { return }
                await progress.wait { $0.contains(number + 1) }
            },
            after: { await progress.finish($0) }
        )
        let parallel = TestApp(fetcher: backwards, store: try Self.store())
        #expect(try await parallel.run("refresh") == 1)
        #expect(await progress.order.prefix(8) == [7, 6, 5, 4, 3, 2, 1, 0])
        #expect(parallel.output.text == serial.output.text)
        #expect(parallel.errors.text == serial.errors.text)
        #expect(parallel.output.lines.last == "20 feeds, 35 new items, 6 failed.")
        let items = try await serial.store?.items
        #expect(items?.count == 35)
        #expect(try await parallel.store?.items == items)
    }

    @Test("reads so many feeds at a time, and no more", .timeLimit(.minutes(1)))
    func width() async throws {
        let open = Atomic<Int>(0)
        let most = Atomic<Int>(0)
        let barrier = Barrier(count: 5)
        let fetcher = ScriptedFetcher(
            before: { _ in
                let now = open.wrappingAdd(1, ordering: .relaxed).newValue
                most.max(now, ordering: .relaxed)
                // Fewer at a time would wait for ever.
                await barrier.arrive()
            },
            after: { _ in open.wrappingSubtract(1, ordering: .relaxed) }
        )
        let app = TestApp(fetcher: fetcher, limits: RefreshLimits(width: 5), store: try Self.store())
        #expect(try await app.run("refresh") == 1)
        #expect(most.load(ordering: .relaxed) == 5)
        #expect(RefreshLimits().width == 8)
    }

    @Test("reads all others while one is slow", .timeLimit(.minutes(1)))
    func slow() async throws {
        let progress = Progress()
        let fetcher = ScriptedFetcher(
            before: { number in
                if number == 0 { await progress.wait { $0.count == Self.count - 1 } }
            },
            after: { await progress.finish($0) }
        )
        let app = TestApp(fetcher: fetcher, store: try Self.store())
        #expect(try await app.run("refresh") == 1)
        let order = await progress.order
        #expect(order.last == 0)
        #expect(order.sorted() == Array(0..<Self.count))
        // What is told does not depend on it.
        #expect(app.output.lines.first?.hasPrefix("Feed 0 ") == true)
    }

    @Test("has a unit of work for each feed, which ends with it")
    func units() async throws {
        /// Remembers the units without keeping them.
        final class Units: SendableAssembly, Sendable {
            private struct Weak: Sendable {
                weak let visit: FeedVisit?
                let number: Int
            }

            private let made = Mutex<[Weak]>([])

            var numbers: [Int] { made.withLock { $0.map(\.number) } }
            var alive: Int { made.withLock { $0.count { $0.visit != nil } } }

            func assemble(registrar: any SendableRegistrar) {
                registrar.register(FeedVisit.self, scope: .perContainer) { r in
                    let visit = FeedVisit(feed: try r.require(Feed.self))
                    self.made.withLock {
                        $0.append(Weak(visit: visit, number: RefreshTests.number(of: visit.feed.source)))
                    }
                    return visit
                }
                .dependsOn(Feed.self)
            }
        }
        let units = Units()
        let test = TestApp(fetcher: StubFetcher(pages: Self.pages), store: try Self.store())
        let app = try test.app(["refresh"], [units])
        #expect(await Program(app).run() == 1)
        // One each, although reading, storing and the journal ask for it.
        #expect(units.numbers.sorted() == Array(0..<Self.count))
        #expect(units.alive == 0)
        #expect(throws: ResolutionError.self) { try app.shared.require(FeedVisit.self) }
    }

    @Test("gives each unit its own services and those of the app to all")
    func sharing() async throws {
        let app = try TestApp(fetcher: StubFetcher(pages: Self.pages), store: try Self.store()).app([])
        let units = RefreshUnits(over: app.shared)
        let first = units.begin(Feed(source: try FeedSource(Self.address(0)), title: "first"))
        let second = units.begin(Feed(source: try FeedSource(Self.address(1)), title: "second"))
        #expect(try first.visit === first.visit)
        #expect(try first.visit !== second.visit)
        #expect(try first.visit.feed.title == "first")
        // Nothing was read, so there is nothing to store.
        #expect(try await first.store(at: TestApp.date) == 0)
        try await first.read()
        #expect(try first.visit.feed.title == "Feed 0")
        #expect(try second.visit.outcome == nil)
        #expect(try await first.store(at: TestApp.date) == 1)
        #expect(try await app.shared.require((any FeedStore).self).items(ItemQuery()).map(\.feedTitle) == ["Feed 0"])
    }

    @Test("builds a service of the app once, although all units need it first")
    func once() async throws {
        final class SharedFetcher: FeedFetcher {
            func canFetch(_ source: FeedSource) -> Bool { false }
            func fetch(_ source: FeedSource, validators: CacheValidators?) async throws -> FetchOutcome { .unchanged }
        }
        struct Sharing: SendableAssembly {
            func assemble(registrar: any SendableRegistrar) {
                registrar.contribute((any FeedFetcher).self, name: "shared", scope: .container) { _ in SharedFetcher() }
                    .dependsOnNothing()
            }
        }
        for _ in 0..<20 {
            let test = TestApp(fetcher: StubFetcher(pages: Self.pages), store: try Self.store())
            let app = try test.app(["refresh"], [Sharing()])
            await expectConstructed((any FeedFetcher).self, name: "shared", times: 1, in: app.shared) {
                #expect(await Program(app).run() == 1)
            }
        }
    }
}

extension FeedStore {
    fileprivate var items: [FeedItem] {
        get async throws { try await items(ItemQuery()) }
    }
}
