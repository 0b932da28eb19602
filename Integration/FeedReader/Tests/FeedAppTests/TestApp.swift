import DIAssembly
import DICore
import FeedApp
import FeedModel
import FeedNetwork
import FeedStorage
import Foundation

/// The real app, with a clock that stands still, a database in memory and outputs that are remembered.
struct TestApp: Assembly {
    let output = RecordedOutput()
    let errors = RecordedOutput()
    var fetcher = StubFetcher(pages: [:])
    var database = DatabaseLocation.memory
    /// A store that several runs share, in place of that of the app.
    var store: (any FeedStore)?

    func assemble(container: Container) {
        container.register((any DateProvider).self, instance: FixedDateProvider())
        container.register(TimeZone.self, instance: .gmt)
        container.register((any TextOutput).self, instance: output)
        container.register((any TextOutput).self, name: OutputName.errors, instance: errors)
        container.register(DatabaseLocation.self, instance: database)
        container.register((any FeedFetcher).self) { [fetcher] r in
            // In front of the real ones.
            SchemeFetcher([fetcher] + (try r.requireAll((any FeedFetcher).self)))
        }
        .dependsOn([any FeedFetcher].self)
        if let store {
            // Not one more claim to what the store of the app is known as, but another one in its place.
            container.remove((any FeedStore).self)
            container.register((any FeedStore).self, instance: store)
        }
    }

    /// An assembler for one command line.
    func assembler(_ arguments: [String], _ more: [any Assembly] = []) -> Assembler {
        Assembler([AppAssembly(arguments: arguments, environment: [:]), self] + more)
    }

    /// Runs the program once.
    func run(_ arguments: String...) async -> Int32 {
        await Program(assembler(arguments)).run()
    }

    /// A store in memory.
    static func makeStore() throws -> SQLiteFeedStore {
        try SQLiteFeedStore(at: .memory, library: SQLiteLibrary())
    }

    static let date = FixedDateProvider().now
}
