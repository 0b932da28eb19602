import DICore
import DIScopes
import DITestSupport
import Testing

private struct Parser: Equatable {
    let format: String

    init(_ format: String) { self.format = format }
}

private struct Broken: Error {}

private final class Reader {
    let parsers: [Parser]

    init(_ parsers: [Parser]) { self.parsers = parsers }
}

@Suite("Contributions")
struct ContributionTests {
    @Test("Contributions come in the order of registration and never replace each other")
    func order() throws {
        let box = Container()
        let formats = (0..<40).map { "format \($0)" }
        for format in formats { box.contribute(Parser.self) { _ in Parser(format) } }
        #expect(box.resolveAll(Parser.self).map(\.format) == formats)
        #expect(try box.requireAll(Parser.self).map(\.format) == formats)
        #expect(try box.require([Parser].self).map(\.format) == formats)
        #expect(box.resolve([Parser].self)?.map(\.format) == formats)
    }

    @Test("With none there is an empty collection")
    func empty() throws {
        let box = Container()
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        #expect(box.resolveAll(Parser.self).isEmpty)
        #expect(try box.requireAll(Parser.self).isEmpty)
        #expect(try box.require([Parser].self).isEmpty)
        #expect(recorder.events.isEmpty)
    }

    @Test("The parents' contributions come first, and the child's stand beside them")
    func parentsFirst() {
        let root = Container()
        let middle = root.createChild()
        let leaf = middle.createChild()
        leaf.contribute(Parser.self) { _ in Parser("leaf") }
        root.contribute(Parser.self) { _ in Parser("root 1") }
        middle.contribute(Parser.self) { _ in Parser("middle") }
        root.contribute(Parser.self) { _ in Parser("root 2") }
        #expect(leaf.resolveAll(Parser.self).map(\.format) == ["root 1", "root 2", "middle", "leaf"])
        #expect(middle.resolveAll(Parser.self).map(\.format) == ["root 1", "root 2", "middle"])
        #expect(root.resolveAll(Parser.self).map(\.format) == ["root 1", "root 2"])
    }

    @Test("A contribution does not answer for its type, nor a registration for the collection")
    func apartFromRegistrations() throws {
        let box = Container()
        box.contribute(Parser.self) { _ in Parser("contributed") }
        box.contribute(Parser.self, name: "named") { _ in Parser("contributed by name") }
        #expect(box.resolve(Parser.self) == nil)
        #expect(box.resolve(Parser.self, name: "named") == nil)
        box.register(Parser.self) { _ in Parser("registered") }
        #expect(box.resolveAll(Parser.self).map(\.format) == ["contributed", "contributed by name"])
        box.register([Parser].self) { _ in [Parser("array")] }
        #expect(try box.require([Parser].self) == [Parser("array")])
        #expect(box.resolveAll(Parser.self).count == 2)
    }

    @Test("A contribution is removed by its key and gone with removeAll; the others stay in order")
    func removal() {
        let box = Container()
        box.contribute(Parser.self) { _ in Parser("a") }
        let entry = box.contribute(Parser.self) { _ in Parser("b") }
        box.contribute(Parser.self) { _ in Parser("c") }
        #expect(box.remove(entry.key))
        #expect(!box.remove(entry.key))
        #expect(box.resolveAll(Parser.self).map(\.format) == ["a", "c"])
        box.contribute(Parser.self) { _ in Parser("d") }
        #expect(box.resolveAll(Parser.self).map(\.format) == ["a", "c", "d"])
        box.removeAll()
        #expect(box.resolveAll(Parser.self).isEmpty)
        box.contribute(Parser.self) { _ in Parser("e") }
        #expect(box.resolveAll(Parser.self).map(\.format) == ["e"])
    }

