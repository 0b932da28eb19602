import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import DIWrappers
import Testing

private final class Shared: Sendable {}

private final class Part: Sendable {
    let name: String
    let shared: Shared
    let other: Part?

    init(_ name: String, _ shared: Shared, _ other: Part? = nil) {
        self.name = name
        self.shared = shared
        self.other = other
    }
}

private struct Broken: Error {}

/// A wrapper that resolves more than once.
private struct Twice<Wrapped>: InstanceWrapper {
    let first: Wrapped
    let second: Wrapped
    let later: [InstanceProvider<Wrapped>]

    static func makeWrapper(from source: InstanceSource<Wrapped>) throws(ResolutionError) -> Twice {
        Twice(
            first: try source.resolve(),
            second: try source.resolve(),
            later: [source.inThisGraph(), source.inThisGraph()]
        )
    }
}

private final class Decorator: Resolver {
    let base: any Resolver

    init(_ base: any Resolver) { self.base = base }

    func locate(_ key: ServiceKey) -> LocatedEntry { base.locate(key) }
    func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] { base.contributions(to: serviceType) }
    var visibleEntries: [AnyServiceEntry] { base.visibleEntries }
}

/// What can be asked for a collection.
enum CollectingResolver: CaseIterable {
    case plain, child, threadSafe, threadSafeChild, confinedChild, view, decorated, privateParents

    fileprivate func make(_ register: (any SendableRegistrar) -> Void) -> any Resolver {
        func plain() -> Container {
            let container = Container()
            register(container.registrar)
            return container
        }
        func threadSafe() -> ThreadSafeContainer {
            let container = ThreadSafeContainer()
            register(container)
            return container
        }
        return switch self {
        case .plain: plain()
        case .child: plain().createChild()
        case .threadSafe: threadSafe()
        case .threadSafeChild: threadSafe().createChild()
        case .confinedChild: threadSafe().createConfinedChild()
        case .view: plain().synchronize()
        case .decorated: Decorator(plain())
        case .privateParents: plain().createChild(sharing: .none)
        }
    }
}

/// The ways to ask for a collection.
enum CollectionForm: CaseIterable {
    case requireAll, resolveAll, resolveWhere, require, resolve, optional

    fileprivate func parts(from r: any Resolver) throws -> [Part] {
        switch self {
        case .requireAll: try r.requireAll(Part.self)
        case .resolveAll: r.resolveAll(Part.self)
        case .resolveWhere: r.resolveAll(Part.self) { $0.name == nil }
        case .require: try r.require([Part].self)
        case .resolve: r.resolve([Part].self) ?? []
        case .optional: try r.require([Part]?.self) ?? []
        }
    }
}

private func registerParts(_ box: any SendableRegistrar) {
    box.register(Shared.self) { _ in Shared() }
    box.contribute(Part.self) { r in Part("a", try r.require(Shared.self)) }
    box.contribute(Part.self, scope: .transient) { r in Part("b", try r.require(Shared.self)) }
    box.contribute(Part.self) { r in Part("c", try r.require(Shared.self)) }
}

@Suite("Collections and graphs")
struct CollectionGraphTests {
    @Test(
        "G9: the elements of a collection that is asked for at the top are built in one graph, another one each time",
        arguments: CollectingResolver.allCases,
        CollectionForm.allCases
    )
    func oneGraph(kind: CollectingResolver, form: CollectionForm) throws {
        let r = kind.make(registerParts)
        let parts = try form.parts(from: r)
        try #require(parts.map(\.name) == ["a", "b", "c"])
        #expect(parts.allSatisfy { $0.shared === parts[0].shared })
        let again = try form.parts(from: r)
        #expect(again[0].shared !== parts[0].shared)
        #expect(zip(again, parts).allSatisfy { $0 !== $1 })
        // No graph is left running.
        #expect(try r.require(Shared.self) !== r.require(Shared.self))
    }

    @Test("G9: a collection by name is one graph too", arguments: CollectingResolver.allCases)
    func byName(kind: CollectingResolver) throws {
        let r = kind.make {
            $0.register(Shared.self) { _ in Shared() }
            $0.contribute(Part.self, name: "n") { r in Part("a", try r.require(Shared.self)) }
            $0.contribute(Part.self, name: "n") { r in Part("b", try r.require(Shared.self)) }
        }
        let parts = try r.require([Part].self, name: "n")
        try #require(parts.count == 2)
        #expect(parts[0].shared === parts[1].shared)
    }

