import DICore
import DIScopes
import DITestSupport
import Testing

private struct Answer: Equatable {
    let from: String

    init(_ from: String) { self.from = from }
}

private protocol Animal: AnyObject {}
private class Cat: Animal {}
private final class Kitten: Cat {}

private struct Home {
    let owner: String
}

private struct Box<Content> {
    let text: String
}

@Suite("Keys and arguments")
struct KeyTests {
    // MARK: K1

    private static func registerEveryArgumentList(in box: Container) {
        box.register(Answer.self) { _ in Answer("none") }
        box.register(Answer.self) { (_, _: Void) in Answer("Void") }
        box.register(Answer.self) { (_, _: Int) in Answer("Int") }
        box.register(Answer.self) { (_, _: String) in Answer("String") }
        box.register(Answer.self) { (_, _: String?) in Answer("String?") }
        box.register(Answer.self) { (_, _: Int, _: String) in Answer("Int, String") }
        box.register(Answer.self) { (_, _: (Int, String)) in Answer("(Int, String)") }
    }

    @Test("K1: seven argument lists of one service are seven registrations, each reachable")
    func sevenArgumentLists() {
        let box = Container()
        Self.registerEveryArgumentList(in: box)
        #expect(box.visibleEntries.count == 7)
        #expect(box.resolve(Answer.self) == Answer("none"))
        #expect(box.resolve(Answer.self, argument: ()) == Answer("Void"))
        #expect(box.resolve(Answer.self, argument: 1) == Answer("Int"))
        #expect(box.resolve(Answer.self, argument: "a") == Answer("String"))
        #expect(box.resolve(Answer.self, argument: Optional("a")) == Answer("String?"))
        #expect(box.resolve(Answer.self, arguments: 1, "a") == Answer("Int, String"))
        #expect(box.resolve(Answer.self, argument: (1, "a")) == Answer("(Int, String)"))
    }

    static let argumentLists = [
        ServiceKey(Answer.self),
        ServiceKey(Answer.self, arguments: Void.self),
        ServiceKey(Answer.self, arguments: Int.self),
        ServiceKey(Answer.self, arguments: String.self),
        ServiceKey(Answer.self, arguments: String?.self),
        ServiceKey(Answer.self, arguments: Int.self, String.self),
        ServiceKey(Answer.self, arguments: (Int, String).self),
    ]

    @Test("K1: a registration is removed by its own argument list and no other", arguments: argumentLists)
    func argumentListsAreIndependent(_ key: ServiceKey) {
        let box = Container()
        Self.registerEveryArgumentList(in: box)
        #expect(box.remove(key))
        #expect(!box.remove(key))
        #expect(Set(box.visibleEntries.map(\.key)) == Set(Self.argumentLists).subtracting([key]))
    }

    @Test("K1: a key is told apart by service, arguments, name and option")
    func partsOfAKey() {
        struct Region: ServiceKeyOption {
            let code: String
            var description: String { "region \(code)" }
        }
        let keys = [
            ServiceKey(Answer.self),
            ServiceKey(Home.self),
            ServiceKey(Answer.self, arguments: Int.self),
            ServiceKey(Answer.self, name: "a"),
            ServiceKey(Answer.self, name: "b"),
            ServiceKey(Answer.self, option: Region(code: "a")),
            ServiceKey(Answer.self, option: Region(code: "b")),
            ServiceKey(Answer.self, name: "a", option: Region(code: "a")),
        ]
        #expect(Set(keys).count == keys.count)

        let box = Container()
        box.register(Answer.self, option: Region(code: "a")) { _ in Answer("a") }
        box.register(Answer.self, option: Region(code: "b")) { _ in Answer("b") }
        #expect(box.resolve(Answer.self) == nil)
        #expect(box.locate(ServiceKey(Answer.self, option: Region(code: "b"))).isFound)
        #expect(!box.locate(ServiceKey(Answer.self, option: Region(code: "c"))).isFound)
        #expect(box.remove(ServiceKey(Answer.self, option: Region(code: "a"))))
        #expect(box.visibleEntries.map(\.key) == [ServiceKey(Answer.self, option: Region(code: "b"))])
    }

