import DIAssembly
import DICore
import DIScopes
import DITestSupport
import Testing

private protocol Client: AnyObject {}
private final class HTTPClient: Client {}
private struct Settings {}
private struct Feed { init(_ client: any Client, _ settings: Settings) {} }
private struct Screen { init(_ feed: Feed) {} }
private struct Session {}
private struct Account { init(_ session: Session) {} }
private final class Hen { init(_ egg: Egg) {} }
private final class Egg { init(_ hen: Hen) {} }

private struct NetworkAssembly: Assembly {
    func assemble(container: Container) {
        container.register((any Client).self, scope: .container) { _ in HTTPClient() }.dependsOnNothing()
    }
}

private struct FeedAssembly: Assembly {
    var external: [ServiceKey] = []

    func assemble(container: Container) {
        container.autoregister(Feed.self, initializer: Feed.init)
    }

    var externalKeys: [ServiceKey] { external }
}

private struct SettingsAssembly: Assembly {
    func assemble(container: Container) { container.register(Settings.self, instance: Settings()) }
}

private struct OtherSettingsAssembly: Assembly {
    let region: String

    func assemble(container: Container) { container.register(Settings.self, instance: Settings()) }

    var identity: AnyHashable { region }
}

private struct ScreenAssembly: Assembly {
    func assemble(container: Container) { container.autoregister(Screen.self, initializer: Screen.init) }
}

private struct AccountAssembly: Assembly {
    func assemble(container: Container) {
        container.autoregister(Account.self, scope: .container, initializer: Account.init)
    }
}

private struct SessionAssembly: Assembly {
    func assemble(container: Container) {
        container.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
    }
}

private struct FarmAssembly: Assembly {
    func assemble(container: Container) {
        container.autoregister(Hen.self, initializer: Hen.init)
        container.autoregister(Egg.self, initializer: Egg.init)
    }
}

/// A service that nobody has to build, and counts when somebody does.
private struct CountingAssembly: Assembly {
    let built: Counter

    func assemble(container: Container) {
        container.register(Settings.self, scope: .container) { _ in
            built.add()
            return Settings()
        }
        container.autoregister(Feed.self, initializer: Feed.init)
    }
}

@Suite("Assembler: checking the wiring")
struct AssemblerValidationTests {
    private static let settings = ServiceKey(Settings.self)

