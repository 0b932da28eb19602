import DIAssembly
import DICore
import FeedApp
import FeedModel
import FeedNetwork
import FeedStorage
import Foundation

/// The real app, with a clock that stands still, a database in memory and outputs that are remembered.
struct TestApp: SendableAssembly {
    let output = RecordedOutput()
    let errors = RecordedOutput()
    var fetcher: any FeedFetcher = StubFetcher(pages: [:])
    var database = DatabaseLocation.memory
    var limits = RefreshLimits()
    /// A store that several runs share, in place of that of the app.
    var store: (any FeedStore)?

    func assemble(registrar: any SendableRegistrar) {
        registrar.register((any DateProvider).self, instance: FixedDateProvider())
        registrar.register(TimeZone.self, instance: .gmt)
        registrar.register((any TextOutput).self, instance: output)
        registrar.register((any TextOutput).self, name: OutputName.errors, instance: errors)
        registrar.register(DatabaseLocation.self, instance: database)
        registrar.register(RefreshLimits.self, instance: limits)
        registrar.register((any FeedFetcher).self) { [fetcher] r in
            // In front of the real ones.
            SchemeFetcher([fetcher] + (try r.requireAll((any FeedFetcher).self)))
        }
        .dependsOn([any FeedFetcher].self)
        if let store {
            // Not one more claim to what the store of the app is known as, but another one in its place.
            Without { $0.remove((any FeedStore).self) }.assemble(registrar: registrar)
            registrar.register((any FeedStore).self, instance: store)
        }
    }

    /// The app for one command line.
    func app(_ arguments: [String], _ more: [any SendableAssembly] = []) throws -> App {
        try App([AppAssembly(arguments: arguments, environment: [:]), self] + more)
    }

    /// Runs the program once.
    func run(_ arguments: String...) async throws -> Int32 {
        await Program(try app(arguments)).run()
    }

    /// A store in memory.
    static func makeStore() throws -> SQLiteFeedStore {
        try SQLiteFeedStore(at: .memory, library: SQLiteLibrary())
    }

    static let date = FixedDateProvider().now
}

/// Takes registrations of the app away.
struct Without: SendableAssembly {
    let remove: (any ContainerProtocol) -> Void

    init(_ remove: @escaping (any ContainerProtocol) -> Void) {
        self.remove = remove
    }

    func assemble(registrar: any SendableRegistrar) {
        guard let container = registrar as? any ContainerProtocol else { return }
        remove(container)
    }
}
