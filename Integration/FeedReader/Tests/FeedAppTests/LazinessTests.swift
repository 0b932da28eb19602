import DIAssembly
import DICore
import DIThreadSafe
import FeedApp
import FeedModel
import FeedStorage
import Foundation
import Synchronization
import Testing

@Suite("The database")
struct LazinessTests {
    /// Counts how often a service is built.
    private final class Counter: SendableAssembly, ResolutionObserver, Sendable {
        private let type: Any.Type
        private let begun = Atomic<Int>(0)
        let interests: ResolutionInterests = .resolutions

        init(_ type: Any.Type) {
            self.type = type
        }

        var count: Int { begun.load(ordering: .relaxed) }

        func assemble(registrar: any SendableRegistrar) {
            (registrar as? ThreadSafeContainer)?.addObserver(self)
        }

        func observe(_ event: ResolutionEvent) {
            guard case .began = event.kind, event.key?.serviceType == type else { return }
            begun.wrappingAdd(1, ordering: .relaxed)
        }
    }

    private func openings(_ arguments: String..., app: TestApp = TestApp()) async throws -> Int {
        let counter = Counter(SQLiteFeedStore.self)
        _ = await Program(try app.app(arguments, [counter])).run()
        return counter.count
    }

    @Test("is opened once by what reads it")
    func once() async throws {
        #expect(try await openings() == 1)
        #expect(try await openings("list") == 1)
        #expect(try await openings("refresh") == 1)
        #expect(try await openings("show", "1") == 1)
    }

    @Test("is not opened for help, for a command line that cannot be understood, or for a feed that cannot be read")
    func never() async throws {
        #expect(try await openings("--help") == 0)
        #expect(try await openings("list", "--help") == 0)
        #expect(try await openings("nonsense") == 0)
        #expect(try await openings("show", "first") == 0)
        #expect(try await openings("add", "/no/such/file") == 0)
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
