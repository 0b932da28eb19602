public import FeedModel
import Foundation
import Synchronization

/// Keeps feeds in an SQLite database.
///
///     let store = try SQLiteFeedStore(at: .file(url), library: SQLiteLibrary())
///
/// Needs no set-up: the file is created and brought to the present version when it is opened. Every call that
/// changes something is one transaction. Calls from several tasks take turns on one connection; other processes
/// may use the file at the same time.
public final class SQLiteFeedStore: FeedStore {
    /// Its methods are in `SQLiteFeedStore+Feeds.swift` and `+Items.swift`.
    let database: Mutex<SQLiteDatabase>

    /// Opens or creates the database.
    ///
    /// Throws `FeedError.notADatabase`, `foreignDatabase` or `databaseTooNew` and leaves the file as it is, or
    /// `databaseFailed`.
    public init(at location: DatabaseLocation, library: SQLiteLibrary) throws {
        let database =
            switch location {
            case .memory: try SQLiteDatabase(.memory, library: library)
            case .file(let url): try Self.open(url, library: library)
            }
        try Schema.prepare(database)
        self.database = Mutex(database)
    }

    private static func open(_ url: URL, library: SQLiteLibrary) throws -> SQLiteDatabase {
        let path = url.path(percentEncoded: false)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
        } catch {
            throw FeedError.databaseFailed(path: path, reason: "its directory cannot be created")
        }
        return try SQLiteDatabase(.file(path: path), library: library)
    }

    /// Asks one question on the connection, alone. A single statement sees one state of the database by itself.
    ///
    /// The body is `@Sendable` so that it cannot keep the connection: it has nowhere to put it.
    func read<Result: Sendable>(_ body: @Sendable (SQLiteDatabase) throws -> Result) throws -> Result {
        try database.withLock { try body($0) }
    }

    /// Runs one unit of work on the connection, alone and as a whole.
    func transaction<Result: Sendable>(_ body: @Sendable (SQLiteDatabase) throws -> Result) throws -> Result {
        try database.withLock { database in
            try database.transaction { try body(database) }
        }
    }
}