    @Test(
        "K1: a key says itself as a reader would",
        arguments: [
            (ServiceKey(Answer.self), "Answer"),
            (ServiceKey((any Animal).self), "Animal"),
            (ServiceKey(Answer.self, arguments: Int.self), "Answer(Int)"),
            (ServiceKey(Answer.self, arguments: Int.self, String?.self), "Answer(Int, String?)"),
            (ServiceKey(Answer.self, arguments: (Int, String).self), "Answer((Int, String))"),
            (ServiceKey((any Animal).self, arguments: String.self, name: "cat"), "Animal(String) named \"cat\""),
            (ServiceKey(Answer.self, option: Contribution()), "Answer [contribution]"),
        ]
    )
    func description(_ key: ServiceKey, _ text: String) {
        #expect("\(key)" == text)
    }

    // MARK: K2

    @Test("K2: a nil name and no name are the same key")
    func nilNameIsNoName() {
        let box = Container()
        box.register(Answer.self, name: nil) { _ in Answer("nil") }
        #expect(box.resolve(Answer.self) == Answer("nil"))
        #expect(box.resolve(Answer.self, name: nil) == Answer("nil"))
        box.register(Answer.self) { _ in Answer("none") }
        #expect(box.visibleEntries.count == 1)
        #expect(box.resolve(Answer.self, name: nil) == Answer("none"))
        #expect(ServiceKey(Answer.self, name: nil) == ServiceKey(Answer.self))
    }

    @Test("K2: a named look-up never falls back to the unnamed registration", arguments: ["", "a", "Ä", "nil"])
    func namedLookUpDoesNotFallBack(_ name: String) throws {
        let box = Container()
        box.register(Answer.self) { _ in Answer("unnamed") }
        box.register(Answer.self) { (_, _: Int) in Answer("unnamed") }
        #expect(box.resolve(Answer.self, name: name) == nil)
        #expect(box.resolve(Answer.self, name: name, argument: 1) == nil)
        #expect(try box.require(Answer?.self, name: name) == nil)
        #expect(throws: ResolutionError.self) { try box.require(Answer.self, name: name) }
    }

    @Test("K2: an unnamed look-up never falls back to a named registration", arguments: ["", "a", "Ä", "nil"])
    func unnamedLookUpDoesNotFallBack(_ name: String) throws {
        let box = Container()
        box.register(Answer.self, name: name) { _ in Answer("named") }
        #expect(box.resolve(Answer.self) == nil)
        #expect(box.resolve(Answer.self, name: nil) == nil)
        #expect(box.resolve(Answer.self, name: name + "x") == nil)
        #expect(box.resolve(Answer.self, name: name) == Answer("named"))
    }

    @Test("K2: names that are equal strings are one name, however they are encoded")
    func canonicallyEqualNames() {
        let box = Container()
        box.register(Answer.self, name: "caf\u{E9}") { _ in Answer("café") }
        #expect(box.resolve(Answer.self, name: "cafe\u{301}") == Answer("café"))
    }

    // MARK: K3

