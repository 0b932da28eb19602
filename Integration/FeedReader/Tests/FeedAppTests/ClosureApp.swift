import DIAssembly
import DICore
import DIScopes
import DIThreadSafe
import DIWrappers
import FeedApp
import FeedModel
import FeedNetwork
import FeedParsing
import FeedSamples
import FeedStorage
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The services of the reader registered as they would be without initializers: all are closures, and none says what it
/// asks for. The commands are those of the app.
struct ClosureApp: SendableAssembly {
    let output = RecordedOutput()
    let errors = RecordedOutput()
    let arguments: [String]
    let environment: [String: String]

    var externalKeys: [ServiceKey] { [ServiceKey(Feed.self)] }

    /// The app of them.
    func app() throws -> App {
        try App([self]) { ConfinedClosures(shared: $0) }
    }

    func assemble(registrar: any SendableRegistrar) {
        registerSurroundings(in: registrar)
        registerReading(in: registrar)
        registerText(in: registrar)
        registerParts(in: registrar)
    }

    private func registerSurroundings(in registrar: any SendableRegistrar) {
        registrar.register((any DateProvider).self) { _ in FixedDateProvider() }
        registrar.register((any TextOutput).self) { [output] _ in output }
        registrar.register((any TextOutput).self, name: OutputName.errors) { [errors] _ in errors }
        registrar.register(DataFolder.self) { [environment] _ in DataFolder(environment: environment) }
        registrar.register(InvocationParser.self) { _ in InvocationParser() }
        registrar.register(Invocation.self, scope: .container) { [arguments] r in
            try r.require(InvocationParser.self).parse(arguments)
        }
        registrar.register(DatabaseLocation.self) { r in
            try r.require(Invocation.self).database ?? r.require(DataFolder.self).database
        }
    }

    private func registerReading(in registrar: any SendableRegistrar) {
        registrar.register(RefreshLimits.self) { _ in RefreshLimits() }
        registrar.register(FeedVisit.self, scope: .perContainer) { r in FeedVisit(feed: try r.require(Feed.self)) }
        registrar.register(FeedReading.self) { r in
            FeedReading(
                visit: try r.require(FeedVisit.self),
                fetcher: try r.require((any FeedFetcher).self),
                detector: try r.require(FeedDetector.self)
            )
        }
        registrar.register(FeedStoring.self) { r in
            FeedStoring(visit: try r.require(FeedVisit.self), store: try r.require((any FeedStore).self))
        }
    }

    private func registerText(in registrar: any SendableRegistrar) {
        registrar.register(Locale.self) { _ in Locale(identifier: "en_US_POSIX") }
        registrar.register(TimeZone.self) { _ in .gmt }
        registrar.register(TextLayout.self) { _ in TextLayout(columns: 80) }
        registrar.register(DateText.self) { r in
            DateText(
                clock: try r.require((any DateProvider).self),
                locale: try r.require(Locale.self),
                timeZone: try r.require(TimeZone.self)
            )
        }
    }

    private func registerParts(in registrar: any SendableRegistrar) {
        registrar.contribute((any FeedParser).self, name: "RSS") { _ in RSSParser() }
        registrar.contribute((any FeedParser).self, name: "Atom") { _ in AtomParser() }
        registrar.contribute((any FeedParser).self, name: "JSON Feed") { _ in JSONFeedParser() }
        registrar.register(FeedDetector.self) { r in FeedDetector(parsers: try r.requireAll((any FeedParser).self)) }
        registrar.register(FetchLimits.self) { _ in FetchLimits() }
        registrar.register(URLSessionConfiguration.self, scope: .container) { _ in .ephemeral }
        registrar.contribute((any FeedFetcher).self, name: "HTTP", scope: .container) { r in
            HTTPFetcher(
                configuration: try r.require(URLSessionConfiguration.self),
                limits: try r.require(FetchLimits.self)
            )
        }
        registrar.contribute((any FeedFetcher).self, name: "file") { r in
            FileFetcher(limits: try r.require(FetchLimits.self))
        }
        registrar.register((any FeedFetcher).self) { r in
            SchemeFetcher(try r.requireAll((any FeedFetcher).self))
        }
        registrar.register(SQLiteLibrary.self, scope: .container) { _ in try SQLiteLibrary() }
        registrar.register(SQLiteFeedStore.self, scope: .container) { r in
            try SQLiteFeedStore(at: r.require(DatabaseLocation.self), library: r.require(SQLiteLibrary.self))
        }
        .implements((any FeedStore).self) { $0 }
        registrar.contribute((any FeedFetcher).self, name: "sample") { _ in SampleFetcher() }
        registrar.register([FeedSource].self, name: SamplesAssembly.sourcesName) { _ in SampleFeeds.sources }
    }
}

/// What is confined, as closures.
private struct ConfinedClosures: Assembly {
    let shared: ThreadSafeContainer

    var needs: [any Assembly] { [CommandAssembly()] }

    func assemble(container: Container) {
        let shared = shared
        container.register(ThreadSafeContainer.self, scope: .transient) { _ in shared }
        container.register(RefreshUnits.self) { r in RefreshUnits(over: try r.require(ThreadSafeContainer.self)) }
        container.register(RefreshJournal.self, scope: .perContainer) { r in
            RefreshJournal(startedAt: try r.require((any DateProvider).self).now)
        }
        container.register(FeedRefresher.self) { r in
            FeedRefresher(
                units: try r.require(RefreshUnits.self),
                journal: try r.require(RefreshJournal.self),
                limits: try r.require(RefreshLimits.self)
            )
        }
        container.register(ItemTable.self, scope: .transient) { r in
            ItemTable(layout: try r.require(TextLayout.self), dates: try r.require(DateText.self))
        }
        container.register(ItemPage.self) { r in
            ItemPage(layout: try r.require(TextLayout.self), dates: try r.require(DateText.self))
        }
        container.register(ItemLister.self) { r in
            ItemLister(
                store: try r.require(Lazy<any FeedStore>.self),
                table: try r.require(Provider<ItemTable>.self),
                output: try r.require((any TextOutput).self)
            )
        }
    }
}
