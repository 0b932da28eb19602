import DICore
import DIScopes
import DITestSupport
import Foundation
import Testing

private struct Engine: Equatable {}
private struct Engines {}
private struct Engina {}
private struct EngineImpl {}
private struct Whale {}

@Suite("Suggestions")
struct SuggestionTests {
    typealias Kind = ResolutionError.Suggestion.Kind

    private static func suggestions(_ body: () throws -> Void) throws -> [ResolutionError.Suggestion] {
        try #require(throws: ResolutionError.self, performing: body).suggestions
    }

    /// What can be registered near `Engine`, one thing of each kind, in the order of the ranks.
    static func add(_ kind: Kind, to box: Container, _ child: Container) {
        switch kind {
        case .otherName: box.register(Engine.self, name: "v8") { _ in Engine() }
        case .otherArguments: box.register(Engine.self) { (_, _: Int) in Engine() }
        case .otherContainer: child.register(Engine.self) { _ in Engine() }
        case .wrapper: box.register(Engine?.self) { _ in nil }
        case .similarType: box.register(Engines.self) { _ in Engines() }
        }
    }

    @Test("E2: kinds are ranked as they are listed, whatever was registered first", arguments: [false, true])
    func ranking(_ isReversed: Bool) throws {
        let kinds = Kind.allCases
        #expect(kinds == [.otherName, .otherArguments, .otherContainer, .wrapper, .similarType])
        for left in kinds {
            for right in kinds where left < right {
                let box = Container()
                let child = box.createChild()
                for kind in isReversed ? [right, left] : [left, right] { Self.add(kind, to: box, child) }
                let found = try Self.suggestions { _ = try box.require(Engine.self) }
                #expect(found.map(\.kind) == [left, right])
            }
        }
    }

    @Test("E2: with something of every kind the three best are given")
    func three() throws {
        let box = Container()
        let child = box.createChild()
        for kind in Kind.allCases.reversed() { Self.add(kind, to: box, child) }
        let found = try Self.suggestions { _ = try box.require(Engine.self) }
        #expect(found.map(\.kind) == [.otherName, .otherArguments, .otherContainer])
    }

    @Test("E2: of other names the nearest comes first, equals in the order of registration")
    func nearestName() throws {
        let box = Container()
        for name in ["zzzzzz", "mains", "maim", "man"] { box.register(Engine.self, name: name) { _ in Engine() } }
        let found = try Self.suggestions { _ = try box.require(Engine.self, name: "main") }
        #expect(found.map(\.key.name) == ["mains", "maim", "man"])
        #expect(found.first?.text == "ask for the name \"mains\"")
    }

    @Test("E2: what has no name is as far as the wanted name is long")
    func noName() throws {
        let box = Container()
        box.register(Engine.self, name: "x") { _ in Engine() }
        box.register(Engine.self) { _ in Engine() }
        let found = try Self.suggestions { _ = try box.require(Engine.self, name: "ab") }
        #expect(found.map(\.key.name) == ["x", nil])
        #expect(found.last?.text == "ask without a name")
    }

