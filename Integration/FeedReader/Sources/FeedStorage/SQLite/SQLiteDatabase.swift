import FeedModel
import Foundation

/// One connection to a database.
///
/// Not `Sendable`: whoever shares it guards it. SQL is a `StaticString`, so a value can only reach a statement as a
/// parameter.
package final class SQLiteDatabase {
    let library: SQLiteLibrary
    let handle: OpaquePointer
    /// What errors name: the path, or `:memory:`.
    let path: String

    /// Where the content is.
    package enum Location: Hashable, Sendable {
        case file(path: String)
        /// Gone with the connection.
        case memory
    }

    /// How long a write waits for another process.
    private static let busyTimeoutInMilliseconds: Int32 = 5000

    /// Opens a file, creating it if there is none.
    ///
    /// Throws `FeedError.notADatabase` before anything is written if the file holds something else, and
    /// `FeedError.databaseFailed` if it cannot be opened.
    package init(_ location: Location, library: SQLiteLibrary) throws {
        let path =
            switch location {
            case .file(let path): path
            case .memory: ":memory:"
            }
        if case .file(let path) = location { try Self.checkHeader(of: path) }
        var handle: OpaquePointer?
        let flags = SQLiteCode.openReadWrite | SQLiteCode.openCreate | SQLiteCode.openNoMutex
        let code = library.open(path, &handle, flags, nil)
        guard let handle else {
            throw FeedError.databaseFailed(path: path, reason: "there is no memory for it")
        }
        self.library = library
        self.handle = handle
        self.path = path
        // From here on `deinit` closes the connection; SQLite hands one out even if it could not open the file.
        guard code == SQLiteCode.ok else { throw failure(code) }
        _ = library.setBusyTimeout(handle, Self.busyTimeoutInMilliseconds)
        // SQLite looks into a file at the first question and not before.
        _ = try query("SELECT count(*) FROM sqlite_master") { _ in }
    }

    /// SQLite makes the same check, but takes a file of one byte for an empty one and overwrites it.
    private static func checkHeader(of path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else { return }
        defer { try? file.close() }
        let header = Array("SQLite format 3\0".utf8)
        if let start = try? file.read(upToCount: header.count), !start.isEmpty, !start.elementsEqual(header) {
            throw FeedError.notADatabase(path: path)
        }
    }

    deinit {
        _ = library.close(handle)
    }

    /// How many rows the last statement changed.
    package var changes: Int { Int(library.changes(handle)) }

    /// Compiles a statement that is run more than once.
    package func prepare(_ sql: StaticString) throws -> SQLiteStatement {
        try SQLiteStatement(sql, in: self)
    }

    /// Runs a statement once.
    package func run(_ sql: StaticString, _ values: [SQLiteValue] = []) throws {
        try prepare(sql).run(values)
    }

    /// Runs a statement once and makes something of each row.
    package func query<Element>(
        _ sql: StaticString,
        _ values: [SQLiteValue] = [],
        transform: (SQLiteRow) throws -> Element
    ) throws -> [Element] {
        try prepare(sql).rows(values, transform: transform)
    }

    /// Makes several statements take effect together, or none of them if `body` throws.
    ///
    /// The right to write is taken at the start, so what `body` reads is still true when it writes. Must not be
    /// nested.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // Fails where SQLite has rolled back by itself, for want of space for example; the cause is what matters.
            try? run("ROLLBACK")
            throw error
        }
    }

    /// The error for a code that the last call returned.
    func failure(_ code: Int32) -> FeedError {
        // The upper bits hold details of the same error.
        switch code & 0xFF {
        case SQLiteCode.notADatabase:
            return .notADatabase(path: path)
        case SQLiteCode.cannotOpen:
            return .databaseFailed(path: path, reason: "the file cannot be opened or created")
        default:
            let message = library.errorMessage(handle).map { String(cString: $0) } ?? "error \(code)"
            return .databaseFailed(path: path, reason: message)
        }
    }
}