    private static func report(_ error: AssemblyError?) throws -> WiringReport {
        guard case .invalidWiring(let report) = try #require(error) else {
            throw try #require(error)
        }
        return report
    }

    // MARK: When

    @Test("load throws the report when the wiring does not fit; what was registered stays")
    func loadThrows() throws {
        let assembler = Assembler(validation: .always)
        let error = try #require(throws: AssemblyError.self) {
            try assembler.load([FeedAssembly(), NetworkAssembly()])
        }
        let report = try Self.report(error)
        #expect(report.problems.map(\.key) == [Self.settings])
        #expect("\(error)" == "\(report)")
        #expect(error.cycle.isEmpty)
        #expect(assembler.problems.isEmpty, "what is thrown is not noted")
        #expect(assembler.resolver.resolve((any Client).self) != nil)
        try assembler.load([SettingsAssembly()])
        #expect(assembler.resolver.resolve(Feed.self) != nil)
    }

    @Test("apply notes the report among the problems, and observers of the container are told")
    func applyNotes() throws {
        let assembler = Assembler(validation: .always)
        let recorder = EventRecorder(.failures)
        assembler.addObserver(recorder)
        assembler.apply(assemblies: [FeedAssembly(), NetworkAssembly()])
        #expect(assembler.problems.count == 1)
        #expect(try Self.report(assembler.problems.first).problems.map(\.key) == [Self.settings])
        #expect(recorder.failures.map(\.code) == [.invalidWiring])
        #expect("\(try #require(recorder.failures.first))".contains("[missing] Settings is not registered"))
        assembler.apply(assembly: SettingsAssembly())
        #expect(assembler.problems.count == 1, "the second batch completes the wiring")
        #expect(recorder.failures.count == 1)
    }

    @Test("A closure that registers is checked as well")
    func applyClosure() {
        let assembler = Assembler(validation: .always)
        assembler.apply { $0.autoregister(Screen.self, initializer: Screen.init) }
        #expect(assembler.problems.count == 1)
    }

    @Test("By hand nothing is checked until somebody asks")
    func byHand() throws {
        let assembler = Assembler([FeedAssembly()], validation: .byHand)
        try assembler.load([ScreenAssembly()])
        #expect(assembler.problems.isEmpty)
        #expect(assembler.validate().problems(.missing).count == 2)
    }

    @Test("In debug builds the wiring is checked unless told otherwise, in release builds it is not")
    func inDebug() {
        let problems = Assembler([FeedAssembly()]).problems.count
        #if DEBUG
        #expect(problems == 1)
        #else
        #expect(problems == 0)
        #endif
    }

    @Test("Wiring that fits, and advice, is no problem")
    func fits() throws {
        let assembler = Assembler(validation: .always)
        try assembler.load([FeedAssembly(), NetworkAssembly(), SettingsAssembly()])
        assembler.apply { $0.register(String.self) { _ in "a closure" } }
        #expect(assembler.problems.isEmpty)
        #expect(assembler.validate().problems.map(\.kind) == [.notAnalysable])
    }

    @Test("The check builds nothing")
    func buildsNothing() {
        let built = Counter()
        let assembler = Assembler([CountingAssembly(built: built)], validation: .always)
        #expect(assembler.problems.count == 1)
        #expect(built.value == 0)
    }

    @Test("The check comes when all assemblies of the batch were told that all is loaded")
    func afterLoaded() {
        struct Late: Assembly {
            let container: Container

            func assemble(container: Container) { container.autoregister(Account.self, initializer: Account.init) }
            func loaded(resolver: any Resolver) { container.register(Session.self) { _ in Session() } }
        }
        let container = Container()
        let assembler = Assembler([Late(container: container)], container: container, validation: .always)
        #expect(assembler.problems.isEmpty)
    }

    // MARK: Who

    @Test("Problems name the assembly that registered what they are about")
    func origins() throws {
        let assembler = Assembler(
            [AccountAssembly(), FeedAssembly(), NetworkAssembly(), SessionAssembly(), FarmAssembly()],
            validation: .byHand
        )
        let report = assembler.validate()
        #expect(report.problems.map(\.kind) == [.missing, .cycle, .captive])
        #expect(report.problems[0].requesters.map(\.origin) == ["FeedAssembly"])
        #expect(report.problems[1].origin == "FarmAssembly")
        #expect(report.problems[1].related.map(\.origin) == Array(repeating: "FarmAssembly", count: 3))
        #expect(report.problems[2].origin == "AccountAssembly")
        #expect(report.problems[2].related.map(\.origin) == ["SessionAssembly"])
        #expect(report.problems[2].ways.map { $0.map(\.origin) } == [["AccountAssembly", "SessionAssembly"]])
        Golden.expect("assemblies", "\(report)")
    }

    @Test("Of two assemblies that register one key, the one whose registration answers is named")
    func replaced() {
        let assembler = Assembler(
            [SettingsAssembly(), OtherSettingsAssembly(region: "north")],
            validation: .byHand
        )
        let duplicate = assembler.validate().problems(.duplicate).first
        #expect(duplicate?.origin == "OtherSettingsAssembly north")
        #expect(duplicate?.related.map(\.origin) == ["SettingsAssembly"])
        Golden.expect("assemblies-duplicate", "\(assembler.validate())")
    }

    @Test("Of two registrations of one line, the one that was replaced has no origin")
    func replacedByTheSameLine() {
        let assembler = Assembler(
            [OtherSettingsAssembly(region: "north"), OtherSettingsAssembly(region: "south")],
            validation: .byHand
        )
        let duplicate = assembler.validate().problems(.duplicate).first
        #expect(duplicate?.origin == "OtherSettingsAssembly south")
        #expect(duplicate?.related.map(\.origin) == [nil])
    }

    @Test("What was registered without an assembly has no origin")
    func withoutAssembly() {
        let container = Container()
        container.autoregister(Screen.self, initializer: Screen.init)
        let assembler = Assembler([NetworkAssembly()], container: container, validation: .byHand)
        assembler.apply { $0.autoregister(Feed.self, initializer: Feed.init) }
        #expect(assembler.dependencyGraph().nodes.map(\.origin) == [nil, "NetworkAssembly", nil])
    }

    @Test("The assemblies of parents are named as well")
    func parents() {
        let app = Assembler([FeedAssembly()], validation: .byHand)
        let screen = Assembler([ScreenAssembly(), SettingsAssembly()], parent: app, validation: .byHand)
        #expect(
            screen.dependencyGraph().nodes.map(\.origin) == ["FeedAssembly", "ScreenAssembly", "SettingsAssembly"]
        )
        let missing = screen.validate().problems(.missing)
        #expect(missing.map(\.key) == [ServiceKey((any Client).self)])
        #expect(missing.first?.requesters.map(\.origin) == ["FeedAssembly"])
    }

    @Test("A child assembler's services are checked against the parent's")
    func child() {
        let app = Assembler([NetworkAssembly(), SettingsAssembly()], validation: .always)
        let screen = Assembler([FeedAssembly(), ScreenAssembly()], parent: app, validation: .always)
        #expect(app.problems.isEmpty)
        #expect(screen.problems.isEmpty)
    }

    // MARK: What is given

    @Test("What an assembly says others provide is taken as given, also when a parent's assembly says so")
    func external() {
        let keys = [ServiceKey((any Client).self), Self.settings]
        let app = Assembler([FeedAssembly(external: keys)], validation: .always)
        #expect(app.problems.isEmpty)
        let screen = Assembler([ScreenAssembly()], parent: app, validation: .always)
        #expect(screen.problems.isEmpty)
        #expect(screen.validate().isValid)
        #expect(Assembler([FeedAssembly(external: [keys[0]])], validation: .always).problems.count == 1)
    }

    @Test("With roots, what they do not reach is unused")
    func roots() {
        let assembler = Assembler(
            [FeedAssembly(), NetworkAssembly(), SettingsAssembly(), SessionAssembly()],
            validation: .byHand
        )
        #expect(assembler.validate().problems.isEmpty)
        let unused = assembler.validate(roots: [ServiceKey(Feed.self)]).problems
        #expect(unused.map(\.key) == [ServiceKey(Session.self)])
        #expect(unused.map(\.origin) == ["SessionAssembly"])
    }

    // MARK: Texts

    @Test("E1: the text that load throws names the assemblies")
    func textOfLoad() throws {
        let error = try #require(throws: AssemblyError.self) {
            try Assembler(validation: .always).load([FeedAssembly(), ScreenAssembly(), NetworkAssembly()])
        }
        Golden.expect("assemblies-load", "\(error)")
    }

    @Test("E1: the text that observers are told has the report below it, and nobody who asked")
    func textOfApply() throws {
        let assembler = Assembler(validation: .always)
        let recorder = EventRecorder(.failures)
        assembler.addObserver(recorder)
        assembler.apply(assembly: FeedAssembly())
        Golden.expect("assemblies-apply", "\(try #require(recorder.failures.first))")
    }
}
