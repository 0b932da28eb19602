import DICore
import DIScopes
import DITestSupport
import Testing

/// What runs when a graph ends: the deinit of any of its objects, which may use the container.
@Suite("The end of a graph")
struct GraphEndTests {
    /// Runs a closure when it is released.
    private final class Farewell {
        let say: () -> Void

        init(_ say: @escaping () -> Void) {
            self.say = say
        }

        deinit {
            say()
        }
    }

    private final class Leaf: Tracked {}

    static let scopes: [ObjectScope] = [.transient, .graph, .container, .weak, .perContainer]

    @Test("G7: an object that is released as its graph ends may resolve from the container", arguments: scopes)
    func resolves(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let said = Counter()
        box.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }
        box.register(Farewell.self) { [unowned box] _ in
            Farewell {
                if box.resolve(Leaf.self) != nil { said.add() }
            }
        }
        box.register(Int.self) { r in
            _ = try r.require(Farewell.self)
            _ = try r.require(Leaf.self)
            return 1
        }
        for expected in 1...3 {
            #expect(try box.require(Int.self) == 1)
            #expect(said.value == expected)
        }
    }

    @Test("G7: an object that is released as its graph ends may register, replace and remove")
    func registers() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Farewell.self) { [unowned box] _ in
            Farewell {
                for number in 0..<100 { box.register(Leaf.self, name: "\(number)") { _ in Leaf(tracker) } }
                box.register(Farewell.self) { _ in Farewell {} }
                box.remove(Int.self)
            }
        }
        box.register(Int.self) { r in
            _ = try r.require(Farewell.self)
            return 1
        }
        #expect(try box.require(Int.self) == 1)
        #expect(box.resolve(Leaf.self, name: "99") != nil)
        #expect(box.resolve(Int.self) == nil)
    }

    @Test("G7: what ends may begin graphs that end in the same way, many levels deep")
    func nested() throws {
        let box = Container()
        let said = Counter()
        box.register(Farewell.self) { [unowned box] (_, depth: Int) in
            Farewell {
                said.add()
                if depth > 0 { _ = box.resolve(Int.self, argument: depth - 1) }
            }
        }
        box.register(Int.self) { (r: any Resolver, depth: Int) in
            _ = try r.require(Farewell.self, argument: depth)
            return depth
        }
        #expect(try box.require(Int.self, argument: 30) == 30)
        #expect(said.value == 31)
    }

    @Test("G7: an object that is released as a failed graph ends may resolve")
    func afterFailure() {
        let box = Container()
        let tracker = LifetimeTracker()
        let said = Counter()
        box.register(Leaf.self) { _ in Leaf(tracker) }
        box.register(Farewell.self) { [unowned box] _ in
            Farewell {
                if box.resolve(Leaf.self) != nil { said.add() }
            }
        }
        box.register(Int.self) { r in
            _ = try r.require(Farewell.self)
            return Int(try r.require(Character.self).asciiValue ?? 0)
        }
        #expect(box.resolve(Int.self) == nil)
        #expect(said.value == 1)
        #expect(tracker.alive == 0)
    }

    @Test("G7: an object that is released in the middle of a graph resolves in that graph")
    func inTheMiddle() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let seen = Journal<ObjectIdentifier>()
        box.register(Leaf.self) { _ in Leaf(tracker) }
        box.register(Farewell.self, scope: .transient) { [unowned box] _ in
            Farewell {
                if let leaf = box.resolve(Leaf.self) { seen.add(ObjectIdentifier(leaf)) }
            }
        }
        box.register(Int.self) { r in
            let leaf = try r.require(Leaf.self)
            _ = try r.require(Farewell.self)
            #expect(seen.entries == [ObjectIdentifier(leaf)])
            return 1
        }
        #expect(try box.require(Int.self) == 1)
    }

    @Test("S8: what a replaced or removed entry held is released at once, and its deinit may use the container")
    func replacedEntry() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let said = Counter()
        func register() {
            box.register(Farewell.self, scope: .container) { [unowned box] _ in
                Farewell {
                    box.register(Leaf.self) { _ in Leaf(tracker) }
                    if box.resolve(Leaf.self) != nil { said.add() }
                }
            }
        }
        register()
        _ = try box.require(Farewell.self)
        register()
        #expect(said.value == 1)
        _ = try box.require(Farewell.self)
        box.remove(Farewell.self)
        #expect(said.value == 2)
        register()
        _ = try box.require(Farewell.self)
        box.removeAll()
        #expect(said.value == 3)
        #expect(box.resolve(Leaf.self) != nil)
        #expect(tracker.alive == 0)
    }

    @Test("S8: what a factory and the callbacks captured is released with the entry")
    func captured() {
        let box = Container()
        let tracker = LifetimeTracker()
        func register() {
            let forFactory = Leaf(tracker)
            let forCallback = Leaf(tracker)
            box.register(Int.self) { _ in withExtendedLifetime(forFactory) { 1 } }
                .initCompleted { _, _ in withExtendedLifetime(forCallback) {} }
        }
        register()
        #expect(tracker.alive == 2)
        register()
        #expect(tracker.alive == 2)
        box.remove(Int.self)
        #expect(tracker.alive == 0)
    }

    @Test("S1: a container that ends releases all that it kept", arguments: scopes)
    func containerEnds(scope: ObjectScope) throws {
        let tracker = LifetimeTracker()
        do {
            let box = Container()
            box.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }.initCompleted { _, _ in }
            _ = try box.require(Leaf.self)
            let child = box.createChild()
            _ = try child.require(Leaf.self)
            withExtendedLifetime((box, child)) {}
        }
        #expect(tracker.made > 0)
        #expect(tracker.alive == 0)
    }

    /// A container that keeps an instance already.
    @inline(never)
    private static func filledContainer(_ scope: ObjectScope, _ tracker: LifetimeTracker) throws -> Container {
        let box = Container()
        box.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }
        box.register(Leaf.self, name: "name", scope: scope) { _ in Leaf(tracker) }
        _ = try (box.require(Leaf.self), box.require(Leaf.self, name: "name"))
        return box
    }

    // In a process of its own, since what this guards against is a crash. The optimiser ends a container right after
    // its last use, and that must not be before the instance that was found in it is held.
    @Test("S1: the last use of a container may be the request for what it keeps")
    func lastUse() async {
        await #expect(processExitsWith: .success) {
            let tracker = LifetimeTracker()
            for scope in [ObjectScope.transient, .graph, .container, .weak, .perContainer] {
                let required = try GraphEndTests.filledContainer(scope, tracker).require(Leaf.self)
                precondition(tracker.alive == 1)
                let resolved = try GraphEndTests.filledContainer(scope, tracker).resolve(Leaf.self)
                precondition(tracker.alive == 2)
                let named = try GraphEndTests.filledContainer(scope, tracker).require(Leaf.self, name: "name")
                precondition(tracker.alive == 3)
                let namedToo = try GraphEndTests.filledContainer(scope, tracker).resolve(Leaf.self, name: "name")
                precondition(tracker.alive == 4)
                withExtendedLifetime((required, resolved, named, namedToo)) {}
            }
            precondition(tracker.alive == 0)
        }
    }

    private final class Holder {
        var box: Container?
    }

    @Test("G7: a container that is let go while it resolves finishes the resolve", arguments: scopes)
    func letGoWhileResolving(scope: ObjectScope) throws {
        let tracker = LifetimeTracker()
        let holder = Holder()
        holder.box = Container()
        holder.box?.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }
        holder.box?.register([Leaf].self, scope: scope) { r in
            let first = try r.require(Leaf.self)
            holder.box = nil
            return [first, try r.require(Leaf.self)]
        }
        .initCompleted { _, leaves in #expect(leaves.count == 2) }
        #expect(holder.box?.resolve([Leaf].self)?.count == 2)
        #expect(holder.box == nil)
        #expect(tracker.alive == 0)
    }
}
