import DIAssembly
import DICore
import FeedApp
import FeedModel
import FeedStorage
import Foundation
import Testing

@Suite("The database")
struct LazinessTests {
    /// Counts how often a service is built.
    private final class Counter: Assembly, ResolutionObserver {
        private let type: Any.Type
        private(set) var count = 0
        let interests: ResolutionInterests = .resolutions

        init(_ type: Any.Type) {
            self.type = type
        }

        func assemble(container: Container) {
            container.addObserver(self)
        }

        func observe(_ event: ResolutionEvent) {
            if case .began = event.kind, event.key?.serviceType == type { count += 1 }
        }
    }

    private func openings(_ arguments: String..., app: TestApp = TestApp()) async -> Int {
        let counter = Counter(SQLiteFeedStore.self)
        _ = await Program(app.assembler(arguments, [counter])).run()
        return counter.count
    }

    @Test("is opened once by what reads it")
    func once() async {
        #expect(await openings() == 1)
        #expect(await openings("list") == 1)
        #expect(await openings("refresh") == 1)
        #expect(await openings("show", "1") == 1)
    }

    @Test("is not opened for help, for a command line that cannot be understood, or for a feed that cannot be read")
    func never() async {
        #expect(await openings("--help") == 0)
        #expect(await openings("list", "--help") == 0)
        #expect(await openings("nonsense") == 0)
        #expect(await openings("show", "first") == 0)
        #expect(await openings("add", "/no/such/file") == 0)
    }

    @Test("that is none is one line, and is left as it is")
    func notADatabase() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "feeds-\(UUID().uuidString).txt")
        defer { try? FileManager.default.removeItem(at: url) }
        let diary = Data("Dear diary.".utf8)
        try diary.write(to: url)
        let app = TestApp(database: .file(url))
        #expect(await app.run("list") == 1)
        let path = url.path(percentEncoded: false)
        #expect(app.errors.text == "feeds: \(path): not a database; the file was left as it is.")
        #expect(try Data(contentsOf: url) == diary)
    }

    @Test("needs a library, and says so when it is missing")
    func noLibrary() async {
        struct NoLibrary: Assembly {
            func assemble(container: Container) {
                container.register(SQLiteLibrary.self) { _ in try SQLiteLibrary(names: ["libnowhere.so"]) }
            }
        }
        let app = TestApp()
        #expect(await Program(app.assembler(["list"], [NoLibrary()])).run() == 1)
        #expect(app.errors.lines.count == 1)
        #expect(app.errors.text.hasPrefix("feeds: The SQLite library (libnowhere.so) cannot be loaded: "))
    }

    @Test("gives exit code 64 for a command line that cannot be understood")
    func usage() async {
        let app = TestApp()
        #expect(await app.run("nonsense") == 64)
        #expect(app.errors.text == "feeds: there is no command 'nonsense'; feeds --help lists them.")
        #expect(app.output.text.isEmpty)
    }
}

@Suite("A trace")
struct TraceTests {
    @Test("shows how the services were found, on the output for errors")
    func trace() async {
        let app = TestApp()
        #expect(await app.run("refresh", "--trace") == 0)
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
    func noTrace() async {
        let app = TestApp()
        #expect(await app.run("refresh") == 0)
        #expect(app.errors.text.isEmpty)
    }
}
