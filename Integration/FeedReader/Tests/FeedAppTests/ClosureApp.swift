import DIAssembly
import DICore
import DIScopes
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
struct ClosureApp: Assembly {
    let output = RecordedOutput()
    let errors = RecordedOutput()
    let arguments: [String]
    let environment: [String: String]

    var needs: [any Assembly] { [CommandAssembly()] }

    func assemble(container: Container) {
        registerSurroundings(in: container)
        registerReading(in: container)
        registerText(in: container)
        registerParts(in: container)
    }

    private func registerSurroundings(in container: Container) {
        container.register((any DateProvider).self) { _ in FixedDateProvider() }
        container.register((any TextOutput).self) { [output] _ in output }
        container.register((any TextOutput).self, name: OutputName.errors) { [errors] _ in errors }
        container.register(DataFolder.self) { [environment] _ in DataFolder(environment: environment) }
        container.register(InvocationParser.self) { _ in InvocationParser() }
        container.register(Invocation.self, scope: .container) { [arguments] r in
            try r.require(InvocationParser.self).parse(arguments)
        }
        container.register(DatabaseLocation.self) { r in
            try r.require(Invocation.self).database ?? r.require(DataFolder.self).database
        }
    }

    private func registerReading(in container: Container) {
        container.register(FeedReading.self) { (r, feed: Feed) in
            FeedReading(
                feed: feed,
                fetcher: try r.require((any FeedFetcher).self),
                detector: try r.require(FeedDetector.self)
            )
        }
        container.register(RefreshJournal.self, scope: .perContainer) { r in
            RefreshJournal(startedAt: try r.require((any DateProvider).self).now)
        }
        container.register(FeedReadings.self) { r in
            FeedReadings { feed in try r.require(FeedReading.self, argument: feed) }
        }
        container.register(FeedRefresher.self) { r in
            FeedRefresher(
                store: try r.require(Lazy<any FeedStore>.self),
                journal: try r.require(RefreshJournal.self),
                readings: try r.require(FeedReadings.self)
            )
        }
    }

    private func registerText(in container: Container) {
        container.register(Locale.self) { _ in Locale(identifier: "en_US_POSIX") }
        container.register(TimeZone.self) { _ in .gmt }
        container.register(TextLayout.self) { _ in TextLayout(columns: 80) }
        container.register(DateText.self) { r in
            DateText(
                clock: try r.require((any DateProvider).self),
                locale: try r.require(Locale.self),
                timeZone: try r.require(TimeZone.self)
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

    private func registerParts(in container: Container) {
        container.contribute((any FeedParser).self, name: "RSS") { _ in RSSParser() }
        container.contribute((any FeedParser).self, name: "Atom") { _ in AtomParser() }
        container.contribute((any FeedParser).self, name: "JSON Feed") { _ in JSONFeedParser() }
        container.register(FeedDetector.self) { r in FeedDetector(parsers: try r.requireAll((any FeedParser).self)) }
        container.register(FetchLimits.self) { _ in FetchLimits() }
        container.register(URLSessionConfiguration.self, scope: .container) { _ in .ephemeral }
        container.contribute((any FeedFetcher).self, name: "HTTP", scope: .container) { r in
            HTTPFetcher(
                configuration: try r.require(URLSessionConfiguration.self),
                limits: try r.require(FetchLimits.self)
            )
        }
        container.contribute((any FeedFetcher).self, name: "file") { r in
            FileFetcher(limits: try r.require(FetchLimits.self))
        }
        container.register((any FeedFetcher).self) { r in
            SchemeFetcher(try r.requireAll((any FeedFetcher).self))
        }
        container.register(SQLiteLibrary.self, scope: .container) { _ in try SQLiteLibrary() }
        container.register(SQLiteFeedStore.self, scope: .container) { r in
            try SQLiteFeedStore(at: r.require(DatabaseLocation.self), library: r.require(SQLiteLibrary.self))
        }
        .implements((any FeedStore).self) { $0 }
        container.contribute((any FeedFetcher).self, name: "sample") { _ in SampleFetcher() }
        container.register([FeedSource].self, name: SamplesAssembly.sourcesName) { _ in SampleFeeds.sources }
    }
}
