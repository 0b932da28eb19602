import DICore
import DIScopes
import DITestSupport
import Testing

@Suite("A resolver that decorates another")
struct ResolverDecorationTests {
    /// As in the documentation of `Resolver`.
    final class CountingResolver: Resolver {
        let base: any Resolver
        var requests = 0

        init(_ base: any Resolver) { self.base = base }

        func locate(_ key: ServiceKey) -> LocatedEntry {
            requests += 1
            return base.locate(key)
        }
    }

    /// Passes on all that its base knows, as fast as it does.
    final class FullResolver: Resolver {
        let base: any Resolver

        init(_ base: any Resolver) { self.base = base }

        func locate(_ key: ServiceKey) -> LocatedEntry { base.locate(key) }

        func unsafeLocate(_ key: ServiceKey) -> UnsafeLocatedEntry { base.unsafeLocate(key) }

        func unsafeLocate(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry {
            base.unsafeLocate(unnamed: serviceType)
        }

        func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] { base.contributions(to: serviceType) }

        var visibleEntries: [AnyServiceEntry] { base.visibleEntries }
    }

    /// A wrapper of a stranger's, as in the documentation of `InstanceWrapper`.
    struct Deferred<Wrapped>: InstanceWrapper {
        let make: InstanceProvider<Wrapped>

        static func makeWrapper(from source: InstanceSource<Wrapped>) -> Deferred {
            Deferred(make: source.inNewGraphs())
        }
    }

    struct Text: Equatable {
        let value: String
        init(_ value: String) { self.value = value }
    }

    final class Leaf {}

    final class Root {
        let left: Leaf
        let right: Leaf
        let resolver: any Resolver

        init(_ r: any Resolver) throws {
            left = try r.require(Leaf.self)
            right = try r.require(Leaf.self)
            resolver = r
        }
    }

    private static func container(leaf: ObjectScope) -> Container {
        let box = Container()
        box.register(Leaf.self, scope: leaf) { _ in Leaf() }
        box.register(Root.self, scope: .transient) { r in try Root(r) }
        return box
    }

    @Test("Requests with names and arguments pass through it, one look each")
    func namesAndArguments() throws {
        let box = Container()
        box.register(Text.self) { _ in Text("unnamed") }
        box.register(Text.self, name: "n") { _ in Text("named") }
        box.register(Text.self) { (_, a: Int) in Text("\(a)") }
        box.register(Text.self, name: "n") { (_, a: Int, b: Int, c: Int) in Text("\(a)\(b)\(c)") }
        let resolver = CountingResolver(box)
        #expect(resolver.resolve(Text.self) == Text("unnamed"))
        #expect(try resolver.require(Text.self) == Text("unnamed"))
        #expect(resolver.resolve(Text.self, name: "n") == Text("named"))
        #expect(try resolver.require(Text.self, name: "n") == Text("named"))
        #expect(resolver.resolve(Text.self, argument: 1) == Text("1"))
        #expect(try resolver.require(Text.self, argument: 2) == Text("2"))
        #expect(resolver.resolve(Text.self, name: "n", arguments: 1, 2, 3) == Text("123"))
        #expect(try resolver.require(Text.self, name: "n", arguments: 2, 3, 4) == Text("234"))
        #expect(resolver.requests == 8)
    }

    @Test("It works behind `any Resolver`, and may be decorated in turn")
    func nestedDecoration() throws {
        let inner = CountingResolver(Self.container(leaf: .graph))
        let outer = CountingResolver(inner)
        let resolver: any Resolver = outer
        let root = try resolver.require(Root.self)
        #expect(root.left === root.right)
        #expect(outer.requests == 3)
        #expect(inner.requests == 3)
    }

    @Test("A factory is given the resolver that was asked, so nested requests pass through it")
    func nestedRequests() throws {
        let resolver = CountingResolver(Self.container(leaf: .graph))
        let root = try resolver.require(Root.self)
        #expect(root.resolver === resolver)
        #expect(resolver.requests == 3)
    }

