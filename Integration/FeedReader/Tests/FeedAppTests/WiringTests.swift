import DIAssembly
import DICore
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

    /// Asks for a service as its users do, and says under which key.
    private struct Request {
        let key: ServiceKey
        let make: (any Resolver) throws -> Void

        init<Service>(_ type: Service.Type, name: String? = nil) {
            key = ServiceKey(serviceType: type, name: name)
            make = { _ = try $0.require(type, name: name) }
        }

    }

    private var requests: [Request] {
        [
            Request((any DateProvider).self), Request((any TextOutput).self),
            Request((any TextOutput).self, name: OutputName.errors), Request(DataFolder.self),
            Request(InvocationParser.self), Request(Invocation.self), Request(DatabaseLocation.self),
            Request(RefreshLimits.self), Request(FeedVisit.self), Request(FeedReading.self), Request(FeedStoring.self),
            Request(ThreadSafeContainer.self), Request(RefreshUnits.self), Request(RefreshJournal.self),
            Request(FeedRefresher.self),
            Request(Locale.self), Request(TimeZone.self), Request(TextLayout.self), Request(DateText.self),
            Request(ItemTable.self), Request(ItemPage.self), Request(ItemLister.self),
            Request(FeedDetector.self),
            Request(FetchLimits.self), Request(URLSessionConfiguration.self), Request((any FeedFetcher).self),
            Request(SQLiteLibrary.self), Request(SQLiteFeedStore.self), Request((any FeedStore).self),
            Request([FeedSource].self, name: "samples"),
        ]
    }

    @Test("is complete: every registration of the app resolves")
    func complete() throws {
        let app = try TestApp().app(["list"]).assembler
        let unit = Assembler(parentAssembler: app)
        unit.apply { $0.register(Feed.self, instance: feed) }
        for request in requests { try request.make(unit.resolver) }
        let registered = app.resolver.visibleEntries.map(\.key).filter { key in
            !(key.option is Contribution) && key.serviceType != (any Command).self
        }
        #expect(Set(registered) == Set(requests.map(\.key)))
    }

    @Test("fits: nothing is found when it is loaded, nor afterwards")
    func fits() throws {
        let store = try TestApp.makeStore()
        for app in [try RealApp.app(), try RealApp.app([TestApp(store: store)])] {
            let assembler = app.assembler
            #expect(assembler.problems.isEmpty)
            let report = assembler.validate()
            #expect(report.isValid, "\(report)")
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
        #expect(try first.require(RefreshJournal.self) === first.require(RefreshJournal.self))
        #expect(try first.require(RefreshJournal.self) !== second.require(RefreshJournal.self))
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