    @Test("K2: names of any length are told apart at each letter, however they are kept")
    func namesOfAnyLength() {
        let box = Container()
        var names: Set<String> = []
        for length in 0...40 {
            let name = String((0..<length).map { Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8($0 % 26))) })
            names.insert(name)
            for place in 0..<length {
                var letters = Array(name)
                letters[place] = "A"
                names.insert(String(letters))
            }
        }
        for name in names { box.register(Answer.self, name: name) { _ in Answer(name) } }
        for name in names {
            // With room to spare a short string is not kept in the words of the value.
            var roomy = String()
            roomy.reserveCapacity(200)
            roomy += name
            let part = Substring("<" + name + ">").dropFirst().dropLast()
            for name in [name, roomy, String(part)] { #expect(box.resolve(Answer.self, name: name)?.from == name) }
            #expect(box.resolve(Answer.self, name: name + "é") == nil)
        }
        #expect(names.count == 861)
    }

    @Test("K3: two specialisations of a generic type never answer for each other")
    func genericSpecialisations() {
        let box = Container()
        box.register(Box<Int>.self) { _ in Box<Int>(text: "int") }
        #expect(box.resolve(Box<String>.self) == nil)
        #expect(box.resolve(Box<Int?>.self) == nil)
        box.register(Box<String>.self) { _ in Box<String>(text: "string") }
        #expect(box.resolve(Box<Int>.self)?.text == "int")
        #expect(box.resolve(Box<String>.self)?.text == "string")
        box.remove(Box<Int>.self)
        #expect(box.resolve(Box<Int>.self) == nil)
        #expect(box.resolve(Box<String>.self)?.text == "string")
    }

    // MARK: K4

    @Test("K4: the last registration of a key wins, kept instances of the replaced one included")
    func lastRegistrationWins() {
        let box = Container()
        box.register(Answer.self, scope: .container) { _ in Answer("first") }
        #expect(box.resolve(Answer.self) == Answer("first"))
        box.register(Answer.self, scope: .container) { _ in Answer("second") }
        #expect(box.resolve(Answer.self) == Answer("second"))
        #expect(box.visibleEntries.count == 1)
    }

    @Test("K4: a replaced registration is reported to observers with both source locations")
    func replacementIsReported() throws {
        let box = Container()
        let recorder = EventRecorder(.registrations)
        box.addObserver(recorder)
        let firstLine: UInt = #line + 1
        box.register(Answer.self, name: "a") { _ in Answer("first") }
        recorder.reset()
        let secondLine: UInt = #line + 1
        box.register(Answer.self, name: "a") { _ in Answer("second") }

        let event = try #require(recorder.events.first)
        #expect(recorder.events.count == 1)
        guard case .replaced(let previous) = event.kind else {
            Issue.record("\(event.kind)")
            return
        }
        #expect(previous == SourceLocation(fileID: #fileID, line: firstLine))
        #expect(event.location == SourceLocation(fileID: #fileID, line: secondLine))
        #expect(event.key == ServiceKey(Answer.self, name: "a"))
    }

    @Test("K4: a registration in a child replaces nothing")
    func childReplacesNothing() {
        let parent = Container()
        let child = parent.createChild()
        let recorder = EventRecorder(.registrations)
        parent.addObserver(recorder)
        parent.register(Answer.self) { _ in Answer("parent") }
        child.register(Answer.self) { _ in Answer("child") }
        #expect(recorder.events.count == 2)
        for event in recorder.events {
            guard case .registered = event.kind else {
                Issue.record("\(event.kind)")
                continue
            }
        }
        #expect(parent.resolve(Answer.self) == Answer("parent"))
        #expect(child.resolve(Answer.self) == Answer("child"))
    }

    @Test("K4: a forwarded key stays bound to the entry that it was forwarded from")
    func forwardedKeyStaysBound() throws {
        let box = Container()
        box.register(Cat.self, scope: .container) { _ in Cat() }.implements((any Animal).self)
        let first = try box.require(Cat.self)
        box.register(Cat.self, scope: .container) { _ in Kitten() }
        #expect(try box.require((any Animal).self) === first)
        #expect(try box.require(Cat.self) is Kitten)
        box.remove(Cat.self)
        #expect(try box.require((any Animal).self) === first)
    }

    // MARK: K5

    struct Mismatch: CustomTestStringConvertible {
        let testDescription: String
        let register: (Container) -> Void
        let require: (Container) throws -> Void
        let registered: String
        let asked: String
    }

    static var mismatches: [Mismatch] {
        [
            Mismatch(
                testDescription: "String for String?",
                register: { $0.register(Home.self) { (_, name: String?) in Home(owner: name ?? "") } },
                require: { _ = try $0.require(Home.self, argument: "a") },
                registered: "String?",
                asked: "String"
            ),
            Mismatch(
                testDescription: "String? for String",
                register: { $0.register(Home.self) { (_, name: String) in Home(owner: name) } },
                require: { _ = try $0.require(Home.self, argument: Optional("a")) },
                registered: "String",
                asked: "String?"
            ),
            Mismatch(
                testDescription: "a subclass for its class",
                register: { $0.register(Home.self) { (_, _: Cat) in Home(owner: "cat") } },
                require: { _ = try $0.require(Home.self, argument: Kitten()) },
                registered: "Cat",
                asked: "Kitten"
            ),
            Mismatch(
                testDescription: "a concrete type for a protocol",
                register: { $0.register(Home.self) { (_, _: any Animal) in Home(owner: "animal") } },
                require: { _ = try $0.require(Home.self, argument: Cat()) },
                registered: "Animal",
                asked: "Cat"
            ),
            Mismatch(
                testDescription: "no argument for one",
                register: { $0.register(Home.self) { (_, name: String) in Home(owner: name) } },
                require: { _ = try $0.require(Home.self) },
                registered: "String",
                asked: ""
            ),
            Mismatch(
                testDescription: "two arguments in the wrong order",
                register: { $0.register(Home.self) { (_, name: String, _: Int) in Home(owner: name) } },
                require: { _ = try $0.require(Home.self, arguments: 1, "a") },
                registered: "String, Int",
                asked: "Int, String"
            ),
        ]
    }

    @Test("K5: arguments of another static type do not resolve, and the failure names the near miss")
    func wrongArguments() throws {
        for mismatch in Self.mismatches {
            let box = Container()
            mismatch.register(box)
            let error = try #require(throws: ResolutionError.self, "\(mismatch.testDescription)") {
                try mismatch.require(box)
            }
            #expect(error.code == .argumentsMismatch)
            #expect(error.suggestions.map { "\($0.key)" } == ["Home(\(mismatch.registered))"])
            #expect(error.suggestions.map(\.location) == box.visibleEntries.map(\.location))
            let asked = mismatch.asked.isEmpty ? "without arguments" : "with (\(mismatch.asked))"
            #expect(error.detail == "asked \(asked), registered with (\(mismatch.registered))")
        }
    }

    @Test("K5: what has the static type resolves, whatever its dynamic type")
    func staticTypeDecides() {
        let box = Container()
        box.register(Home.self) { (_, cat: Cat) in Home(owner: "\(type(of: cat))") }
        #expect(box.resolve(Home.self, argument: Kitten() as Cat)?.owner == "Kitten")
        #expect(box.resolve(Home.self, argument: Kitten()) == nil)
    }

    @Test("K5: an argument whose static type is an existential keeps it, alone and among others")
    func existentialArguments() {
        let box = Container()
        box.register(Home.self) { (_, _: any Animal) in Home(owner: "one") }
        box.register(Home.self) { (_, _: any Animal, _: any Animal, _: any Animal) in Home(owner: "three") }
        let animal: any Animal = Cat()
        #expect(box.resolve(Home.self, argument: animal as any Animal)?.owner == "one")
        #expect(box.resolve(Home.self, argument: animal)?.owner == "one")
        #expect(box.resolve(Home.self, arguments: animal, animal, animal)?.owner == "three")
        #expect((try? box.require(Home.self, argument: animal))?.owner == "one")
        #expect((try? box.require(Home.self, arguments: animal, animal, animal))?.owner == "three")
    }

    @Test("K5: wrong arguments under another name are no near miss of the arguments")
    func nearMissHasTheSameName() throws {
        let box = Container()
        box.register(Home.self, name: "a") { (_, name: String) in Home(owner: name) }
        let error = try #require(throws: ResolutionError.self) { try box.require(Home.self, name: "b", argument: 1) }
        #expect(error.code == .notRegistered)
        #expect(error.suggestions.map { "\($0.key)" } == ["Home(String) named \"a\""])
    }

    // MARK: K6

    @Test("K6: a key can be registered, asked about and removed; asking runs no factory")
    func registeredAskedRemoved() {
        let box = Container()
        let built = Counter()
        #expect(!box.hasAnyRegistration(of: Answer.self))
        box.register(Answer.self, scope: .container) { _ in
            built.add()
            return Answer("a")
        }
        #expect(box.hasAnyRegistration(of: Answer.self))
        #expect(!box.hasAnyRegistration(of: Answer.self, name: "a"))
        #expect(!box.hasAnyRegistration(of: Home.self))
        #expect(built.value == 0)
        #expect(box.remove(Answer.self))
        #expect(!box.remove(Answer.self))
        #expect(!box.hasAnyRegistration(of: Answer.self))
        #expect(box.resolve(Answer.self) == nil)
        #expect(built.value == 0)
        box.register(Answer.self) { _ in Answer("again") }
        #expect(box.resolve(Answer.self) == Answer("again"))
    }

    @Test("K6: asking about a key sees parents, names and whatever arguments")
    func askingSeesParents() {
        let root = Container()
        let middle = root.createChild()
        let leaf = middle.createChild()
        root.register(Answer.self) { (_, _: Int, _: String) in Answer("root") }
        middle.register(Answer.self, name: "a") { (_, _: Int) in Answer("middle") }
        #expect(leaf.hasAnyRegistration(of: Answer.self))
        #expect(leaf.hasAnyRegistration(of: Answer.self, name: "a"))
        #expect(!leaf.hasAnyRegistration(of: Answer.self, name: "b"))
        #expect(!root.hasAnyRegistration(of: Answer.self, name: "a"))
    }

    @Test("K6: a contribution is no registration of its type")
    func contributionsAreNotAskedAbout() {
        let box = Container()
        box.contribute(Answer.self) { _ in Answer("a") }
        #expect(!box.hasAnyRegistration(of: Answer.self))
        #expect(box.resolve(Answer.self) == nil)
    }

    @Test("K6: removing touches this container only")
    func removingTouchesOneLevel() {
        let parent = Container()
        let child = parent.createChild()
        parent.register(Answer.self) { _ in Answer("parent") }
        #expect(!child.remove(Answer.self))
        child.register(Answer.self) { _ in Answer("child") }
        #expect(child.remove(Answer.self))
        #expect(child.resolve(Answer.self) == Answer("parent"))
        child.register(Answer.self) { _ in Answer("child") }
        child.removeAll()
        #expect(child.resolve(Answer.self) == Answer("parent"))
    }

    @Test("K6: what is removed releases its factory and its instances, unless somebody holds them")
    func removalReleases() throws {
        let box = Container()
        let instances = LifetimeTracker()
        let captured = LifetimeTracker()
        func register(_ name: String?) {
            let capture = Tracked(captured)
            box.register(Tracked.self, name: name, scope: .container) { _ in
                withExtendedLifetime(capture) { Tracked(instances) }
            }
        }
        register(nil)
        register("held")
        _ = try box.require(Tracked.self)
        let held = try box.require(Tracked.self, name: "held")
        #expect(instances.alive == 2)
        #expect(captured.alive == 2)
        box.remove(Tracked.self)
        #expect(instances.alive == 1)
        #expect(captured.alive == 1)
        box.removeAll()
        withExtendedLifetime(held) {
            #expect(instances.alive == 1)
            #expect(captured.alive == 0)
        }
        #expect(box.visibleEntries.isEmpty)
    }

    @Test("K6: an entry may be replaced or removed by its own factory")
    func removedWhileBuilding() throws {
        let box = Container()
        box.register(Answer.self, name: "removed", scope: .container) { [unowned box] _ in
            box.remove(Answer.self, name: "removed")
            return Answer("once")
        }
        box.register(Answer.self, name: "replaced", scope: .container) { [unowned box] _ in
            box.register(Answer.self, name: "replaced") { _ in Answer("new") }
            return Answer("old")
        }
        #expect(try box.require(Answer.self, name: "removed") == Answer("once"))
        #expect(box.resolve(Answer.self, name: "removed") == nil)
        #expect(try box.require(Answer.self, name: "replaced") == Answer("old"))
        #expect(try box.require(Answer.self, name: "replaced") == Answer("new"))
    }
}
