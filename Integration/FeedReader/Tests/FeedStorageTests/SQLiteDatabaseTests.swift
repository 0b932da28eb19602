import FeedModel
import FeedStorage
import Foundation
import Testing

@Suite("A database")
struct SQLiteDatabaseTests {
    private func memory() throws -> SQLiteDatabase {
        try SQLiteDatabase(.memory, library: SQLiteLibrary())
    }

    @Test("gives back the values it was given")
    func values() throws {
        let database = try memory()
        let values: [SQLiteValue] = [
            .integer(.min), .real(0.1), .text("caf\u{e9} 'x'; DROP TABLE t"), .text(""), .text("a\u{0}b"), .null,
        ]
        let rows = try database.query("SELECT ?, ?, ?, ?, ?, ?", values) { row in
            #expect(row.integer(0) == .min)
            #expect(row.text(1) == "0.1")
            return (2...5).map { row.optionalText($0) }
        }
        #expect(rows == [["café 'x'; DROP TABLE t", "", "a\u{0}b", nil]])
    }

    @Test("runs one compiled statement again and again")
    func statements() throws {
        let database = try memory()
        try database.run("CREATE TABLE t (n)")
        let insert = try database.prepare("INSERT INTO t VALUES (?)")
        for number in 1...3 {
            try insert.run([.integer(Int64(number))])
            #expect(database.changes == 1)
        }
        #expect(try database.query("SELECT n FROM t ORDER BY n") { $0.integer(0) } == [1, 2, 3])
    }

    @Test("says what is wrong with a statement")
    func wrongSQL() throws {
        let database = try memory()
        #expect(
            throws: FeedError.databaseFailed(path: ":memory:", reason: "near \"SELEKT\": syntax error")
        ) { try database.run("SELEKT 1") }
        #expect(throws: FeedError.self) { try database.run("SELECT * FROM nowhere") }
        #expect(throws: FeedError.self) { try database.run("") }
    }

    @Test("refuses another number of values than the statement takes")
    func wrongValues() throws {
        let database = try memory()
        let reason = "a statement takes 1 values and was given 2"
        #expect(throws: FeedError.databaseFailed(path: ":memory:", reason: reason)) {
            try database.run("SELECT ?", [.null, .null])
        }
    }

    @Test("keeps nothing of a transaction that failed, and all of one that did not")
    func transactions() throws {
        struct Failure: Error {}
        let database = try memory()
        try database.run("CREATE TABLE t (n UNIQUE)")
        #expect(throws: Failure.self) {
            try database.transaction {
                try database.run("INSERT INTO t VALUES (1)")
                throw Failure()
            }
        }
        #expect(throws: FeedError.self) {
            try database.transaction {
                try database.run("INSERT INTO t VALUES (2)")
                try database.run("INSERT INTO t VALUES (2)")
            }
        }
        try database.transaction { try database.run("INSERT INTO t VALUES (3)") }
        #expect(try database.query("SELECT n FROM t") { $0.integer(0) } == [3])
    }

    @Test("stays usable after a row's closure threw")
    func throwingRow() throws {
        struct Failure: Error {}
        let database = try memory()
        #expect(throws: Failure.self) { try database.query("SELECT 1") { _ in throw Failure() } }
        try database.transaction { try database.run("CREATE TABLE t (n)") }
    }
}

@Suite("The SQLite library")
struct SQLiteLibraryTests {
    @Test("is found without any set-up, from several tasks at once")
    func found() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<8 { group.addTask { _ = try SQLiteLibrary() } }
        }
    }

    @Test("is looked for under each name in turn")
    func names() throws {
        _ = try SQLiteLibrary(names: ["libno-such-library.so"] + SQLiteLibrary.defaultNames)
    }

    @Test("that is missing is one clear error")
    func missing() throws {
        let error = #expect(throws: FeedError.self) { try SQLiteLibrary(names: ["libno-such-library.so"]) }
        guard case .sqliteMissing(["libno-such-library.so"], let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("libno-such-library.so"))
        #expect(throws: FeedError.sqliteMissing(names: [], reason: "no name was given")) {
            try SQLiteLibrary(names: [])
        }
    }

    #if os(Linux)
    @Test("that is another library is one clear error")
    func other() {
        let reason = "it has no function sqlite3_open_v2"
        #expect(throws: FeedError.sqliteMissing(names: ["libm.so.6"], reason: reason)) {
            try SQLiteLibrary(names: ["libm.so.6"])
        }
    }
    #endif
}