    @Test("One graph spans what it passes on", arguments: [ObjectScope.graph, .container, .weak, .perContainer])
    func sharing(_ scope: ObjectScope) throws {
        let resolver = CountingResolver(Self.container(leaf: scope))
        let root = try resolver.require(Root.self)
        #expect(root.left === root.right)
    }

    @Test("Nothing is shared in the transient scope, nor between two graphs")
    func notShared() throws {
        let transient = try CountingResolver(Self.container(leaf: .transient)).require(Root.self)
        #expect(transient.left !== transient.right)
        let resolver = CountingResolver(Self.container(leaf: .graph))
        #expect(try resolver.require(Root.self).left !== resolver.require(Root.self).left)
    }

    @Test("A kept service is the container's, and built by the container itself")
    func keptService() throws {
        let box = Container()
        box.register(Leaf.self) { _ in Leaf() }
        box.register(Root.self, scope: .container) { r in try Root(r) }
        let resolver = CountingResolver(box)
        let root = try resolver.require(Root.self)
        #expect(try box.require(Root.self) === root)
        #expect(try resolver.require(Root.self) === root)
        #expect(root.resolver === box)
        #expect(resolver.requests == 2)
    }

    @Test("A cycle through it is found on the first repeat, with the path")
    func cycle() throws {
        struct A { init(_ r: any Resolver) throws { _ = try r.require(B.self) } }
        struct B { init(_ r: any Resolver) throws { _ = try r.require(A.self) } }
        let box = Container()
        box.register(A.self) { r in try A(r) }
        box.register(B.self) { r in try B(r) }
        let resolver = CountingResolver(box)
        let error = try #require(throws: ResolutionError.self) { try resolver.require(A.self) }
        #expect(error.code == .circular)
        #expect(error.path.map(\.key) == [ServiceKey(A.self), ServiceKey(B.self), ServiceKey(A.self)])
        #expect(resolver.requests == 3)
    }

    @Test("Property cycles close through it")
    func legalCycle() throws {
        final class Parent { var child: Child? }
        final class Child {
            let parent: Parent
            init(_ parent: Parent) { self.parent = parent }
        }
        let box = Container()
        box.register(Parent.self) { _ in Parent() }.initCompleted { r, parent in
            parent.child = try r.require(Child.self)
        }
        box.register(Child.self) { r in Child(try r.require(Parent.self)) }
        let resolver = CountingResolver(box)
        let parent = try resolver.require(Parent.self)
        #expect(parent.child?.parent === parent)
        let child = try resolver.require(Child.self)
        #expect(child.parent.child === child)
    }

    @Test("Wrappers are made through it and ask it when they are used")
    func wrappers() throws {
        let resolver = CountingResolver(Self.container(leaf: .graph))
        #expect(try resolver.require(Leaf?.self) != nil)
        #expect(try resolver.require(Text?.self) == nil)
        let deferred = try resolver.require(Deferred<Root>.self)
        resolver.requests = 0
        let root = try deferred.make()
        #expect(root.resolver === resolver)
        // One more look finds out what is running.
        #expect(resolver.requests == 4)
        #expect(resolver.resolve(Deferred<Text>.self) == nil)
    }

    @Test("A wrapper holds the decorating resolver, unless a kept instance is being built")
    func wrapperLifetime() throws {
        let box = Self.container(leaf: .graph)
        box.register([Deferred<Leaf>].self, scope: .container) { r in [try r.require(Deferred<Leaf>.self)] }
        weak var resolver: CountingResolver?
        var deferred: Deferred<Leaf>?
        do {
            let strong = CountingResolver(box)
            resolver = strong
            _ = try strong.require([Deferred<Leaf>].self)
            deferred = try strong.require(Deferred<Leaf>.self)
        }
        #expect(resolver != nil)
        _ = try deferred?.make()
        deferred = nil
        #expect(resolver == nil)
        _ = try box.require([Deferred<Leaf>].self)[0].make()
    }

