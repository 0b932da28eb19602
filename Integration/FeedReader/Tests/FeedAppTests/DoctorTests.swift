import DIAssembly
import DICore
import FeedApp
import FeedModel
import FeedStorage
import Foundation
import Testing

@Suite("The doctor")
struct DoctorTests {
    private func withoutLines(_ text: String) -> String {
        text.replacing(#/\.swift:[0-9]+/#, with: ".swift")
    }

    @Test("finds nothing wrong with the app, and nothing that it cannot look into")
    func golden() async throws {
        let text = try await RealApp.look(.doctor(.text))
        #expect(
            text == """
                wiring: 0 problems, 0 remarks; checked 57 edges from initializers, 11 declared, 0 observed, 1 forwarded
                """
        )
    }

    @Test("has a form for programs")
    func json() async throws {
        struct Report: Decodable {
            struct Problem: Decodable {
                let kind: String
                let isAdvice: Bool
                let key: String
            }
            let version: Int
            let isValid: Bool
            let problems: [Problem]
        }
        struct Closure {}
        let app = try RealApp.assembler()
        app.apply { $0.register(Closure.self) { _ in Closure() } }
        let text = try await RealApp.look(.doctor(.json), at: app)
        let report = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
        #expect(report.version == 1)
        #expect(report.isValid)
        #expect(report.problems.map(\.kind) == ["unused", "notAnalysable"])
        #expect(report.problems.allSatisfy { $0.isAdvice && $0.key.hasSuffix("Closure") })
    }

    @Test("says what is missing and who needs it, and has exit code 1")
    func missing() async throws {
        let app = TestApp()
        let without = Without {
            $0.remove(SQLiteLibrary.self)
            $0.remove(TimeZone.self)
        }
        let lacking = try app.app(["doctor"], [without])
        #expect(await Program(lacking).run() == 1)
        let text = withoutLines(app.output.text)
        #expect(
            text.contains(
                """
                [missing] SQLiteLibrary is not registered
                  - needed by SQLiteFeedStore, parameter 2  (FeedStorage/StorageAssembly.swift, StorageAssembly)
                """
            ),
            "\(text)"
        )
        #expect(
            text.contains(
                """
                [missing] TimeZone is not registered
                  - needed by DateText, parameter 3  (FeedApp/AppAssembly.swift, AppAssembly)
                """
            ),
            "\(text)"
        )
        #expect(app.errors.text == "feeds: the wiring does not fit: 2 problems.")
        // Whoever loads it is told as well.
        #if DEBUG
        #expect(lacking.assembler.problems.count == 1)
        #endif
    }

    @Test("is pointed to by a command that cannot be built")
    func missingAtRun() async throws {
        let app = TestApp()
        let lacking = try app.app(["list"], [Without { $0.remove(SQLiteLibrary.self) }])
        #expect(await Program(lacking).run() == 1)
        #expect(app.output.text.isEmpty)
        #expect(
            app.errors.text == "feeds: [notRegistered] SQLiteLibrary is not registered; feeds doctor says more."
        )
    }

    @Test("says what nobody asks for")
    func unused() async throws {
        struct Spare {}
        let app = try RealApp.assembler()
        app.apply { $0.register(Spare.self, instance: Spare()) }
        let text = try await RealApp.look(.doctor(.text), at: app)
        #expect(text.contains("[unused] Spare is asked for by nobody"), "\(text)")
    }

    @Test("opens no database and reads nothing")
    func constructsNothing() async throws {
        let app = TestApp(database: .file(URL(filePath: "/no/such/folder/feeds.sqlite")))
        #expect(try await app.run("doctor") == 0)
        #expect(app.errors.text.isEmpty)
    }
}
