import DICore
import DIScopes
import DITestSupport
import DIWrappers
import Testing

@Suite("Optional")
struct OptionalTests {
    final class Leaf: Tracked {}

    protocol Animal: AnyObject {}
    final class Cat: Animal {}

    @Test("W3: an Optional of a registered type is the instance, in the graph that is running")
    func present() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self) { _ in Leaf(tracker) }
        box.register(Bool.self) { r in
            try r.require(Leaf?.self) === r.require(Leaf.self)
        }
        #expect(try box.require(Bool.self))
        #expect(tracker.made == 1)
        let outer: Leaf?? = box.resolve(Leaf?.self)
        #expect(outer.map { $0 != nil } == true)
    }

    @Test("W3: an Optional of an unknown type is nil, and no failure is reported")
    func absent() throws {
        let box = Container()
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        let outer: Leaf?? = box.resolve(Leaf?.self)
        #expect(outer.map { $0 != nil } == false)
        #expect(try box.require(Leaf?.self) == nil)
        #expect(try box.require(Leaf?.self, name: "a") == nil)
        #expect(try box.require(Leaf?.self, argument: 1) == nil)
        #expect(try box.require(Leaf?.self, arguments: 1, 2) == nil)
        #expect(try box.require((any Animal)?.self) == nil)
        #expect(try box.require(Int?.self) == nil)
        #expect(try box.require(Int??.self) == .some(.none))
        #expect(recorder.events.isEmpty)
    }

    @Test("W3: where the Optional itself is registered it wins")
    func registered() throws {
        let box = Container()
        box.register(Int.self) { _ in 1 }
        box.register(Int?.self) { _ in 2 }
        box.register(Int?.self, name: "nil") { _ in nil }
        box.register(Int.self, name: "nil") { _ in 3 }
        #expect(try box.require(Int?.self) == 2)
        #expect(try box.require(Int.self) == 1)
        #expect(try box.require(Int?.self, name: "nil") == nil)
        #expect(try box.require(Int.self, name: "nil") == 3)
    }

    @Test("W3: a registered Optional does not answer for its wrapped type")
    func registeredOptionalOnly() throws {
        let box = Container()
        box.register(Int?.self) { _ in 2 }
        #expect(box.resolve(Int.self) == nil)
    }

    @Test("W3: a registered Optional that produced nil in container scope is not built again")
    func keptNil() throws {
        let box = Container()
        let built = Counter()
        box.register(Leaf?.self, scope: .container) { _ in
            built.add()
            return nil
        }
        box.register(Int?.self, scope: .perContainer) { _ in
            built.add()
            return nil
        }
        for _ in 0..<3 {
            #expect(try box.require(Leaf?.self) == nil)
            let outer: Leaf?? = box.resolve(Leaf?.self)
            #expect(outer.map { $0 != nil } == false)
            #expect(try box.require(Int?.self) == nil)
        }
        #expect(built.value == 2)
        box.resetObjectScope(.container)
        #expect(try box.require(Leaf?.self) == nil)
        #expect(built.value == 3)
    }

    @Test("W3: a nil of graph scope is shared within its graph")
    func sharedNil() throws {
        let box = Container()
        let built = Counter()
        box.register(Leaf?.self) { _ in
            built.add()
            return nil
        }
        box.register(Bool.self) { r in
            try r.require(Leaf?.self) == nil && r.require(Leaf?.self) == nil
        }
        #expect(try box.require(Bool.self))
        #expect(built.value == 1)
    }

    @Test("W3: an Optional sees the parents' registrations, and a child's override")
    func hierarchy() throws {
        let parent = Container()
        let child = parent.createChild()
        parent.register(Int.self) { _ in 1 }
        #expect(try child.require(Int?.self) == 1)
        child.register(Int.self) { _ in 2 }
        #expect(try child.require(Int?.self) == 2)
        #expect(try parent.require(Int?.self) == 1)
    }

    @Test("W3: an Optional of a protocol is the instance behind it")
    func protocols() throws {
        let box = Container()
        box.register((any Animal).self, scope: .container) { _ in Cat() }
        let cat = try box.require((any Animal)?.self)
        #expect(try cat === box.require((any Animal).self))
        #expect(cat is Cat)
    }
}