    @Test("E2: another name with other arguments says both edits")
    func nameAndArguments() throws {
        let box = Container()
        box.register(Engine.self, name: "a") { (_, _: Int, _: String) in Engine() }
        box.register(Engine.self, name: "b") { _ in Engine() }
        let found = try Self.suggestions { _ = try box.require(Engine.self, name: "c", argument: 1) }
        #expect(
            found.map(\.text) == [
                "ask for the name \"a\", and pass (Int, String)",
                "ask for the name \"b\", and pass no arguments",
            ]
        )
    }

    @Test("E2: of other argument lists all are told, in the order of registration")
    func argumentLists() throws {
        let box = Container()
        box.register(Engine.self) { (_, _: Int?) in Engine() }
        box.register(Engine.self) { (_, _: Int, _: Int) in Engine() }
        let found = try Self.suggestions { _ = try box.require(Engine.self, argument: 1) }
        #expect(found.map(\.kind) == [.otherArguments, .otherArguments])
        #expect(found.map(\.text).first == "pass (Int?), exactly these static types")
    }

    @Test("E2: a container below comes before one beside")
    func belowBeforeBeside() throws {
        let root = Container()
        let beside = root.createChild()
        beside.register(Engine.self) { _ in Engine() }
        let box = root.createChild()
        let below = box.createChild()
        below.register(Engine.self) { _ in Engine() }
        let found = try Self.suggestions { _ = try box.require(Engine.self) }
        #expect(found.map(\.kind) == [.otherContainer, .otherContainer])
        #expect(found[0].location.line > found[1].location.line)
        #expect(found.map { $0.text.contains("child") } == [true, false])
        withExtendedLifetime(beside) {}
    }

    @Test("E2: many children with one registration are one suggestion, and what a parent has is none")
    func sameRegistrationInManyChildren() throws {
        let box = Container()
        let children = (0..<5).map { _ in box.createChild() }
        for child in children { child.register(Engine.self) { _ in Engine() } }
        #expect(try Self.suggestions { _ = try box.require(Engine.self) }.count == 1)
        let other = Container()
        other.register(Engine.self) { _ in Engine() }
        #expect(try Self.suggestions { _ = try Container().require(Engine.self) }.isEmpty, "another tree")
        withExtendedLifetime(children) {}
    }

    @Test("E2: a child that has ended is not suggested")
    func endedChild() throws {
        let box = Container()
        do { box.createChild().register(Engine.self) { _ in Engine() } }
        #expect(try Self.suggestions { _ = try box.require(Engine.self) }.isEmpty)
    }

    @Test("E2: a registered Optional of the type is suggested once, as a wrapper, and with its name only")
    func optional() throws {
        let box = Container()
        box.register(Engine?.self) { _ in nil }
        let found = try Self.suggestions { _ = try box.require(Engine.self) }
        #expect(found.map(\.kind) == [.wrapper])
        #expect(found.map(\.text) == ["ask for Engine?, as it is registered"])
        #expect(try Self.suggestions { _ = try box.require(Engine.self, name: "a") }.allSatisfy { $0.kind != .wrapper })
    }

    @Test("E2: what is only contributed is suggested as a collection")
    func contributed() throws {
        let box = Container()
        box.contribute(Engine.self) { _ in Engine() }
        let error = try #require(throws: ResolutionError.self) { _ = try box.require(Engine.self) }
        #expect(error.code == .notRegistered)
        #expect(error.suggestions.map(\.kind) == [.wrapper])
        #expect(error.suggestions.first?.text.hasPrefix("ask for [Engine]") == true)
        #expect(try box.require([Engine].self).count == 1)
    }

    @Test("E2: of similar types the nearest comes first; a word more at one end is similar")
    func similarTypes() throws {
        let box = Container()
        box.register(Whale.self) { _ in Whale() }
        box.register(EngineImpl.self) { _ in EngineImpl() }
        box.register(Engina.self) { _ in Engina() }
        box.register(Engines.self) { _ in Engines() }
        let found = try Self.suggestions { _ = try box.require(Engine.self) }
        #expect(found.map { "\($0.key)" } == ["Engina", "Engines", "EngineImpl"])
    }

    @Test("E2: the same containers give the same suggestions every time")
    func deterministic() throws {
        let texts = try (0..<20).map { _ in
            let box = Container()
            let child = box.createChild()
            for number in 0..<40 { box.register(Int.self, name: "n\(number)") { _ in number } }
            for kind in Kind.allCases { Self.add(kind, to: box, child) }
            return try Self.suggestions { _ = try box.require(Engine.self) }.map(\.text)
                + Self.suggestions { _ = try box.require(Int.self, name: "n") }.map(\.text)
        }
        #expect(Set(texts).count == 1)
        #expect(
            texts[0].suffix(3) == ["ask for the name \"n0\"", "ask for the name \"n1\"", "ask for the name \"n2\""]
        )
    }

    @Test("E2: suggestions are no part of other failures")
    func otherFailures() throws {
        let box = Container()
        box.register(Engine.self, name: "a") { _ in Engine() }
        box.register(Engine.self) { r in try r.require(Engine.self) }
        #expect(try Self.suggestions { _ = try box.require(Engine.self) }.isEmpty)
    }

    // MARK: The form for logs

    @Test("E1: the form in plain strings survives JSON, and says what the error says")
    func snapshot() throws {
        let box = Container()
        box.register(String.self, name: "title", fileID: "App/Texts.swift", line: 7) { _ in "Weather" }
        box.register(Engine.self, fileID: "App/Engines.swift", line: 9) { r in
            _ = try r.require(String.self, name: "tilte")
            return Engine()
        }
        let error = try #require(throws: ResolutionError.self) { _ = try box.require(Engine.self) }
        let snapshot = error.snapshot
        let data = try JSONEncoder().encode(snapshot)
        #expect(try JSONDecoder().decode(ResolutionError.Snapshot.self, from: data) == snapshot)
        #expect(snapshot.code == "notRegistered")
        #expect(snapshot.key == "String named \"tilte\"")
        #expect(snapshot.path.map(\.key) == ["Engine", "String named \"tilte\""])
        #expect(snapshot.path.map(\.location) == ["App/Engines.swift:9", nil])
        #expect(snapshot.suggestions == ["ask for the name \"title\""])
        #expect(snapshot.text == "\(error)")
        #expect(snapshot.underlying == nil)
        #expect(snapshot.thrownBy == nil)
    }

    @Test("E1: the form in plain strings has what a factory threw and the numbers of parameters")
    func snapshotOfThrown() throws {
        struct Full: Error, CustomStringConvertible { let description = "no space \"left\"\n" }
        struct Boat { init(_ whale: Whale?, _ engine: Engine) {} }
        let box = Container()
        box.register(Engine.self) { _ -> Engine in throw Full() }
        box.autoregister(Boat.self, initializer: Boat.init)
        let error = try #require(throws: ResolutionError.self) { _ = try box.require(Boat.self) }
        let data = try JSONEncoder().encode(error.snapshot)
        let decoded = try JSONDecoder().decode(ResolutionError.Snapshot.self, from: data)
        #expect(decoded == error.snapshot)
        #expect(decoded.underlying == "no space \"left\"\n")
        #expect(decoded.thrownBy == "the factory")
        #expect(decoded.path.map(\.parameter) == [1, nil])
    }
}
