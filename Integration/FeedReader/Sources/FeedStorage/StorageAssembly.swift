public import DIAssembly
public import DICore
import DIScopes
import FeedModel

/// Storing in SQLite: the library, and one store on one connection.
///
/// Needs a `DatabaseLocation`, which the app registers: where its data lies is for an app to say.
public struct StorageAssembly: SendableAssembly {
    /// There is nothing to set.
    public init() {}

    /// Registers the library and the store, which is `any FeedStore` as well.
    ///
    /// Neither is touched before the first request for it: the library is loaded and the file is opened then.
    public func assemble(registrar: any SendableRegistrar) {
        registrar.register(SQLiteLibrary.self, scope: .container) { _ in try SQLiteLibrary() }.dependsOnNothing()
        registrar.autoregister(SQLiteFeedStore.self, scope: .container, initializer: SQLiteFeedStore.init)
            .implements((any FeedStore).self) { $0 }
    }
}
