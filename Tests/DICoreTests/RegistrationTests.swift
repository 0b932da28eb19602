import DICore
import DIScopes
import DITestSupport
import Testing

private struct Text: Equatable {
    let value: String

    init(_ value: String) { self.value = value }
}

@Suite("Registrations")
struct RegistrationTests {
    @Test("A factory takes no, one, two or five runtime arguments, passed in order")
    func arities() throws {
        let box = Container()
        box.register(Text.self) { _ in Text("-") }
        box.register(Text.self) { (_, a: Int) in Text("\(a)") }
        box.register(Text.self) { (_, a: Int, b: String) in Text("\(a)\(b)") }
        box.register(Text.self) { (_, a: Int, b: String, c: Bool, d: Character, e: [Int]) in
            Text("\(a)\(b)\(c)\(d)\(e.count)")
        }
        #expect(box.resolve(Text.self) == Text("-"))
        #expect(box.resolve(Text.self, argument: 1) == Text("1"))
        #expect(box.resolve(Text.self, arguments: 1, "b") == Text("1b"))
        #expect(box.resolve(Text.self, arguments: 1, "b", true, Character("d"), [0, 0]) == Text("1btrued2"))
        #expect(try box.require(Text.self) == Text("-"))
        #expect(try box.require(Text.self, argument: 2) == Text("2"))
        #expect(try box.require(Text.self, arguments: 2, "c") == Text("2c"))
        #expect(try box.require(Text.self, arguments: 2, "c", false, Character("e"), [0]) == Text("2cfalsee1"))
    }

    @Test("A name goes with any number of runtime arguments")
    func aritiesWithNames() throws {
        let box = Container()
        box.register(Text.self, name: "n") { _ in Text("-") }
        box.register(Text.self, name: "n") { (_, a: Int) in Text("\(a)") }
        box.register(Text.self, name: "n") { (_, a: Int, b: Int, c: Int) in Text("\(a)\(b)\(c)") }
        #expect(box.resolve(Text.self, name: "n") == Text("-"))
        #expect(box.resolve(Text.self, name: "n", argument: 1) == Text("1"))
        #expect(box.resolve(Text.self, name: "n", arguments: 1, 2, 3) == Text("123"))
        #expect(try box.require(Text.self, name: "n") == Text("-"))
        #expect(try box.require(Text.self, name: "n", argument: 2) == Text("2"))
        #expect(try box.require(Text.self, name: "n", arguments: 2, 3, 4) == Text("234"))
        #expect(box.resolve(Text.self) == nil)
        #expect(box.resolve(Text.self, argument: 1) == nil)
        #expect(box.resolve(Text.self, arguments: 1, 2, 3) == nil)
    }

    @Test("Runtime arguments may be nil, closures and objects")
    func kindsOfArguments() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Text.self) { (_, a: String?) in Text(a ?? "nil") }
        box.register(Text.self) { (_, make: () -> String) in Text(make()) }
        box.register(Text.self) { (_, a: Tracked, b: Tracked) in Text("\(a === b)") }
        #expect(try box.require(Text.self, argument: String?.none) == Text("nil"))
        let closure: () -> String = { "made" }
        #expect(try box.require(Text.self, argument: closure) == Text("made"))
        do {
            let object = Tracked(tracker)
            #expect(try box.require(Text.self, arguments: object, object) == Text("true"))
        }
        #expect(tracker.alive == 0)
    }

    @Test("A shared instance is shared whatever the arguments are, and each argument list has its own")
    func sharedWithArguments() throws {
        let box = Container()
        box.register(Text.self, scope: .container) { (_, a: Int) in Text("\(a)") }
        box.register(Text.self, scope: .container) { (_, a: Int, b: Int) in Text("\(a)\(b)") }
        #expect(try box.require(Text.self, argument: 1) == Text("1"))
        #expect(try box.require(Text.self, argument: 2) == Text("1"))
        #expect(try box.require(Text.self, arguments: 3, 4) == Text("34"))
        #expect(try box.require(Text.self, arguments: 5, 6) == Text("34"))
    }

    @Test("A ready instance is what every request gets, and no reset touches it")
    func readyInstance() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        do {
            let ready = Tracked(tracker)
            box.register(Tracked.self, instance: ready)
            box.register(Tracked.self, name: "other", instance: Tracked(tracker))
            #expect(try box.require(Tracked.self) === ready)
            #expect(try box.require(Tracked.self, name: "other") !== ready)
            box.resetObjectScope(.container)
            box.resetObjectScope(.transient)
            #expect(try box.require(Tracked.self) === ready)
            let child = box.createChild()
            #expect(try child.require(Tracked.self) === ready)
        }
        #expect(tracker.made == 2)
        #expect(tracker.alive == 2)
        box.removeAll()
        #expect(tracker.alive == 0)
    }

    @Test("A registration without a scope gets the container's default scope")
    func defaultScope() throws {
        let tracker = LifetimeTracker()
        let box = Container(defaultObjectScope: .container)
        box.register(Tracked.self) { _ in Tracked(tracker) }
        box.register(Tracked.self, name: "transient", scope: .transient) { _ in Tracked(tracker) }
        #expect(try box.require(Tracked.self) === box.require(Tracked.self))
        #expect(
            try box.require(Tracked.self, name: "transient") !== box.require(Tracked.self, name: "transient")
        )
        let child = box.createChild()
        #expect(child.defaultObjectScope === box.defaultObjectScope)
        let plain = Container(parent: box)
        #expect(plain.defaultObjectScope === ObjectScope.graph)
    }

    @Test("Registering chains: scope, callbacks and forwarding are set on the entry that comes back")
    func chaining() throws {
        let box = Container()
        let journal = Journal<String>()
        let entry = box.register(Text.self, name: "n") { _ in Text("made") }
            .inObjectScope(.container)
            .initCompleted { _, text in journal.add("first \(text.value)") }
            .initCompleted { _, text in journal.add("second \(text.value)") }
            .implements((any Equatable).self)
        #expect(entry.scope === ObjectScope.container)
        #expect(entry.key == ServiceKey(Text.self, name: "n"))
        #expect(entry.location.module == "DICoreTests")
        #expect(box.hasAnyRegistration(of: (any Equatable).self))
        _ = try box.require(Text.self, name: "n")
        _ = try box.require(Text.self, name: "n")
        #expect(journal.entries == ["first made", "second made"])
    }

    @Test("The description of a container lists its registrations in order")
    func containerDescription() {
        let box = Container()
        box.register(Text.self) { _ in Text("") }
        box.register(Text.self, name: "a", scope: .container) { (_, _: Int) in Text("") }
        #expect(
            box.description == """
                Container with 2 registrations
                  Text: graph
                  Text(Int) named "a": container
                """
        )
    }

    @Test("The registering closure runs with the new container, behaviours in place")
    func registeringClosure() {
        let journal = Journal<String>()
        let box = Container(behaviors: [ObserverBehaviorTests.Note(journal: journal)]) { container in
            container.register(Text.self) { _ in Text("closure") }
        }
        #expect(box.resolve(Text.self) == Text("closure"))
        #expect(journal.entries == ["Text -> Text"])
    }
}
