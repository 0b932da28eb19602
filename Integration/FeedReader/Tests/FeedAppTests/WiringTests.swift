import DIAssembly
import DICore
import DITesting
import DIThreadSafe
import DIWrappers
import FeedApp
import FeedModel
import FeedNetwork
import FeedParsing
import FeedStorage
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The wiring")
struct WiringTests {
    private let feed: Feed

    init() throws {
        feed = Feed(source: try FeedSource("sample:bakery"), title: "Bakery")
    }

    @Test("is complete: every registration of the app resolves, with its database in memory")
    func complete() throws {
        let unit = Assembler(parentAssembler: try TestApp().app(["list"]).assembler)
        unit.apply { $0.register(Feed.self, instance: feed) }
        // Each command needs what its own run brings; see below.
        let commands = CommandName.allCases.map { ServiceKey((any Command).self, name: $0.rawValue) }
        expectEverythingBuilds(from: unit.resolver, except: commands)
    }

    @Test("has a service for all that its users ask for")
    func services() throws {
        let unit = Assembler(parentAssembler: try TestApp().app(["list"]).assembler)
        unit.apply { $0.register(Feed.self, instance: feed) }
        let resolver = unit.resolver
        expectResolves(FeedRefresher.self, from: resolver)
        expectResolves(ItemLister.self, from: resolver)
        expectResolves((any TextOutput).self, name: OutputName.errors, from: resolver)
        expectResolves([FeedSource].self, name: "samples", from: resolver)
        expectDoesNotResolve((any Command).self, from: resolver, because: .notRegistered)
    }

    @Test("fits: nothing is found when it is loaded, nor afterwards")
    func fits() throws {
        let store = try TestApp.makeStore()
        for app in [try RealApp.app(), try RealApp.app([TestApp(store: store)])] {
            let assembler = app.assembler
            #expect(assembler.problems.isEmpty)
            #expect(assembler.validate().isValid)
            expectValidWiring(of: app.shared, external: Array(assembler.externalKeys) + [ServiceKey(Feed.self)])
        }
    }

    @Test("collects a parser for each format, and a fetcher for each kind of source")
    func collections() throws {
        let resolver = try RealApp.app().shared
        #expect(try resolver.requireAll((any FeedParser).self).map(\.formatName) == ["RSS", "Atom", "JSON Feed"])
        let fetchers = try resolver.requireAll((any FeedFetcher).self)
        for address in ["https://example.org", "file:///feed.xml", "sample:bakery"] {
            let source = try FeedSource(address)
            #expect(fetchers.count { $0.canFetch(source) } == 1, "\(address)")
        }
    }

    @Test(
        "has a command for each action",
        arguments: [
            .newest, .refresh, .list(unreadOnly: true), .show(FeedItem.ID(rawValue: 1)), .graph(GraphRequest()),
            .doctor(.text), .help,
        ] as [Action]
    )
    func commands(action: Action) throws {
        try expectCommand(action)
    }

    @Test("has a command for each action on a feed")
    func feedCommands() throws {
        try expectCommand(.add(feed.source))
        try expectCommand(.remove(feed.source))
    }

    private func expectCommand(_ action: Action) throws {
        let app = try TestApp().app([]).assembler
        let run = run(action, of: app)
        #expect(run.problems.isEmpty)
        #expect(throws: Never.self) { try run.resolver.require((any Command).self, name: action.command.rawValue) }
        // What one run needs stays in its container.
        for key in RunAssembly.keys { #expect(!app.resolver.visibleEntries.contains { $0.key == key }) }
    }

    private func run(_ action: Action, of app: Assembler) -> Assembler {
        Assembler([RunAssembly(action: action, wiring: AppWiring(of: app))], parent: app, validation: .always)
    }

    @Test("keeps one store for the app, and one journal for each run")
    func scopes() throws {
        let app = try TestApp().app([]).assembler
        let first = run(.refresh, of: app).resolver
        let second = run(.refresh, of: app).resolver
        expectSameInstance(RefreshJournal.self, from: first)
        expectNewInstance(RefreshJournal.self, from: first, and: second)
        let store = try app.resolver.require(SQLiteFeedStore.self)
        #expect(try first.require((any FeedStore).self) as? SQLiteFeedStore === store)
        #expect(try second.require(Lazy<any FeedStore>.self).get() as? SQLiteFeedStore === store)
    }

    @Test("takes a fetcher that a run contributes")
    func contributionOfARun() throws {
        struct GopherFetcher: FeedFetcher {
            func canFetch(_ source: FeedSource) -> Bool { source.description == "sample:gopher" }
            func fetch(_ source: FeedSource, validators: CacheValidators?) async throws -> FetchOutcome { .unchanged }
        }
        struct GopherAssembly: Assembly {
            func assemble(container: Container) {
                container.contribute((any FeedFetcher).self) { _ in GopherFetcher() }
            }
        }
        let app = Assembler([NetworkAssembly()])
        let run = Assembler([GopherAssembly()], parent: app)
        let gopher = try FeedSource("sample:gopher")
        #expect(try run.resolver.require((any FeedFetcher).self).canFetch(gopher))
        #expect(try !app.resolver.require((any FeedFetcher).self).canFetch(gopher))
    }

    @Test("reads the database where the command line or the environment says")
    func databaseLocation() throws {
        func location(_ arguments: [String], _ environment: [String: String]) throws -> DatabaseLocation {
            try App([AppAssembly(arguments: arguments, environment: environment)])
                .shared.require(DatabaseLocation.self)
        }
        #expect(try location(["--database", "/a/b.db"], [:]) == .file(URL(filePath: "/a/b.db")))
        #if !canImport(Darwin)
        let usual = DatabaseLocation.file(URL(filePath: "/home/me/.local/share/feeds/feeds.sqlite"))
        #expect(try location([], ["HOME": "/home/me"]) == usual)
        #expect(try location([], ["HOME": "/home/me", "XDG_DATA_HOME": "relative"]) == usual)
        let chosen = DatabaseLocation.file(URL(filePath: "/data/feeds/feeds.sqlite"))
        #expect(try location([], ["HOME": "/home/me", "XDG_DATA_HOME": "/data"]) == chosen)
        #endif
    }
}
