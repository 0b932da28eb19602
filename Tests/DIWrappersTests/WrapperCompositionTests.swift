import DICore
import DIScopes
import DITestSupport
import DIWrappers
import Testing

private protocol Pet: AnyObject {}

private final class Leaf: Tracked, Pet {}

private struct Text: Equatable {
    let value: String
    init(_ value: String) { self.value = value }
}

@Suite("Wrappers and what they carry")
struct WrapperCompositionTests {
    private static func texts() -> Container {
        let box = Container()
        box.register(Text.self) { _ in Text("unnamed") }
        box.register(Text.self, name: "n") { _ in Text("named") }
        box.register(Text.self) { (_, a: Int) in Text("\(a)") }
        box.register(Text.self, name: "n") { (_, a: Int, b: String, c: Bool) in Text("\(a)\(b)\(c)") }
        return box
    }

    private static func leaves(_ tracker: LifetimeTracker, scope: ObjectScope = .graph) -> Container {
        let box = Container()
        box.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }.implements((any Pet).self)
        return box
    }

    @Test("W4: a Lazy carries the name and the arguments of its request")
    func lazyCarries() throws {
        let box = Self.texts()
        #expect(try box.require(Lazy<Text>.self).instance == Text("unnamed"))
        #expect(box.resolve(Lazy<Text>.self, name: "n")?.instance == Text("named"))
        #expect(box.resolve(Lazy<Text>.self, argument: 1)?.instance == Text("1"))
        #expect(box.resolve(Lazy<Text>.self, name: "n", arguments: 1, "b", true)?.instance == Text("1btrue"))
        #expect(box.lazyResolve(Text.self)?.instance == Text("unnamed"))
        #expect(box.lazyResolve(Text.self, name: "n")?.instance == Text("named"))
    }

    @Test("W4: a Provider carries the name and the arguments of its request")
    func providerCarries() throws {
        let box = Self.texts()
        #expect(try box.require(Provider<Text>.self).instance == Text("unnamed"))
        #expect(box.resolve(Provider<Text>.self, name: "n")?.instance == Text("named"))
        #expect(box.resolve(Provider<Text>.self, argument: 1)?.instance == Text("1"))
        #expect(box.resolve(Provider<Text>.self, name: "n", arguments: 1, "b", true)?.instance == Text("1btrue"))
    }

    @Test("W4: an Optional carries the name and the arguments of its request")
    func optionalCarries() throws {
        let box = Self.texts()
        #expect(try box.require(Text?.self) == Text("unnamed"))
        #expect(try box.require(Text?.self, name: "n") == Text("named"))
        #expect(try box.require(Text?.self, argument: 1) == Text("1"))
        #expect(try box.require(Text?.self, name: "n", arguments: 1, "b", true) == Text("1btrue"))
        #expect(try box.require(Text?.self, name: "other") == nil)
    }

    @Test("W4: wrappers follow forwarding")
    func forwarding() throws {
        let tracker = LifetimeTracker()
        let box = Self.leaves(tracker, scope: .container)
        let leaf = try box.require(Leaf.self)
        #expect(try box.require(Lazy<any Pet>.self).instance === leaf)
        #expect(try box.require(Provider<any Pet>.self).instance === leaf)
        #expect(try box.require((any Pet)?.self) === leaf)
        #expect(tracker.made == 1)
    }

    @Test("W4: a forwarded wrapper joins the graph of its request")
    func forwardingInAGraph() throws {
        struct Both {
            let leaf: Leaf
            let pet: Lazy<any Pet>
        }
        let tracker = LifetimeTracker()
        let box = Self.leaves(tracker)
        box.register(Both.self) { r in
            Both(leaf: try r.require(Leaf.self), pet: try r.require(Lazy<any Pet>.self))
        }
        let both = try box.require(Both.self)
        #expect(both.pet.instance === both.leaf)
    }

    @Test("W4: wrappers of an unknown type are nil, not a trap, and require names the type")
    func unknown() throws {
        let box = Container()
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        #expect(box.resolve(Lazy<Leaf>.self) == nil)
        #expect(box.resolve(Provider<Leaf>.self) == nil)
        #expect(box.resolve(Lazy<Leaf>.self, name: "n") == nil)
        #expect(box.resolve(Provider<Leaf>.self, argument: 1) == nil)
        #expect(box.resolve(Lazy<Provider<Leaf>>.self) == nil)
        #expect(box.lazyResolve(Leaf.self) == nil)
        #expect(recorder.failures.count == 6)
        let error = try #require(throws: ResolutionError.self) { try box.require(Lazy<Provider<Leaf>>.self) }
        #expect(error.code == .notRegistered)
        #expect(error.key == ServiceKey(Leaf.self))
    }

    @Test("W4: a name or an argument that is not registered makes a wrapper nil, whatever else is")
    func unknownName() {
        let box = Self.texts()
        #expect(box.resolve(Lazy<Text>.self, name: "other") == nil)
        #expect(box.resolve(Provider<Text>.self, argument: "1") == nil)
        #expect(box.resolve(Lazy<Text>.self, arguments: 1, "b", true) == nil)
    }

    @Test("W4: a registration of the wrapper itself wins")
    func registeredWrapper() throws {
        let tracker = LifetimeTracker()
        let box = Self.leaves(tracker)
        let leaf = Leaf(tracker)
        box.register(Lazy<Leaf>.self) { _ in Lazy(leaf) }
        #expect(try box.require(Lazy<Leaf>.self).instance === leaf)
    }

    // MARK: Composition

    @Test("W4: a Lazy of an Optional decides when it is opened")
    func lazyOfOptional() throws {
        let tracker = LifetimeTracker()
        let box = Container()
        let absent = try box.require(Lazy<Leaf?>.self)
        #expect(absent.instance == nil)
        let later = try box.require(Lazy<Leaf?>.self)
        box.register(Leaf.self, scope: .container) { _ in Leaf(tracker) }
        #expect(try later.instance === box.require(Leaf.self))
        #expect(absent.instance == nil)
    }

    @Test("W4: an Optional of a Lazy is nil for an unknown type, and else builds nothing yet")
    func optionalOfLazy() throws {
        let tracker = LifetimeTracker()
        #expect(try Container().require(Lazy<Leaf>?.self) == nil)
        let box = Self.leaves(tracker)
        let lazy = try #require(try box.require(Lazy<Leaf>?.self))
        #expect(tracker.made == 0)
        _ = lazy.instance
        #expect(tracker.made == 1)
    }

    @Test("W4: a Lazy of a Provider gives another instance at each use")
    func lazyOfProvider() throws {
        let tracker = LifetimeTracker()
        let lazy = try Self.leaves(tracker).require(Lazy<Provider<Leaf>>.self)
        #expect(lazy.instance.instance !== lazy.instance.instance)
        #expect(tracker.made == 2)
    }

    @Test("W4: a Provider of a Lazy gives another Lazy at each use")
    func providerOfLazy() throws {
        let tracker = LifetimeTracker()
        let provider = try Self.leaves(tracker).require(Provider<Lazy<Leaf>>.self)
        let first = provider.instance
        let second = provider.instance
        #expect(tracker.made == 0)
        #expect(first.instance === first.instance)
        #expect(first.instance !== second.instance)
        #expect(tracker.made == 2)
    }

    @Test("W4: a Lazy of a Lazy, and deeper, opens one after the other")
    func deep() throws {
        let tracker = LifetimeTracker()
        let box = Self.leaves(tracker)
        let lazy = try box.require(Lazy<Lazy<Provider<Leaf?>>>.self)
        #expect(tracker.made == 0)
        #expect(lazy.instance.instance.instance != nil)
        #expect(tracker.made == 1)
    }

    @Test("W4: a Lazy of an array collects the contributions when it is opened")
    func lazyOfArray() throws {
        let box = Container()
        let lazy = try box.require(Lazy<[Text]>.self)
        box.contribute(Text.self) { _ in Text("a") }
        box.contribute(Text.self) { _ in Text("b") }
        #expect(lazy.instance == [Text("a"), Text("b")])
        #expect(try box.require([Text]?.self) == [Text("a"), Text("b")])
    }

    @Test("W4: composed wrappers carry the name and the arguments all the way")
    func composedNames() throws {
        let box = Self.texts()
        #expect(try box.require(Lazy<Provider<Text>>.self, name: "n").instance.instance == Text("named"))
        #expect(try box.require(Provider<Text?>.self, argument: 7).instance == Text("7"))
        #expect(
            try box.require(Lazy<Text>?.self, name: "n", arguments: 1, "b", false)?.instance == Text("1bfalse")
        )
    }

    @Test("W4: wrappers pass through a decorating resolver, and ask it when they are opened")
    func decoratingResolver() throws {
        final class CountingResolver: Resolver {
            let base: any Resolver
            var requested: [String] = []

            init(_ base: any Resolver) { self.base = base }

            func locate(_ key: ServiceKey) -> LocatedEntry {
                requested.append("\(key)")
                return base.locate(key)
            }
        }
        struct Both {
            let leaf: Leaf
            let lazy: Lazy<Leaf>
            let provider: Provider<Leaf>
        }
        let tracker = LifetimeTracker()
        let box = Self.leaves(tracker)
        box.register(Both.self) { r in
            Both(
                leaf: try r.require(Leaf.self),
                lazy: try r.require(Lazy<Leaf>.self),
                provider: try r.require(Provider<Leaf>.self)
            )
        }
        let resolver = CountingResolver(box)
        let both = try resolver.require(Both.self)
        resolver.requested = []
        #expect(both.lazy.instance === both.leaf)
        #expect(resolver.requested.contains("Leaf"))
        resolver.requested = []
        #expect(both.provider.instance !== both.leaf)
        #expect(resolver.requested.contains("Leaf"))
    }
}