    @Test("Registering the key of a contribution again replaces it")
    func replacement() async {
        // In a process of its own, since what could go wrong is the use of an entry that is gone.
        await #expect(processExitsWith: .success) {
            let box = Container()
            let option = Contribution()
            box.register(Parser.self, option: option) { _ in Parser("old") }
            box.contribute(Parser.self) { _ in Parser("other") }
            for _ in 0..<100 { box.register(Parser.self, option: option) { _ in Parser("new") } }
            #expect(box.resolveAll(Parser.self).map(\.format).sorted() == ["new", "other"])
            box.remove(ServiceKey(Parser.self, option: option))
            #expect(box.resolveAll(Parser.self).map(\.format) == ["other"])
        }
    }

    @Test("A contribution has a scope of its own")
    func scopes() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.contribute(Tracked.self, scope: .container) { _ in Tracked(tracker) }
        box.contribute(Tracked.self, scope: .graph) { _ in Tracked(tracker) }
        box.contribute(Tracked.self, scope: .transient) { _ in Tracked(tracker) }
        struct Both {
            let first: [Tracked]
            let second: [Tracked]
        }
        box.register(Both.self) { r in
            Both(first: try r.requireAll(Tracked.self), second: try r.require([Tracked].self))
        }
        let both = try box.require(Both.self)
        let other = try box.require(Both.self)
        try #require(both.first.count == 3)
        try #require(both.second.count == 3)
        #expect(both.first[0] === both.second[0])
        #expect(both.first[1] === both.second[1])
        #expect(both.first[2] !== both.second[2])
        #expect(other.first[0] === both.first[0])
        #expect(other.first[1] !== both.first[1])
        #expect(tracker.made == 1 + 2 + 4)
    }

    @Test("A parent's kept contribution is one instance for it and its children")
    func keptByTheParent() {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        root.contribute(Tracked.self, scope: .container) { _ in Tracked(tracker) }
        child.contribute(Tracked.self, scope: .container) { _ in Tracked(tracker) }
        let seen = child.resolveAll(Tracked.self)
        #expect(seen.count == 2)
        #expect(root.resolveAll(Tracked.self).first === seen.first)
        #expect(tracker.made == 2)
    }

    @Test("A contribution that fails is left out by resolveAll and reported, and thrown by requireAll")
    func failure() throws {
        let box = Container()
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        box.contribute(Parser.self) { _ in Parser("a") }
        let line: UInt = #line + 1
        box.contribute(Parser.self) { _ -> Parser in throw Broken() }
        box.contribute(Parser.self) { _ in Parser("c") }
        #expect(box.resolveAll(Parser.self).map(\.format) == ["a", "c"])
        #expect(recorder.failures.map(\.code) == [.factoryThrew])
        #expect(recorder.failures.first?.path.last?.location?.line == line)
        let error = try #require(throws: ResolutionError.self) { try box.requireAll(Parser.self) }
        #expect(error.underlying is Broken)
        #expect(throws: ResolutionError.self) { try box.require([Parser].self) }
        #expect(box.resolve([Parser].self) == nil)
    }

    @Test("A factory collects contributions, and its failures carry the path")
    func insideAFactory() throws {
        let box = Container()
        box.contribute(Parser.self) { _ in Parser("a") }
        box.register(Reader.self) { r in Reader(try r.require([Parser].self)) }
        #expect(try box.require(Reader.self).parsers == [Parser("a")])
        box.contribute(Parser.self) { r in try r.require(Parser.self, name: "missing") }
        let error = try #require(throws: ResolutionError.self) { try box.require(Reader.self) }
        #expect(
            error.path.map { "\($0.key)" } == ["Reader", "Parser [contribution]", "Parser named \"missing\""]
        )
    }

    @Test("A contribution that collects its own collection is a cycle, not a crash")
    func selfCollection() throws {
        let box = Container()
        box.contribute(Parser.self) { r in Parser("\(r.resolveAll(Parser.self).count)") }
        let error = try #require(throws: ResolutionError.self) { try box.requireAll(Parser.self) }
        #expect(error.code == .circular)
        #expect(box.resolveAll(Parser.self).isEmpty)
    }

    @Test("A forwarded contribution contributes the same instance to the other collection")
    func forwarded() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.contribute(Tracked.self, scope: .container) { _ in Tracked(tracker) }
            .implements(AnyObject.self)
        box.contribute(Tracked.self, scope: .container) { _ in Tracked(tracker) }
            .implements(AnyObject.self)
        let objects = try box.requireAll(AnyObject.self)
        let tracked = try box.requireAll(Tracked.self)
        try #require(objects.count == 2)
        #expect(zip(objects, tracked).allSatisfy { $0 === $1 })
        #expect(tracker.made == 2)
    }

    @Test(
        "E1: a collection by a name that no contribution has fails under its own key, and the service of that name is suggested"
    )
    func missingName() throws {
        let box = Container()
        box.contribute(Parser.self, name: "a") { _ in Parser("a") }
        box.register(Parser.self, name: "b") { _ in Parser("b") }
        #expect(try box.require([Parser].self, name: "a").count == 1)
        let error = try #require(throws: ResolutionError.self) { try box.require([Parser].self, name: "b") }
        #expect(error.code == .notRegistered)
        #expect(error.key == ServiceKey([Parser].self, name: "b"))
        #expect(error.suggestions.first?.key == ServiceKey(Parser.self, name: "b"))
    }

    @Test("E2: a registration that differs by its option alone is no mismatch of arguments")
    func otherOption() throws {
        struct Region: ServiceKeyOption { let description = "region" }
        let box = Container()
        box.register(Parser.self, option: Region()) { _ in Parser("a") }
        let error = try #require(throws: ResolutionError.self) { try box.require(Parser.self) }
        #expect(error.code == .notRegistered)
        box.register(Parser.self) { (_, _: Int) in Parser("b") }
        let other = try #require(throws: ResolutionError.self) { try box.require(Parser.self) }
        #expect(other.code == .argumentsMismatch)
    }

    // MARK: By a condition

    @Test("A condition chooses among unnamed, named and contributed registrations alike, in order")
    func condition() {
        let parent = Container()
        let child = parent.createChild()
        child.register(Parser.self, name: "official-child") { _ in Parser("child") }
        parent.register(Parser.self, name: "official-b") { _ in Parser("b") }
        parent.register(Parser.self) { _ in Parser("unnamed") }
        parent.register(Parser.self, name: "official-a") { _ in Parser("a") }
        parent.contribute(Parser.self) { _ in Parser("contributed") }
        parent.register(Reader.self, name: "official-x") { _ in Reader([]) }

        let official = child.resolveAll(Parser.self) { $0.name?.hasPrefix("official-") == true }
        #expect(official.map(\.format) == ["b", "a", "child"])
        #expect(
            child.resolveAll(Parser.self) { _ in true }.map(\.format) == ["b", "unnamed", "a", "contributed", "child"]
        )
        #expect(child.resolveAll(Parser.self) { _ in false }.isEmpty)
    }

    @Test("A condition sees an override in place of what it overrides, and no registration with arguments")
    func conditionAndOverrides() {
        let parent = Container()
        let child = parent.createChild()
        let asked = Journal<ServiceKey>()
        parent.register(Parser.self, name: "a") { _ in Parser("parent a") }
        parent.register(Parser.self, name: "b") { _ in Parser("parent b") }
        parent.register(Parser.self) { (_, format: String) in Parser(format) }
        child.register(Parser.self, name: "a") { _ in Parser("child a") }
        let found = child.resolveAll(Parser.self) { key in
            asked.add(key)
            return true
        }
        #expect(found.map(\.format) == ["parent b", "child a"])
        #expect(asked.entries == [ServiceKey(Parser.self, name: "b"), ServiceKey(Parser.self, name: "a")])
    }

    @Test("What a condition throws is passed on")
    func throwingCondition() {
        let box = Container()
        box.register(Parser.self) { _ in Parser("a") }
        #expect(throws: Broken.self) { try box.resolveAll(Parser.self) { _ in throw Broken() } }
    }

    @Test("One that fails is left out and reported")
    func failureUnderACondition() {
        let box = Container()
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        box.register(Parser.self, name: "a") { _ -> Parser in throw Broken() }
        box.register(Parser.self, name: "b") { _ in Parser("b") }
        #expect(box.resolveAll(Parser.self) { _ in true }.map(\.format) == ["b"])
        #expect(recorder.failures.map(\.code) == [.factoryThrew])
    }
}
