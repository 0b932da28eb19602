import DIAssembly
import DICore
import DITesting
import FeedApp
import FeedModel
import FeedStorage
import Foundation
import Testing

@Suite("The database")
struct LazinessTests {
    private func expectOpenings(_ count: Int, by arguments: String..., app: TestApp = TestApp()) async throws {
        let app = try app.app(arguments)
        await expectConstructed(SQLiteFeedStore.self, times: count, in: app.shared) { _ = await Program(app).run() }
    }

    @Test("is opened once by what reads it")
    func once() async throws {
        try await expectOpenings(1)
        try await expectOpenings(1, by: "list")
        try await expectOpenings(1, by: "refresh")
        try await expectOpenings(1, by: "show", "1")
    }

    @Test("is not opened for help, for a command line that cannot be understood, or for a feed that cannot be read")
    func never() async throws {
        try await expectOpenings(0, by: "--help")
        try await expectOpenings(0, by: "list", "--help")
        try await expectOpenings(0, by: "nonsense")
        try await expectOpenings(0, by: "show", "first")
        try await expectOpenings(0, by: "add", "/no/such/file")
    }

    @Test("that is none is one line, and is left as it is")
    func notADatabase() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "feeds-\(UUID().uuidString).txt")
        defer { try? FileManager.default.removeItem(at: url) }
        let diary = Data("Dear diary.".utf8)
        try diary.write(to: url)
        let app = TestApp(database: .file(url))
        #expect(try await app.run("list") == 1)
        let path = url.path(percentEncoded: false)
        #expect(app.errors.text == "feeds: \(path): not a database; the file was left as it is.")
        #expect(try Data(contentsOf: url) == diary)
    }

    @Test("needs a library, and says so when it is missing")
    func noLibrary() async throws {
        struct NoLibrary: SendableAssembly {
            func assemble(registrar: any SendableRegistrar) {
                registrar.register(SQLiteLibrary.self) { _ in try SQLiteLibrary(names: ["libnowhere.so"]) }
            }
        }
        let app = TestApp()
        #expect(await Program(try app.app(["list"], [NoLibrary()])).run() == 1)
        #expect(app.errors.lines.count == 1)
        #expect(app.errors.text.hasPrefix("feeds: The SQLite library (libnowhere.so) cannot be loaded: "))
    }

    @Test("gives exit code 64 for a command line that cannot be understood")
    func usage() async throws {
        let app = TestApp()
        #expect(try await app.run("nonsense") == 64)
        #expect(app.errors.text == "feeds: there is no command 'nonsense'; feeds --help lists them.")
        #expect(app.output.text.isEmpty)
    }
}

@Suite("A trace")
struct TraceTests {
    @Test("shows how the services were found, on the output for errors")
    func trace() async throws {
        let app = TestApp()
        #expect(try await app.run("refresh", "--trace") == 0)
        let names = app.errors.lines.map { line in
            line.replacing(#/ {2}<?[0-9.]+ (µs|ms)$/#, with: "")
        }
        #expect(
            names == [
                "trace: Command named \"refresh\"",
                "├─ FeedStore (later)",
                "├─ FeedRefresher (later)",
                "├─ RefreshJournal",
                "│  └─ DateProvider",
                "├─ TextLayout",
                "└─ TextOutput",
                "trace: SQLiteFeedStore",
                "├─ DatabaseLocation",
                "└─ SQLiteLibrary",
                "trace: RefreshJournal (reused)",
            ]
        )
    }

    @Test("is not shown unless it is asked for")
    func noTrace() async throws {
        let app = TestApp()
        #expect(try await app.run("refresh") == 0)
        #expect(app.errors.text.isEmpty)
    }
}
