import DICore
import DIScopes
import DITestSupport
import Testing

@Suite("A resolver over a registry of its own")
struct ResolverOwnRegistryTests {
    /// As in the documentation of `ResolutionContext`, with registrations.
    final class ModuleResolver: Resolver {
        private lazy var context = ResolutionContext(for: self)

        func locate(_ key: ServiceKey) -> LocatedEntry { context.locate(key) }

        func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] { context.contributions(to: serviceType) }

        var visibleEntries: [AnyServiceEntry] { context.visibleEntries }

        func add(_ entry: some ConfigurableEntry) { context.add(entry.anyEntry) }
    }

    /// Asks a container for what it does not have.
    final class ChildResolver: Resolver {
        private let parent: Container
        private lazy var context = ResolutionContext(for: self, parent: parent.identity)

        init(parent: Container) { self.parent = parent }

        func locate(_ key: ServiceKey) -> LocatedEntry {
            LocatedEntry(context.entry(for: key) ?? parent.locate(key).entry, context: context)
        }

        func add(_ entry: some ConfigurableEntry) { context.add(entry.anyEntry) }
    }

    /// Takes registrations in every form that a container does.
    final class Registrar: ServiceRegistrar {
        private lazy var context = ResolutionContext(for: self)
        private(set) var forwarded: [String] = []

        func locate(_ key: ServiceKey) -> LocatedEntry { context.locate(key) }

        func add(_ entry: AnyServiceEntry) { context.add(entry) }

        func didForward<Forwarded, Service>(
            _ type: Forwarded.Type,
            name: String?,
            to entry: ServiceEntry<Service>
        ) {
            forwarded.append("\(type)")
        }

        func register<Service>(
            _ type: Service.Type,
            scope: ObjectScope = .graph,
            factory: @escaping (any Resolver) throws -> Service
        ) -> ServiceEntry<Service> {
            let entry = ServiceEntry<Service>.make(scope: scope, factory: factory)
            add(entry)
            return entry
        }
    }

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

    protocol Animal: AnyObject {}
    final class Cat: Animal {}

    final class Leaf {
        let text: String
        init(_ text: String = "") { self.text = text }
    }

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

    private static func resolver(leaf: ObjectScope) -> ModuleResolver {
        let resolver = ModuleResolver()
        resolver.add(ServiceEntry<Leaf>.make(scope: leaf) { _ in Leaf() })
        resolver.add(ServiceEntry<Root>.make(scope: .transient) { r in try Root(r) })
        return resolver
    }

    @Test("It answers requests with names and arguments")
    func namesAndArguments() throws {
        let resolver = ModuleResolver()
        resolver.add(ServiceEntry<Text>.make(scope: .graph) { _ in Text("unnamed") })
        resolver.add(ServiceEntry<Text>.make(name: "n", scope: .graph) { _ in Text("named") })
        resolver.add(ServiceEntry<Text>.make(scope: .graph) { (_, a: Int) in Text("\(a)") })
        resolver.add(
            ServiceEntry<Text>.make(name: "n", scope: .graph) { (_, a: Int, b: Int, c: Int) in Text("\(a)\(b)\(c)") }
        )
        #expect(resolver.resolve(Text.self) == Text("unnamed"))
        #expect(try resolver.require(Text.self, name: "n") == Text("named"))
        #expect(resolver.resolve(Text.self, argument: 1) == Text("1"))
        #expect(try resolver.require(Text.self, name: "n", arguments: 1, 2, 3) == Text("123"))
        #expect(resolver.resolve(Text.self, name: "other") == nil)
        resolver.add(ServiceEntry<Text>.make(scope: .graph) { _ in Text("replaced") })
        #expect(resolver.resolve(Text.self) == Text("replaced"))
    }

    @Test("Every scope works in it", arguments: [ObjectScope.graph, .container, .weak, .perContainer])
    func scopes(_ scope: ObjectScope) throws {
        let resolver = Self.resolver(leaf: scope)
        let root = try resolver.require(Root.self)
        #expect(root.left === root.right)
        #expect(root.resolver === resolver)
        let other = try resolver.require(Root.self)
        #expect((other.left === root.left) == (scope !== ObjectScope.graph))
    }

    @Test("Nothing is shared in the transient scope")
    func transient() throws {
        let root = try Self.resolver(leaf: .transient).require(Root.self)
        #expect(root.left !== root.right)
    }

    @Test("A kept instance ends with it")
    func lifetime() throws {
        let tracker = LifetimeTracker()
        do {
            let resolver = ModuleResolver()
            resolver.add(ServiceEntry<Tracked>.make(scope: .container) { _ in Tracked(tracker) })
            #expect(try resolver.require(Tracked.self) === resolver.require(Tracked.self))
            #expect(tracker.alive == 1)
        }
        #expect(tracker.made == 1)
        #expect(tracker.alive == 0)
    }

    @Test("A cycle is found on the first repeat, with the path and the places")
    func cycle() throws {
        struct A { init(_ r: any Resolver) throws { _ = try r.require(B.self) } }
        struct B { init(_ r: any Resolver) throws { _ = try r.require(A.self) } }
        let resolver = ModuleResolver()
        let line: UInt = #line
        resolver.add(ServiceEntry<A>.make(scope: .graph) { r in try A(r) })
        resolver.add(ServiceEntry<B>.make(scope: .container) { r in try B(r) })
        let error = try #require(throws: ResolutionError.self) { try resolver.require(A.self) }
        #expect(error.code == .circular)
        #expect(error.path.map(\.key) == [ServiceKey(A.self), ServiceKey(B.self), ServiceKey(A.self)])
        #expect(error.path.map(\.location?.line) == [line + 1, line + 2, line + 1])
    }

    @Test("Callbacks close a property cycle")
    func callbacks() throws {
        final class Parent { var child: Child? }
        final class Child {
            let parent: Parent
            init(_ parent: Parent) { self.parent = parent }
        }
        let resolver = ModuleResolver()
        resolver.add(
            ServiceEntry<Parent>.make(scope: .graph) { _ in Parent() }.initCompleted { r, parent in
                parent.child = try r.require(Child.self)
            }
        )
        resolver.add(ServiceEntry<Child>.make(scope: .graph) { r in Child(try r.require(Parent.self)) })
        let parent = try resolver.require(Parent.self)
        #expect(parent.child?.parent === parent)
    }

    @Test("Wrappers, collections and graphs work in it")
    func wrappersCollectionsGraphs() throws {
        let resolver = Self.resolver(leaf: .graph)
        resolver.add(ServiceEntry<Text>.make(option: Contribution(), scope: .graph) { _ in Text("a") })
        resolver.add(ServiceEntry<Text>.make(option: Contribution(), scope: .container) { _ in Text("b") })
        #expect(try resolver.require(Leaf?.self) != nil)
        #expect(try resolver.require(Text?.self) == nil)
        let deferred = try resolver.require(Deferred<Root>.self)
        #expect(try deferred.make() !== deferred.make())
        #expect(try deferred.make().resolver === resolver)
        #expect(resolver.resolveAll(Text.self) == [Text("a"), Text("b")])
        #expect(try resolver.require([Text].self) == [Text("a"), Text("b")])
        let graph = GraphIdentifier()
        let (first, second) = try resolver.withObjectGraph(graph) { r in
            (try r.require(Leaf.self), try r.require(Leaf.self))
        }
        #expect(first === second)
    }

    @Test("A wrapper inside what it keeps does not hold it, and says so when it is gone")
    func goneResolver() throws {
        var deferred: Deferred<Leaf>?
        weak var ended: ModuleResolver?
        do {
            let resolver = Self.resolver(leaf: .graph)
            resolver.add(
                ServiceEntry<[Deferred<Leaf>]>.make(scope: .container) { r in [try r.require(Deferred<Leaf>.self)] }
            )
            deferred = try resolver.require([Deferred<Leaf>].self).first
            _ = try deferred?.make()
            ended = resolver
        }
        #expect(ended == nil)
        let error = try #require(throws: ResolutionError.self) { _ = try deferred?.make() }
        #expect(error.code == .containerGone)
    }

    @Test("What is missing is an error with suggestions from what it says can be found")
    func failures() throws {
        let resolver = ModuleResolver()
        resolver.add(ServiceEntry<Text>.make(name: "near", scope: .graph) { _ in Text("") })
        let error = try #require(throws: ResolutionError.self) { try resolver.require(Text.self, name: "nera") }
        #expect(error.suggestions.map(\.key.name) == ["near"])
        let none = try #require(throws: ResolutionError.self) { try resolver.require(Leaf.self) }
        #expect(none.suggestions.isEmpty)
    }

    // MARK: With a parent

    @Test("With a container as parent it adds to and overrides what is there")
    func containerAsParent() throws {
        let parent = Container()
        parent.register(Text.self) { _ in Text("parent") }
        parent.register(Int.self) { r in try r.require(Text.self).value.count }
        let resolver = ChildResolver(parent: parent)
        #expect(try resolver.require(Int.self) == 6)
        resolver.add(ServiceEntry<Text>.make(scope: .graph) { _ in Text("own") })
        #expect(try resolver.require(Int.self) == 3)
        #expect(try parent.require(Int.self) == 6)
    }

    @Test("What a parent container keeps is the parent's, built from the parent's registrations")
    func keptByTheParentContainer() throws {
        let parent = Container()
        parent.register(Text.self) { _ in Text("parent") }
        parent.register(Leaf.self, scope: .container) { r in
            let text = try r.require(Text.self)
            #expect(text == Text("parent"))
            return Leaf()
        }
        let resolver = ChildResolver(parent: parent)
        resolver.add(ServiceEntry<Text>.make(scope: .graph) { _ in Text("own") })
        #expect(try resolver.require(Leaf.self) === parent.require(Leaf.self))
    }

    @Test("The parent's observers are told of failures in it")
    func observersOfTheParent() {
        let parent = Container()
        let recorder = EventRecorder(.failures)
        parent.addObserver(recorder)
        #expect(ChildResolver(parent: parent).resolve(Leaf.self) == nil)
        #expect(recorder.failures.map(\.code) == [.notRegistered])
    }

    @Test("What is kept by a stranger's resolver is its own, also when a child of it asks")
    func keptByAStrangersParent() throws {
        /// One level of a hierarchy that has nothing to do with `Container`.
        final class Level: Resolver {
            private let parent: Level?
            private(set) lazy var context: ResolutionContext = ResolutionContext(
                for: self,
                parent: parent?.context.identity
            )

            init(parent: Level? = nil) { self.parent = parent }

            // The parent is asked as a resolver, so that its entries become its own.
            func locate(_ key: ServiceKey) -> LocatedEntry {
                LocatedEntry(context.entry(for: key) ?? parent?.locate(key).entry, context: context)
            }

            func add(_ entry: some ConfigurableEntry) { context.add(entry.anyEntry) }
        }
        let parent = Level()
        parent.add(ServiceEntry<Text>.make(scope: .graph) { _ in Text("parent") })
        parent.add(ServiceEntry<Leaf>.make(scope: .container) { r in Leaf(try r.require(Text.self).value) })
        let first: Leaf
        do {
            let child = Level(parent: parent)
            child.add(ServiceEntry<Text>.make(scope: .graph) { _ in Text("child") })
            first = try child.require(Leaf.self)
        }
        #expect(first.text == "parent")
        #expect(try parent.require(Leaf.self) === first)
        #expect(try Level(parent: parent).require(Leaf.self) === first)
    }

    // MARK: As a registrar

    @Test("The entries of a stranger's registrar can be configured like those of a container")
    func registrar() throws {
        let registrar = Registrar()
        registrar.register(Cat.self) { _ in Cat() }
            .inObjectScope(.container)
            .implements((any Animal).self)
        let cat = try registrar.require(Cat.self)
        #expect(try registrar.require(Cat.self) === cat)
        #expect(registrar.resolve((any Animal).self) === cat)
        #expect(registrar.forwarded == ["Animal"])
    }
}