    @Test("The graph that runs is found through it, and can be joined later")
    func graphs() throws {
        struct Screen {
            let graph: GraphIdentifier
            let leaf: Leaf
        }
        let box = Self.container(leaf: .graph)
        box.register(Screen.self) { r in
            Screen(graph: try r.require(GraphIdentifier.self), leaf: try r.require(Leaf.self))
        }
        let resolver = CountingResolver(box)
        let screen = try resolver.require(Screen.self)
        let joined = try resolver.withObjectGraph(screen.graph) { try $0.require(Leaf.self) }
        #expect(joined === screen.leaf)
        #expect(try box.withObjectGraph(screen.graph) { try $0.require(Root.self).left } === screen.leaf)
    }

    @Test("Failures through it reach the container's observers and say what was missing")
    func failures() throws {
        let box = Container()
        box.register(Text.self, name: "near") { _ in Text("") }
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        let plain = try #require(throws: ResolutionError.self) {
            try CountingResolver(box).require(Text.self, name: "nera")
        }
        #expect(plain.code == .notRegistered)
        #expect(plain.suggestions.isEmpty, "it does not say what can be found")
        let full = try #require(throws: ResolutionError.self) {
            try FullResolver(box).require(Text.self, name: "nera")
        }
        #expect(full.suggestions.map(\.key.name) == ["near"])
        #expect(recorder.failures.count == 2)
    }

    @Test("Collections are what it passes on")
    func collections() throws {
        let box = Container()
        box.contribute(Text.self) { _ in Text("a") }
        box.contribute(Text.self, scope: .container) { _ in Text("b") }
        box.register(Text.self, name: "n") { _ in Text("c") }
        #expect(CountingResolver(box).resolveAll(Text.self).isEmpty)
        let resolver = FullResolver(box)
        #expect(resolver.resolveAll(Text.self) == [Text("a"), Text("b")])
        #expect(try resolver.requireAll(Text.self) == [Text("a"), Text("b")])
        #expect(try resolver.require([Text].self) == [Text("a"), Text("b")])
        #expect(resolver.resolveAll(Text.self) { $0.name != nil } == [Text("c")])
    }

    @Test("E4: an optional service is looked for once, so that its registration is not removed in between")
    func optional() throws {
        let resolver = CountingResolver(Self.container(leaf: .transient))
        #expect(try resolver.require(Leaf?.self) != nil)
        // One for the optional, which is not registered, and one for the service.
        #expect(resolver.requests == 2)
        let missing = CountingResolver(Container())
        #expect(try missing.require(Leaf?.self) == nil)
    }

    @Test("E4: an optional service that removes its registration and fails is an error")
    func optionalThatRemovesItself() {
        struct Refused: Error {}
        let box = Container()
        box.register(Leaf.self) { [unowned box] _ in
            box.remove(Leaf.self)
            throw Refused()
        }
        #expect { try box.require(Leaf?.self) } throws: { ($0 as? ResolutionError)?.code == .factoryThrew }
    }

    @Test("It may answer with another key's registration")
    func redirection() throws {
        final class Preferring: Resolver {
            let base: any Resolver
            let name: String

            init(_ base: any Resolver, name: String) {
                self.base = base
                self.name = name
            }

            func locate(_ key: ServiceKey) -> LocatedEntry {
                let preferred = base.locate(
                    ServiceKey(serviceType: key.serviceType, argumentsType: key.argumentsType, name: name)
                )
                return preferred.isFound ? preferred : base.locate(key)
            }
        }
        let box = Container()
        box.register(Text.self) { _ in Text("plain") }
        box.register(Text.self, name: "preview", scope: .container) { _ in Text("preview") }
        box.register(Int.self) { r in try r.require(Text.self).value.count }
        let resolver = Preferring(box, name: "preview")
        #expect(resolver.resolve(Text.self) == Text("preview"))
        #expect(resolver.resolve(Text.self) == Text("preview"))
        #expect(try resolver.require(Int.self) == 7)
        #expect(try box.require(Int.self) == 5)
    }
}
