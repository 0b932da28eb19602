import DIAssembly
import DICore
import DIScopes
import DITestSupport
import DIWrappers
import Foundation
import Testing

private protocol Animal: AnyObject {}
private protocol Vehicle: AnyObject {}
private final class Cat: Animal {}
private struct Clock {}
private struct Report { let title: String }
private struct Badge { let animal: any Animal }

@Suite("The pages of the errors")
struct ErrorPagesTests {
    @Test("Every code has a page, which begins with the code, and every page is of a code")
    func pages() throws {
        let codes = try Documents.errorCodes()
        #expect(codes.count >= 9)
        #expect(codes.contains("notRegistered"))
        let pages = Documents.paths.filter { $0.hasPrefix("Docs/Errors/") }
        #expect(Set(pages) == Set((codes + ["wiring"]).map { "Docs/Errors/\($0).md" }))
        for code in codes {
            #expect(try Documents.text(of: "Docs/Errors/\(code).md").hasPrefix("# \(code)\n"), "\(code)")
        }
    }

    @Test("Every page has code that causes its error, the text that it prints, and ways out")
    func parts() throws {
        for code in try Documents.errorCodes() {
            let path = "Docs/Errors/\(code).md"
            let blocks = try Documents.blocks(in: path)
            #expect(blocks.contains { $0.label?.hasPrefix("sample: error-") == true }, "\(path) has no sample")
            let texts = blocks.filter { $0.label?.hasPrefix("output: error-") == true }.map(\.text)
            #expect(texts.contains { $0.contains("[\(code)] ") }, "\(path) does not show its text")
            #expect(try Documents.text(of: path).contains("\n## Ways out\n"), "\(path)")
        }
    }

    @Test("The page of the wiring has every kind of problem, and its text")
    func kinds() throws {
        let text = try Documents.text(of: "Docs/Errors/wiring.md")
        for kind in WiringReport.Kind.allCases {
            #expect(text.contains("\n## \(kind)\n"), "\(kind) has no section")
            #expect(text.contains("\n[\(kind)] "), "\(kind) has no text")
        }
    }

    @Test("notRegistered")
    func notRegistered() throws {
        let error = try #require(throws: ResolutionError.self) {
            // sample: error-not-registered
            let container = Container()
            container.register(String.self, name: "title") { _ in "Yearly figures" }
            container.register(Report.self) { r in Report(title: try r.require(String.self)) }
            _ = try container.require(Report.self)
            // end sample
        }
        try Output.expect("error-not-registered", Output.withoutPlaces(error))
        #expect(error.code == .notRegistered)
    }

    @Test("argumentsMismatch")
    func argumentsMismatch() throws {
        let error = try #require(throws: ResolutionError.self) {
            // sample: error-arguments-mismatch
            let container = Container()
            container.register(Badge.self) { (_, animal: any Animal) in Badge(animal: animal) }
            _ = try container.require(Badge.self, argument: Cat())
            // end sample
        }
        try Output.expect("error-arguments-mismatch", Output.withoutPlaces(error))
        let container = Container()
        container.register(Badge.self) { (_, animal: any Animal) in Badge(animal: animal) }
        let cat = Cat()
        // sample: error-arguments-mismatch-as
        let badge = try container.require(Badge.self, argument: cat, as: (any Animal).self)
        // end sample
        #expect(badge.animal === cat)
    }

    @Test("circular")
    func circular() throws {
        let error = try #require(throws: ResolutionError.self) {
            // sample: error-circular
            final class Hen { init(_ egg: Egg) {} }
            final class Egg { init(_ hen: Hen) {} }

            let container = Container()
            container.autoregister(Hen.self, initializer: Hen.init)
            container.autoregister(Egg.self, initializer: Egg.init)
            _ = try container.require(Hen.self)
            // end sample
        }
        try Output.expect("error-circular", Output.withoutPlaces(error))
    }

    @Test("depthExceeded")
    func depthExceeded() throws {
        let error = try #require(throws: ResolutionError.self) {
            // sample: error-depth-exceeded
            let container = Container()
            container.register(Clock.self) { (r, hour: Int) in try r.require(Clock.self, argument: hour + 1) }
            _ = try container.require(Clock.self, argument: 0)
            // end sample
        }
        try Output.expect("error-depth-exceeded", Output.withoutPlaces(error))
    }

    @Test("typeMismatch")
    func typeMismatch() throws {
        let error = try #require(throws: ResolutionError.self) {
            // sample: error-type-mismatch
            let container = Container()
            container.register(Cat.self) { _ in Cat() }
                .implements((any Vehicle).self)
            _ = try container.require((any Vehicle).self)
            // end sample
        }
        try Output.expect("error-type-mismatch", Output.withoutPlaces(error))
    }

    @Test("factoryThrew")
    func factoryThrew() throws {
        let error = try #require(throws: ResolutionError.self) {
            // sample: error-factory-threw
            struct Full: Error {}

            let container = Container()
            container.register(Clock.self) { _ in throw Full() }
            container.register(Badge.self) { r in
                _ = try r.require(Clock.self)
                return Badge(animal: Cat())
            }
            _ = try container.require(Badge.self)
            // end sample
        }
        try Output.expect("error-factory-threw", Output.withoutPlaces(error))
    }

    @Test("containerGone")
    func containerGone() throws {
        let error = try #require(throws: ResolutionError.self) {
            // sample: error-container-gone
            final class Wall {
                let clock: Lazy<Clock>
                init(clock: Lazy<Clock>) { self.clock = clock }
            }

            var container: Container? = Container()
            container?.register(Clock.self) { _ in Clock() }
            container?.autoregister(Wall.self, scope: .container, initializer: Wall.init)
            let wall = try container?.require(Wall.self)
            container = nil
            _ = try wall?.clock.get()
            // end sample
        }
        try Output.expect("error-container-gone", Output.withoutPlaces(error))
    }

    @Test("scopeChanged")
    func scopeChanged() throws {
        let recorder = EventRecorder(.failures)
        let container = Container()
        container.addObserver(recorder)
        // sample: error-scope-changed
        let entry = container.register((any Animal).self) { _ in Cat() }
        _ = try container.require((any Animal).self)
        entry.inObjectScope(.container)  // observers are told
        // end sample
        try Output.expect("error-scope-changed", Output.withoutPlaces(try #require(recorder.failures.first)))
    }

    @Test("invalidWiring")
    func invalidWiring() throws {
        let recorder = EventRecorder(.failures)
        // sample: error-invalid-wiring
        struct ReportAssembly: Assembly {
            func assemble(container: Container) {
                container.autoregister(Report.self, initializer: Report.init)
            }
        }

        let assembler = Assembler(validation: .always)
        assembler.addObserver(recorder)
        assembler.apply(assembly: ReportAssembly())
        // end sample
        try Output.expect("error-invalid-wiring", Output.withoutPlaces(try #require(recorder.failures.first)))
    }

    @Test("notSendable")
    func notSendable() throws {
        let error = try #require(throws: ResolutionError.self) {
            // sample: error-not-sendable
            let container = Container()
            container.register(Clock.self, scope: .container) { _ in Clock() }
            _ = try container.require(SendableLazy<Clock>.self)
            // end sample
        }
        #expect(error.code == .notSendable)
        try Output.expect("error-not-sendable", Output.withoutPlaces(error))
    }
}
