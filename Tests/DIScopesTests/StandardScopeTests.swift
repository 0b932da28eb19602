import DICore
import DIScopes
import DITestSupport
import Testing

/// S1: what the standard scopes share.
@Suite("Standard scopes")
struct StandardScopeTests {
    private final class Part: Tracked {}

    private final class Pair {
        let left: Part
        let right: Part

        init(_ left: Part, _ right: Part) {
            self.left = left
            self.right = right
        }
    }

    private static func container(_ scope: ObjectScope, _ tracker: LifetimeTracker) -> Container {
        let box = Container()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        box.register(Pair.self, scope: .transient) { r in Pair(try r.require(Part.self), try r.require(Part.self)) }
        return box
    }

    @Test("S1: transient builds anew each time, also inside one graph")
    func transient() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(.transient, tracker)
        let pair = try box.require(Pair.self)
        #expect(pair.left !== pair.right)
        #expect(box.resolve(Part.self) !== box.resolve(Part.self))
        #expect(tracker.made == 4)
        #expect(tracker.alive == 2)
        withExtendedLifetime(pair) {}
    }

    @Test("S1: graph builds one for each graph")
    func graph() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(.graph, tracker)
        let first = try box.require(Pair.self)
        let second = try box.require(Pair.self)
        #expect(first.left === first.right)
        #expect(second.left === second.right)
        #expect(first.left !== second.left)
        #expect(tracker.made == 2)
    }

    @Test("S1: graph is the default")
    func defaultScope() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let entry = box.register(Part.self) { _ in Part(tracker) }
        #expect(entry.scope === ObjectScope.graph)
        #expect(box.defaultObjectScope === ObjectScope.graph)
        box.register(Pair.self) { r in Pair(try r.require(Part.self), try r.require(Part.self)) }
        let pair = try box.require(Pair.self)
        #expect(pair.left === pair.right)
        #expect(box.resolve(Part.self) !== pair.left)
    }

    @Test("S1: another default scope applies to what names none, also in children made from the container")
    func otherDefault() throws {
        let tracker = LifetimeTracker()
        let box = Container(defaultObjectScope: ObjectScope.container)
        box.register(Part.self) { _ in Part(tracker) }
        box.register(Part.self, name: "graph", scope: .graph) { _ in Part(tracker) }
        #expect(box.resolve(Part.self) === box.resolve(Part.self))
        #expect(box.resolve(Part.self, name: "graph") !== box.resolve(Part.self, name: "graph"))
        let child = box.createChild()
        child.register(Part.self) { _ in Part(tracker) }
        #expect(child.resolve(Part.self) === child.resolve(Part.self))
        #expect(tracker.made == 4)
    }

    @Test("S1: the graph holds its instances while it runs, and nobody does after")
    func graphHolds() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(.graph, tracker)
        let alive = Journal<Int>()
        box.register(Int.self) { r in
            for _ in 0..<3 { _ = try r.require(Part.self) }
            alive.add(tracker.alive)
            return 1
        }
        _ = try box.require(Int.self)
        #expect(alive.entries == [1])
        #expect(tracker.made == 1)
        #expect(tracker.alive == 0)
    }

    @Test("S1: container keeps one until the container ends")
    func container() throws {
        let tracker = LifetimeTracker()
        do {
            let box = Self.container(.container, tracker)
            let pair = try box.require(Pair.self)
            #expect(pair.left === pair.right)
            #expect(box.resolve(Part.self) === pair.left)
            #expect(tracker.made == 1)
        }
        #expect(tracker.alive == 0)
    }

    @Test("S1: container is one for each container that owns a registration")
    func eachOwner() {
        let tracker = LifetimeTracker()
        let one = Self.container(.container, tracker)
        let other = Self.container(.container, tracker)
        #expect(one.resolve(Part.self) !== other.resolve(Part.self))
        let child = one.createChild()
        #expect(child.resolve(Part.self) === one.resolve(Part.self))
        child.register(Part.self, scope: .container) { _ in Part(tracker) }
        #expect(child.resolve(Part.self) !== one.resolve(Part.self))
        #expect(tracker.made == 3)
    }

    @Test("S1: container keeps one for each registration: names and arguments are apart")
    func eachRegistration() {
        let tracker = LifetimeTracker()
        let box = Self.container(.container, tracker)
        box.register(Part.self, name: "a", scope: .container) { _ in Part(tracker) }
        box.register(Part.self, scope: .container) { (_, _: Int) in Part(tracker) }
        let parts = [box.resolve(Part.self), box.resolve(Part.self, name: "a"), box.resolve(Part.self, argument: 1)]
        #expect(Set(parts.compactMap { $0.map(ObjectIdentifier.init) }).count == 3)
        // Shared whatever the argument is.
        #expect(box.resolve(Part.self, argument: 2) === parts[2])
    }

    @Test("S1: weak shares an instance while somebody outside holds it, and builds anew after")
    func weak() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(.weak, tracker)
        do {
            let part = try box.require(Part.self)
            #expect(box.resolve(Part.self) === part)
            #expect(try box.require(Pair.self).left === part)
            #expect(tracker.made == 1)
        }
        #expect(tracker.alive == 0)
        let next = box.resolve(Part.self)
        #expect(next != nil)
        #expect(tracker.made == 2)
    }

    @Test("S1: weak shares within a graph also what the factory that asked first has let go")
    func weakInGraph() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(.weak, tracker)
        box.register(Int.self) { r in
            for _ in 0..<3 { _ = try r.require(Part.self) }
            return 1
        }
        _ = try box.require(Int.self)
        #expect(tracker.made == 1)
        #expect(tracker.alive == 0)
        let pair = try box.require(Pair.self)
        #expect(pair.left === pair.right)
    }

    @Test("S1: weak holds an object behind a protocol and inside an Optional weakly too")
    func weakExistential() throws {
        let tracker = LifetimeTracker()
        let box = Container()
        box.register((any AnyObject).self, scope: .weak) { _ in Part(tracker) }
        box.register(Any.self, scope: .weak) { _ in Part(tracker) }
        box.register(Part?.self, scope: .weak) { _ in Part(tracker) }
        do {
            let object = try box.require((any AnyObject).self)
            #expect(try box.require((any AnyObject).self) === object)
            let value = try box.require(Any.self) as AnyObject
            #expect(try box.require(Any.self) as AnyObject === value)
            let part = try box.require(Part?.self)
            #expect(try box.require(Part?.self) === part)
            #expect(tracker.made == 3)
        }
        #expect(tracker.alive == 0)
    }

    @Test("S1: a registered instance is the same object for every request, for as long as it is registered")
    func registeredInstance() {
        let tracker = LifetimeTracker()
        let box = Container()
        do {
            let part = Part(tracker)
            box.register(Part.self, instance: part)
            #expect(box.resolve(Part.self) === part)
            #expect(box.createChild().resolve(Part.self) === part)
        }
        #expect(tracker.alive == 1)
        box.remove(Part.self)
        #expect(tracker.alive == 0)
    }

    @Test("S1: a scope set by a chained call is that of the registration")
    func chained() throws {
        let tracker = LifetimeTracker()
        let box = Container()
        let entry = box.register(Part.self) { _ in Part(tracker) }.inObjectScope(.container)
        #expect(entry.scope === ObjectScope.container)
        #expect(box.resolve(Part.self) === box.resolve(Part.self))
        entry.inObjectScope(.transient)
        #expect(box.resolve(Part.self) !== box.resolve(Part.self))
    }
}
