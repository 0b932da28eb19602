import DICore
import DIScopes
import DITestSupport
import DIWrappers
import Testing

@Suite("Lazy")
struct LazyTests {
    struct Broken: Error {}

    final class Leaf: Tracked {}

    final class Middle {
        let leaf: Leaf
        init(_ leaf: Leaf) { self.leaf = leaf }
    }

    final class Root {
        let leaf: Leaf
        let lazyLeaf: Lazy<Leaf>
        let lazyMiddle: Lazy<Middle>

        init(_ r: any Resolver) throws {
            lazyLeaf = try r.require(Lazy<Leaf>.self)
            lazyMiddle = try r.require(Lazy<Middle>.self)
            leaf = try r.require(Leaf.self)
        }
    }

    private static func container(_ tracker: LifetimeTracker) -> Container {
        let box = Container()
        box.register(Leaf.self) { _ in Leaf(tracker) }
        box.register(Middle.self) { r in Middle(try r.require(Leaf.self)) }
        box.register(Root.self) { r in try Root(r) }
        return box
    }

    // MARK: W1

    @Test("W1: a Lazy builds on first use, once", arguments: [ObjectScope.transient, .graph, .container, .weak])
    func buildsOnce(_ scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }
        let lazy = try box.require(Lazy<Leaf>.self)
        #expect(tracker.made == 0)
        #expect(!lazy.isOpened)
        let first = lazy.instance
        #expect(lazy.isOpened)
        #expect(lazy.instance === first)
        #expect(try lazy.get() === first)
        #expect(tracker.made == 1)
    }

    @Test("W1: copies of a Lazy share the instance; two requests make two")
    func copies() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        let lazy = try box.require(Lazy<Leaf>.self)
        let copy = lazy
        let other = try box.require(Lazy<Leaf>.self)
        #expect(copy.instance === lazy.instance)
        #expect(copy.isOpened && lazy.isOpened && !other.isOpened)
        #expect(other.instance !== lazy.instance)
    }

    @Test("W1: a Lazy keeps its instance for as long as a copy of it lives")
    func lifetimeOfTheInstance() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        do {
            let lazy = try box.require(Lazy<Leaf>.self)
            _ = lazy.instance
            withExtendedLifetime(lazy) { #expect(tracker.alive == 1) }
        }
        #expect(tracker.alive == 0)
    }

    @Test("W1: opened later, a Lazy joins the graph that it was made in")
    func joinsItsGraph() throws {
        let tracker = LifetimeTracker()
        let root = try Self.container(tracker).require(Root.self)
        #expect(tracker.made == 1)
        #expect(root.lazyMiddle.instance.leaf === root.leaf)
        #expect(root.lazyLeaf.instance === root.leaf)
        #expect(tracker.made == 1)
    }

    @Test("W1: two Lazies of one graph opened one after the other share what the first one built")
    func laterPartsOfTheGraph() throws {
        struct Two {
            let first: Lazy<Middle>
            let second: Lazy<Middle>
            let leaf: Lazy<Leaf>
        }
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        box.register(Two.self) { r in
            Two(
                first: try r.require(Lazy<Middle>.self),
                second: try r.require(Lazy<Middle>.self),
                leaf: try r.require(Lazy<Leaf>.self)
            )
        }
        let two = try box.require(Two.self)
        let middle = two.first.instance
        #expect(two.second.instance === middle)
        #expect(two.leaf.instance === middle.leaf)
        #expect(tracker.made == 1)
    }

    @Test("W1: opened inside the constructor, a Lazy joins the graph that is running")
    func openedInTheConstructor() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        box.register(Bool.self) { r in
            let lazy = try r.require(Lazy<Middle>.self)
            return try lazy.get().leaf === r.require(Leaf.self)
        }
        #expect(try box.require(Bool.self))
        #expect(tracker.made == 1)
    }

    @Test("W1: when the objects of its graph are gone a Lazy builds new ones")
    func afterTheGraph() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        let lazy = try box.require(Root.self).lazyMiddle
        #expect(tracker.alive == 0)
        let middle = lazy.instance
        #expect(tracker.made == 2)
        withExtendedLifetime(middle) { #expect(tracker.alive == 1) }
    }

    @Test("W1: opened while another graph runs, a Lazy joins its own and leaves the other as it was")
    func openedInAnotherGraph() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        let root = try box.require(Root.self)
        box.register([Leaf].self) { r in
            let before = try r.require(Leaf.self)
            let opened = try root.lazyMiddle.get().leaf
            return [before, opened, try r.require(Leaf.self)]
        }
        let leaves = try box.require([Leaf].self)
        #expect(leaves[1] === root.leaf)
        #expect(leaves[0] !== root.leaf)
        #expect(leaves[0] === leaves[2])
        #expect(tracker.made == 2)
    }

    @Test("W1: a failure is not kept; the next use tries again")
    func failure() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let runs = Counter()
        box.register(Leaf.self) { _ in
            if runs.add() == 1 { throw Broken() }
            return Leaf(tracker)
        }
        let lazy = try box.require(Lazy<Leaf>.self)
        let error = try #require(throws: ResolutionError.self) { try lazy.get() }
        #expect(error.underlying is Broken)
        #expect(!lazy.isOpened)
        #expect(try lazy.get() === lazy.instance)
        #expect(runs.value == 2)
    }

    @Test("W1: a Lazy that is opened while it is being built is a cycle, not a deadlock")
    func openedWhileBuilding() throws {
        final class Holder {
            var lazy: Lazy<Leaf>?
        }
        let box = Container()
        let tracker = LifetimeTracker()
        let holder = Holder()
        box.register(Leaf.self) { _ in
            _ = try holder.lazy?.get()
            return Leaf(tracker)
        }
        holder.lazy = try box.require(Lazy<Leaf>.self)
        let error = try #require(throws: ResolutionError.self) { try holder.lazy?.get() }
        #expect(error.code == .circular)
        #expect(tracker.made == 0)
    }

    @Test("W1: a Lazy breaks a constructor cycle")
    func breaksCycles() throws {
        final class Chicken {
            let egg: Lazy<Egg>
            init(_ egg: Lazy<Egg>) { self.egg = egg }
        }
        final class Egg {
            let chicken: Chicken
            init(_ chicken: Chicken) { self.chicken = chicken }
        }
        let box = Container()
        box.register(Chicken.self) { r in Chicken(try r.require(Lazy<Egg>.self)) }
        box.register(Egg.self) { r in Egg(try r.require(Chicken.self)) }
        let chicken = try box.require(Chicken.self)
        #expect(chicken.egg.instance.chicken === chicken)
        let egg = try box.require(Egg.self)
        #expect(egg.chicken.egg.instance === egg)
    }

    @Test("W1: a Lazy can be made of an instance that is there")
    func ready() throws {
        let tracker = LifetimeTracker()
        let leaf = Leaf(tracker)
        let lazy = Lazy(leaf)
        #expect(lazy.isOpened)
        #expect(lazy.instance === leaf)
        #expect(try lazy.get() === leaf)
    }

    // MARK: W6

    @Test("W6: the newest registration is used when a Lazy opens")
    func reregistered() throws {
        struct Text { let value: String }
        let box = Container()
        box.register(Text.self) { _ in Text(value: "old") }
        let lazy = try box.require(Lazy<Text>.self)
        let opened = try box.require(Lazy<Text>.self)
        #expect(opened.instance.value == "old")
        box.register(Text.self) { _ in Text(value: "new") }
        #expect(lazy.instance.value == "new")
        #expect(opened.instance.value == "old")
    }

    @Test("W6: a Lazy of a registration that is removed later fails, and finds the one that comes after")
    func removed() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self) { _ in Leaf(tracker) }
        let lazy = try box.require(Lazy<Leaf>.self)
        box.remove(Leaf.self)
        let error = try #require(throws: ResolutionError.self) { try lazy.get() }
        #expect(error.code == .notRegistered)
        box.register(Leaf.self) { _ in Leaf(tracker) }
        _ = try lazy.get()
        #expect(tracker.made == 1)
    }

    @Test("W6: the instance that its graph has of the replaced entry is not found")
    func instanceOfTheReplacedEntry() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        let root = try box.require(Root.self)
        box.register(Leaf.self) { _ in Leaf(tracker) }
        #expect(root.lazyLeaf.instance !== root.leaf)
        #expect(root.lazyMiddle.instance.leaf === root.lazyLeaf.instance)
        #expect(tracker.made == 2)
    }
}