    @Test("G9: an element that another one needs is one object with it", arguments: CollectingResolver.allCases)
    func elementsOfElements(kind: CollectingResolver) throws {
        let r = kind.make {
            $0.register(Shared.self) { _ in Shared() }
            $0.register(Part.self, name: "a") { r in Part("a", try r.require(Shared.self)) }
            $0.register(Part.self, name: "b") { r in
                Part("b", try r.require(Shared.self), try r.require(Part.self, name: "a"))
            }
            $0.register(Part.self, name: "c") { r in
                Part("c", try r.require(Shared.self), try r.require(Part.self, name: "b"))
            }
        }
        let parts = r.resolveAll(Part.self) { _ in true }
        try #require(parts.map(\.name) == ["a", "b", "c"])
        #expect(parts[1].other === parts[0])
        #expect(parts[2].other === parts[1])
    }

    @Test(
        "G9: what a container keeps and what belongs to the graph meet in one graph",
        arguments: CollectingResolver.allCases
    )
    func keptElements(kind: CollectingResolver) throws {
        let r = kind.make {
            $0.register(Shared.self, scope: .weak) { _ in Shared() }
            $0.contribute(Part.self, scope: .container) { r in Part("kept", try r.require(Shared.self)) }
            $0.contribute(Part.self) { r in Part("graph", try r.require(Shared.self)) }
        }
        let first = try r.requireAll(Part.self)
        let second = try r.requireAll(Part.self)
        #expect(first[0] === second[0])
        #expect(first[1] !== second[1])
        #expect(first[0].shared === second[1].shared)
    }

    // MARK: Wrappers

    @Test("G9: the wrappers of a collection join the graph that it was made in", arguments: CollectingResolver.allCases)
    func lazies(kind: CollectingResolver) throws {
        let r = kind.make(registerParts)
        let lazies = try r.require([Lazy<Part>].self)
        let parts = lazies.map(\.instance)
        try #require(parts.map(\.name) == ["a", "b", "c"])
        #expect(parts.allSatisfy { $0.shared === parts[0].shared })
        let others = try r.require([Lazy<Part>].self).map(\.instance)
        #expect(others[0].shared !== parts[0].shared)
        let anew = try r.require([Provider<Part>].self).map(\.instance)
        #expect(anew[0].shared !== anew[1].shared)
    }

    @Test("G9: a wrapper that resolves several times at the top is one resolve", arguments: CollectingResolver.allCases)
    func twice(kind: CollectingResolver) throws {
        let r = kind.make { $0.register(Shared.self) { _ in Shared() } }
        let twice = try r.require(Twice<Shared>.self)
        #expect(twice.first === twice.second)
        #expect(try twice.later.allSatisfy { try $0() === twice.first })
        #expect(try r.require(Twice<Shared>.self).first !== twice.first)
        let lazy = try r.require(Twice<Lazy<Shared>>.self)
        #expect(lazy.first.instance === lazy.second.instance)
    }

    // MARK: In a running graph

    @Test(
        "G9: a collection in a factory, or in a graph that was joined, stays in that graph",
        arguments: CollectingResolver.allCases
    )
    func inside(kind: CollectingResolver) throws {
        struct Everything {
            let shared: Shared
            let graph: GraphIdentifier
            let parts: [Part]
            let lazies: [Lazy<Part>]
        }
        let r = kind.make {
            registerParts($0)
            $0.registerUnshared(Everything.self) { r in
                Everything(
                    shared: try r.require(Shared.self),
                    graph: try r.require(GraphIdentifier.self),
                    parts: try CollectionForm.allCases.flatMap { try $0.parts(from: r) },
                    lazies: try r.require([Lazy<Part>].self)
                )
            }
        }
        let all = try r.require(Everything.self)
        #expect(all.parts.count == 18)
        #expect(all.parts.allSatisfy { $0.shared === all.shared })
        for form in CollectionForm.allCases {
            let joined = try r.withObjectGraph(all.graph) { try form.parts(from: $0) }
            #expect(joined.allSatisfy { $0.shared === all.shared })
        }
        #expect(all.lazies.allSatisfy { $0.instance.shared === all.shared })
    }

    // MARK: Failures

    @Test(
        "G7, G9: an element that fails ends the graph of its collection, or is left out of it",
        arguments: CollectingResolver.allCases
    )
    func failures(kind: CollectingResolver) throws {
        let tracker = LifetimeTracker()
        final class Held: Tracked, @unchecked Sendable {}
        let r = kind.make {
            $0.register(Held.self) { _ in Held(tracker) }
            $0.contribute([Held].self) { r in [try r.require(Held.self)] }
            $0.contribute([Held].self) { r in
                _ = try r.require(Held.self)
                throw Broken()
            }
            $0.contribute([Held].self) { r in [try r.require(Held.self)] }
        }
        for round in 0..<3 {
            let error = #expect(throws: ResolutionError.self) { try r.requireAll([Held].self) }
            #expect(error?.path.count == 1)
            #expect(tracker.made == 4 * round + 1)
            #expect(tracker.alive == 0)
            do {
                let left = r.resolveAll([Held].self).flatMap { $0 }
                try #require(left.count == 2)
                #expect(left[0] === left[1])
            }
            #expect(tracker.made == 4 * round + 2)
            #expect(tracker.alive == 0)
            #expect(try r.require(Held.self) !== r.require(Held.self))
        }
    }

