import FeedModel

/// A compiled statement, to be run any number of times with different values.
///
/// Ends with its scope: it cannot be copied, so SQLite is told exactly once.
package struct SQLiteStatement: ~Copyable {
    private let database: SQLiteDatabase
    private let handle: OpaquePointer

    /// Compiles one statement. Throws `FeedError.databaseFailed` if the SQL is wrong.
    init(_ sql: StaticString, in database: SQLiteDatabase) throws {
        var handle: OpaquePointer?
        let code = sql.withUTF8Buffer { buffer in
            buffer.withMemoryRebound(to: CChar.self) { characters in
                guard let start = characters.baseAddress else { return SQLiteCode.ok }
                return database.library.prepare(
                    database.handle,
                    start,
                    Int32(characters.count),
                    &handle,
                    nil
                )
            }
        }
        guard code == SQLiteCode.ok, let handle else { throw database.failure(code) }
        self.database = database
        self.handle = handle
    }

    deinit {
        _ = database.library.finalize(handle)
    }

    /// Runs the statement to its end. There must be one value for each parameter.
    package func run(_ values: [SQLiteValue] = []) throws {
        try start(values)
        defer { _ = database.library.reset(handle) }
        while try step() {}
    }

    /// Runs the statement and makes something of each row.
    package func rows<Element>(
        _ values: [SQLiteValue] = [],
        transform: (SQLiteRow) throws -> Element
    ) throws -> [Element] {
        try start(values)
        defer { _ = database.library.reset(handle) }
        var elements: [Element] = []
        while try step() {
            elements.append(try transform(SQLiteRow(library: database.library, handle: handle)))
        }
        return elements
    }

    private func start(_ values: [SQLiteValue]) throws {
        let library = database.library
        let expected = Int(library.parameterCount(handle))
        guard values.count == expected else {
            throw FeedError.databaseFailed(
                path: database.path,
                reason: "a statement takes \(expected) values and was given \(values.count)"
            )
        }
        for (index, value) in zip(Int32(1)..., values) {
            let code =
                switch value {
                case .null: library.bindNull(handle, index)
                case .integer(let number): library.bindInteger(handle, index, number)
                case .real(let number): library.bindReal(handle, index, number)
                case .text(let text): bind(text, at: index)
                }
            guard code == SQLiteCode.ok else { throw database.failure(code) }
        }
    }

    private func bind(_ text: String, at index: Int32) -> Int32 {
        text.withCString { characters in
            database.library.bindText(handle, index, characters, Int32(text.utf8.count), SQLiteCode.copyText)
        }
    }

    /// Whether there is another row.
    private func step() throws -> Bool {
        switch database.library.step(handle) {
        case SQLiteCode.row: return true
        case SQLiteCode.done: return false
        case let code: throw database.failure(code)
        }
    }
}
