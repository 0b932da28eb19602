import DIAssembly
import DICore
import FeedApp
import FeedModel
import FeedStorage
import Foundation
import Testing

@Suite("The doctor")
struct DoctorTests {
    /// Takes registrations away.
    private struct Without: Assembly {
        let remove: (Container) -> Void

        func assemble(container: Container) { remove(container) }
    }

    private func withoutLines(_ text: String) -> String {
        text.replacing(#/\.swift:[0-9]+/#, with: ".swift")
    }

    @Test("finds nothing wrong with the app, and says what cannot be seen")
    func golden() async throws {
        let text = try await RealApp.look(.doctor(.text))
        #expect(
            withoutLines(text) == """
                wiring: 0 problems, 1 remark; checked 52 edges from initializers, 11 declared, 0 observed, 1 forwarded
                [notAnalysable] 1 closure does not say what is asked for:
                  - FeedReadings  (FeedApp/AppAssembly.swift, AppAssembly)
                  → register an initializer, say dependsOn, or record a run
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
        let text = try await RealApp.look(.doctor(.json))
        let report = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
        #expect(report.version == 1)
        #expect(report.isValid)
        #expect(report.problems.map(\.kind) == ["notAnalysable"])
        #expect(report.problems.map(\.key) == ["FeedReadings"])
    }

    @Test("says what is missing and who needs it, and has exit code 1")
    func missing() async throws {
        let app = TestApp()
        let without = Without {
            $0.remove(SQLiteLibrary.self)
            $0.remove(TimeZone.self)
        }
        let assembler = app.assembler(["doctor"], [without])
        #expect(await Program(assembler).run() == 1)
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
        #expect(assembler.problems.count == 1)
        #endif
    }

    @Test("is pointed to by a command that cannot be built")
    func missingAtRun() async throws {
        let app = TestApp()
        let assembler = app.assembler(["list"], [Without { $0.remove(SQLiteLibrary.self) }])
        #expect(await Program(assembler).run() == 1)
        #expect(app.output.text.isEmpty)
        #expect(
            app.errors.text == "feeds: [notRegistered] SQLiteLibrary is not registered; feeds doctor says more."
        )
    }

    @Test("says what nobody asks for")
    func unused() async throws {
        struct Spare {}
        let app = RealApp.assembler()
        app.apply { $0.register(Spare.self, instance: Spare()) }
        let text = try await RealApp.look(.doctor(.text), at: app)
        #expect(text.contains("[unused] Spare is asked for by nobody"), "\(text)")
    }

    @Test("opens no database and reads nothing")
    func constructsNothing() async throws {
        let app = TestApp(database: .file(URL(filePath: "/no/such/folder/feeds.sqlite")))
        #expect(await app.run("doctor") == 0)
        #expect(app.errors.text.isEmpty)
    }
}
