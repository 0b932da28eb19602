import DICore
import DILogging
import DIScopes
import DITestSupport
import Testing

private final class Leaf {}

private final class Kept {
    let leaf: Leaf
    init(_ leaf: Leaf) { self.leaf = leaf }
}

private struct Broken: Error, CustomStringConvertible {
    var description: String { "out of order" }
}

@Suite("Container logger")
struct ContainerLoggerTests {
    /// What a logger of a level says about one of everything.
    private static func everything(_ level: LogLevel) -> [String] {
        let journal = Journal<String>()
        let parent = Container()
        let box = parent.createChild()
        box.addObserver(ContainerLogger(level: level) { level, _ in journal.add("\(level)") })
        // Six of level info, one of them a replacement.
        box.register(Leaf.self) { _ in Leaf() }
        box.register(Leaf.self) { _ in Leaf() }
        box.register(Int.self) { _ -> Int in throw Broken() }
        box.resetObjectScope(.container)
        box.remove(Int.self, name: "x")
        // One failure.
        _ = box.resolve(Int.self)
        box.remove(Int.self)
        // One tree.
        _ = box.resolve(Leaf.self)
        return journal.entries
    }

    @Test(
        "Each level says what the levels before it say, and more",
        arguments: [
            (LogLevel.off, []),
            (.error, ["error"]),
            (.warning, ["warning", "error"]),
            (.info, ["info", "warning", "info", "info", "error", "info"]),
            (.trace, ["info", "warning", "info", "info", "error", "trace", "info", "trace"]),
        ] as [(LogLevel, [String])]
    )
    func levels(_ level: LogLevel, _ said: [String]) {
        #expect(Self.everything(level) == said)
    }

    @Test("Levels are ordered from nothing to everything")
    func order() {
        #expect(LogLevel.allCases.sorted() == [.off, .error, .warning, .info, .trace])
        #expect(LogLevel.off < .error)
        #expect(!(LogLevel.trace < .info))
    }

    @Test("Without a level it logs warnings or nothing, by how it was built")
    func standardLevel() {
        #expect([LogLevel.warning, .off].contains(LogLevel.standard))
        #expect(ContainerLogger { _, _ in }.level == LogLevel.standard)
    }

    @Test("Only the level trace watches each resolve")
    func interests() {
        func interests(_ level: LogLevel) -> ResolutionInterests { ContainerLogger(level: level) { _, _ in }.interests }
        #expect(interests(.off) == [])
        #expect(interests(.error) == .failures)
        #expect(interests(.warning) == [.failures, .registrations])
        #expect(interests(.info) == [.failures, .registrations])
        #expect(interests(.trace) == .all)
    }

    @Test("A registration is logged with its key, its place and its scope")
    func registrationTexts() {
        let journal = Journal<String>()
        let box = Container()
        box.addObserver(ContainerLogger(level: .info) { level, text in journal.add("\(level): \(text)") })
        let line: UInt = #line
        box.register(Leaf.self, name: "a", scope: .container) { _ in Leaf() }
        box.register(Leaf.self, name: "a") { _ in Leaf() }
        box.remove(Leaf.self, name: "a")
        box.resetObjectScope(.weak)
        func place(_ number: UInt) -> String { "DILoggingTests/ContainerLoggerTests.swift:\(number)" }
        #expect(
            journal.entries == [
                "info: Leaf named \"a\" (\(place(line + 1))) is registered in scope container",
                "warning: Leaf named \"a\" (\(place(line + 2))) replaces the registration at \(place(line + 1))",
                "info: Leaf named \"a\" (\(place(line + 2))) is removed",
                "info: scope weak is reset",
            ]
        )
    }

    @Test("A failure is logged with its whole text")
    func failureText() throws {
        let journal = Journal<String>()
        let box = Container()
        box.addObserver(ContainerLogger(level: .error) { level, text in journal.add("\(level): \(text)") })
        box.register(Kept.self) { r in Kept(try r.require(Leaf.self)) }
        let error = try #require(throws: ResolutionError.self) { try box.require(Kept.self) }
        #expect(journal.entries == ["error: \(error)"])
    }

    @Test("An override that a parent's kept service passes over is a warning")
    func passedOver() throws {
        let parent = Container()
        let child = parent.createChild()
        let line: UInt = #line
        parent.register(Leaf.self) { _ in Leaf() }
        parent.register(Kept.self, scope: .container) { r in Kept(try r.require(Leaf.self)) }
        child.register(Leaf.self) { _ in Leaf() }
        let journal = Journal<String>()
        child.addObserver(
            ContainerLogger(level: .trace) { level, text in
                if level == .warning { journal.add(text) }
            }
        )
        _ = try child.require(Kept.self)
        let file = "DILoggingTests/ContainerLoggerTests.swift"
        let fact = "is kept by a parent, which does not see the registration at"
        #expect(journal.entries == ["Leaf (\(file):\(line + 1)) \(fact) \(file):\(line + 3)"])
    }

    @Test("A parent's logger logs what children do; a removed one nothing")
    func inheritance() {
        let journal = Journal<String>()
        let parent = Container()
        let child = parent.createChild()
        let logger = ContainerLogger(level: .error) { level, _ in journal.add("\(level)") }
        parent.addObserver(logger)
        _ = child.resolve(Leaf.self)
        parent.removeObserver(logger)
        _ = child.resolve(Leaf.self)
        #expect(journal.entries == ["error"])
    }
}