    @Test(
        "G4, G9: a cycle in one element fails that one, and is no part of the others",
        arguments: CollectingResolver.allCases
    )
    func cycles(kind: CollectingResolver) throws {
        let r = kind.make {
            $0.register(Shared.self) { _ in Shared() }
            $0.contribute(Part.self) { r in Part("a", try r.require(Shared.self)) }
            $0.contribute(Part.self) { r in Part("\(r.resolveAll(Part.self).count)", Shared()) }
            $0.contribute(Part.self) { r in Part("c", try r.require(Shared.self)) }
        }
        let parts = r.resolveAll(Part.self)
        try #require(parts.map(\.name) == ["a", "c"])
        #expect(parts[0].shared === parts[1].shared)
        let error = try #require(throws: ResolutionError.self) { try r.requireAll(Part.self) }
        #expect(error.code == .circular)
    }

    // MARK: User code on the way

    @Test("G9: a condition runs before anything is built, and what it resolves is no part of the graph")
    func conditions() throws {
        let built = Counter()
        let box = Container()
        box.register(Shared.self) { _ in Shared() }
        for name in ["a", "b"] {
            box.register(Part.self, name: name) { r in
                built.add()
                return Part(name, try r.require(Shared.self))
            }
        }
        var seen: [Shared] = []
        let parts = try box.resolveAll(Part.self) { _ in
            #expect(built.value == 0)
            seen.append(try box.require(Shared.self))
            return true
        }
        #expect(seen[0] !== seen[1])
        #expect(parts[0].shared === parts[1].shared)
        #expect(!seen.contains { $0 === parts[0].shared })
        #expect(throws: Broken.self) {
            try box.resolveAll(Part.self) { key in
                if key.name == "b" { throw Broken() }
                return true
            }
        }
        #expect(built.value == 2)
    }

    @Test("G9: what only the graph held is released when the collection is there, and its deinit may collect again")
    func deinits() throws {
        final class Noisy {
            let act: () -> Void
            init(_ act: @escaping () -> Void) { self.act = act }
            deinit { act() }
        }
        let box = Container()
        registerParts(box.registrar)
        var collected: [[Part]] = []
        box.register(Noisy.self) { [unowned box] _ in Noisy { collected.append(box.resolveAll(Part.self)) } }
        box.contribute(String.self) { r in
            _ = try r.require(Noisy.self)
            return "noisy"
        }
        box.contribute(String.self) { r in
            _ = try r.require(Noisy.self)
            #expect(collected.isEmpty)
            return "again"
        }
        #expect(try box.requireAll(String.self) == ["noisy", "again"])
        #expect(collected.count == 1)
        #expect(collected[0].count == 3)
        #expect(collected[0].allSatisfy { $0.shared === collected[0][0].shared })
    }

    @Test("G9: a container may end with the request for a collection")
    func lastUse() throws {
        func make() -> Container {
            let box = Container()
            registerParts(box.registrar)
            return box
        }
        #expect(try make().requireAll(Part.self).count == 3)
        #expect(make().resolveAll(Part.self) { _ in true }.count == 3)
        #expect(try make().require([Lazy<Part>].self).map(\.instance).count == 3)
    }
}

@Suite("Collections and graphs under stress")
struct CollectionGraphStressTests {
    @Test(
        "G9, T5: collections that threads ask for at once are a graph each",
        arguments: [CollectingResolver.threadSafe, .view]
    )
    func threads(kind: CollectingResolver) throws {
        let box: any Resolver & Sendable
        switch kind {
        case .view:
            let container = Container()
            registerParts(container.registrar)
            box = container.synchronize()
        default:
            let container = ThreadSafeContainer()
            registerParts(container)
            box = container
        }
        let seen = Journal<Shared>()
        let wrong = Counter()
        Threads.together(4) { _ in
            for round in 0..<500 {
                let parts =
                    switch round % 3 {
                    case 0: box.resolveAll(Part.self)
                    case 1: box.resolve([Part].self) ?? []
                    default: box.resolve([Lazy<Part>].self)?.map(\.instance) ?? []
                    }
                guard parts.count == 3, parts.allSatisfy({ $0.shared === parts[0].shared }) else {
                    wrong.add()
                    continue
                }
                seen.add(parts[0].shared)
            }
        }
        #expect(wrong.value == 0)
        #expect(Set(seen.entries.map(ObjectIdentifier.init)).count == 2000)
    }
}
