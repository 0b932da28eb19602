import DICore
import DIScopes
import DITestSupport
import DIWrappers
import Testing

@Suite("Provider")
struct ProviderTests {
    struct Broken: Error {}

    final class Leaf: Tracked {}

    final class Pair {
        let left: Leaf
        let right: Leaf

        init(_ r: any Resolver) throws {
            left = try r.require(Leaf.self)
            right = try r.require(Leaf.self)
        }
    }

    @Test("W2: two uses of a Provider give two objects of graph scope")
    func twoUses() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self) { _ in Leaf(tracker) }
        let provider = try box.require(Provider<Leaf>.self)
        #expect(tracker.made == 0)
        let first = provider.instance
        let second = try provider.get()
        #expect(first !== second)
        #expect(tracker.made == 2)
    }

    @Test("W2: inside a constructor, too, each use gives another object, and none is that of the running graph")
    func insideAConstructor() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self) { _ in Leaf(tracker) }
        box.register([Leaf].self) { r in
            let own = try r.require(Leaf.self)
            let provider = try r.require(Provider<Leaf>.self)
            return [own, provider.instance, provider.instance, try r.require(Leaf.self)]
        }
        let leaves = try box.require([Leaf].self)
        #expect(leaves[0] === leaves[3])
        #expect(Set(leaves.map(ObjectIdentifier.init)).count == 3)
        #expect(tracker.made == 3)
    }

    @Test("W2: inside a callback, too")
    func insideACallback() throws {
        final class Holder {
            var leaves: [Leaf] = []
        }
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self) { _ in Leaf(tracker) }
        box.register(Holder.self) { _ in Holder() }.initCompleted { r, holder in
            let provider = try r.require(Provider<Leaf>.self)
            holder.leaves = [provider.instance, provider.instance, try r.require(Leaf.self)]
        }
        let holder = try box.require(Holder.self)
        #expect(Set(holder.leaves.map(ObjectIdentifier.init)).count == 3)
    }

    @Test("W2: each use is one graph of its own")
    func oneGraphEach() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self) { _ in Leaf(tracker) }
        box.register(Pair.self) { r in try Pair(r) }
        let provider = try box.require(Provider<Pair>.self)
        let first = provider.instance
        let second = provider.instance
        #expect(first.left === first.right)
        #expect(second.left === second.right)
        #expect(first.left !== second.left)
    }

    @Test(
        "W2: a Provider gives what a resolve would give: kept instances stay the same",
        arguments: [ObjectScope.container, .weak, .perContainer]
    )
    func kept(_ scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }
        let provider = try box.require(Provider<Leaf>.self)
        let first = provider.instance
        #expect(provider.instance === first)
        #expect(try box.require(Leaf.self) === first)
        box.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }
        #expect(provider.instance !== first)
    }

    @Test("W2: a Provider keeps nothing of what it gave")
    func keepsNothing() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self) { _ in Leaf(tracker) }
        let provider = try box.require(Provider<Leaf>.self)
        for _ in 0..<10 { _ = provider.instance }
        withExtendedLifetime(provider) {
            #expect(tracker.made == 10)
            #expect(tracker.alive == 0)
        }
    }

    @Test("W2: a Provider that fails throws, and works again after")
    func failure() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let runs = Counter()
        box.register(Leaf.self) { _ in
            if runs.add() == 1 { throw Broken() }
            return Leaf(tracker)
        }
        let provider = try box.require(Provider<Leaf>.self)
        let error = try #require(throws: ResolutionError.self) { try provider.get() }
        #expect(error.underlying is Broken)
        _ = try provider.get()
    }

    @Test("W2: a constructor that opens a Provider of itself is a cycle, not a stack overflow")
    func cycle() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self) { r in
            _ = try r.require(Provider<Leaf>.self).get()
            return Leaf(tracker)
        }
        let error = try #require(throws: ResolutionError.self) { try box.require(Leaf.self) }
        #expect(error.code == .circular)
        #expect(tracker.made == 0)
    }
}
