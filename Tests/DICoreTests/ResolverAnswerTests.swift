import DICore
import DIScopes
import DITestSupport
import Testing

/// T13: what a resolver answers with is held, and checked, so that no answer makes a request read anything else than an
/// instance of its service.
@Suite("Answers of a resolver")
struct ResolverAnswerTests {
    final class Leaf: Tracked {}
    final class Other { let text = "other" }

    final class Root {
        let leaf: Leaf
        init(_ leaf: Leaf) { self.leaf = leaf }
    }

    /// Answers as a closure says.
    final class Answering: Resolver {
        var answer: (ServiceKey) -> LocatedEntry

        init(_ answer: @escaping (ServiceKey) -> LocatedEntry) { self.answer = answer }

        func locate(_ key: ServiceKey) -> LocatedEntry { answer(key) }
    }

    /// Makes an entry for each request.
    final class Improvising: Resolver {
        private lazy var context = ResolutionContext(for: self)
        let tracker = LifetimeTracker()
        let scope: ObjectScope

        init(_ scope: ObjectScope) { self.scope = scope }

        func locate(_ key: ServiceKey) -> LocatedEntry {
            let entry: AnyServiceEntry? =
                switch key {
                case ServiceKey(Leaf.self):
                    ServiceEntry<Leaf>.make(scope: scope) { [tracker] _ in Leaf(tracker) }
                        .initCompleted { _, _ in }.anyEntry
                case ServiceKey(Root.self):
                    ServiceEntry<Root>.make(scope: scope) { r in Root(try r.require(Leaf.self)) }.anyEntry
                default: nil
                }
            return LocatedEntry(entry, context: context)
        }
    }

    static let scopes: [ObjectScope] = [.transient, .graph, .container, .perContainer, .weak]

    @Test("T13: an entry that is made for a request lives until the request is over", arguments: scopes)
    func improvised(_ scope: ObjectScope) throws {
        let resolver = Improvising(scope)
        for _ in 0..<3 {
            #expect(try resolver.require(Root.self).leaf.tracker === resolver.tracker)
            #expect(resolver.resolve(Leaf.self) != nil)
            #expect(try resolver.require(Leaf?.self) != nil)
        }
        #expect(resolver.resolve(Other.self) == nil)
        #expect(resolver.tracker.made == 9)
        // A context sweeps what it keeps for entries that are gone, but not at once.
        #expect(resolver.tracker.alive <= (scope === ObjectScope.perContainer ? 3 : 0))
    }

    @Test("T13: an answer that is kept holds its entry and its context", arguments: scopes)
    func kept(_ scope: ObjectScope) throws {
        let tracker = LifetimeTracker()
        var box: Container? = Container()
        weak let ended = box
        box?.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }
        let located = try #require(box).locate(ServiceKey(Leaf.self))
        let resolver = Answering { _ in located }
        _ = try resolver.require(Leaf.self)
        box?.remove(Leaf.self)
        _ = try resolver.require(Leaf.self)
        box = nil
        #expect(ended == nil)
        _ = try resolver.require(Leaf.self)
        resolver.answer = { _ in Container().locate(ServiceKey(Other.self)) }
        #expect(resolver.resolve(Leaf.self) == nil)
    }

    @Test("T13: a resolver may let its container go while that builds", arguments: scopes)
    func letGo(_ scope: ObjectScope) throws {
        let tracker = LifetimeTracker()
        var box: Container? = Container()
        weak let ended = box
        let resolver = Answering { [weak box] key in box!.locate(key) }
        box?.register(Leaf.self, scope: scope) { _ in
            box = nil
            return Leaf(tracker)
        }
        .initCompleted { _, leaf in #expect(leaf.tracker.alive == 1) }
        #expect(resolver.resolve(Leaf.self) != nil)
        #expect(ended == nil)
        #expect(tracker.alive == 0)
    }

    @Test("T13: a registration of another type is an error that names both", arguments: scopes)
    func otherType(_ scope: ObjectScope) throws {
        let box = Container()
        box.register(Other.self, scope: scope) { _ in Other() }
        let other = try box.require(Other.self)
        let resolver = Answering { _ in box.locate(ServiceKey(Other.self)) }
        let error = try #require(throws: ResolutionError.self) { try resolver.require(Leaf.self) }
        #expect(error.code == .typeMismatch)
        #expect(error.key == ServiceKey(Leaf.self))
        #expect(
            error.detail
                == "ResolverAnswerTests.Answering has answered with the registration of ResolverAnswerTests.Other"
        )
        #expect(resolver.resolve(Leaf.self) == nil)
        #expect(resolver.resolve(Leaf.self, name: "n") == nil)
        #expect(throws: ResolutionError.self) { try resolver.require(Leaf?.self) }
        withExtendedLifetime(other) {}
    }

    @Test("T13: a registration with other runtime arguments is one, too")
    func otherArguments() throws {
        let box = Container()
        box.register(String.self) { (_, number: Int) in "\(number)" }
        box.register(String.self) { _ in "none" }
        let resolver = Answering { _ in box.locate(ServiceKey(String.self, arguments: Int.self)) }
        #expect(resolver.resolve(String.self) == nil)
        #expect(resolver.resolve(String.self, argument: "text") == nil)
        #expect(resolver.resolve(String.self, arguments: 1, 2) == nil)
        #expect(resolver.resolve(String.self, arguments: 1, 2, 3) == nil)
        #expect(resolver.resolve(String.self, argument: 1) == "1")
        resolver.answer = { _ in box.locate(ServiceKey(String.self)) }
        #expect(resolver.resolve(String.self, argument: 1) == nil)
        #expect(resolver.resolve(String.self) == "none")
    }

    @Test("T13: contributions of another type are errors")
    func otherContributions() throws {
        final class Mixing: Resolver {
            let base = Container()
            func locate(_ key: ServiceKey) -> LocatedEntry { base.locate(key) }
            func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] { base.visibleEntries }
        }
        let resolver = Mixing()
        resolver.base.contribute(Int.self) { _ in 1 }
        resolver.base.register(Other.self) { _ in Other() }
        #expect(resolver.resolveAll(Int.self) == [1])
        let error = #expect(throws: ResolutionError.self) { try resolver.requireAll(Int.self) }
        #expect(error?.detail == "Mixing has answered with the registration of ResolverAnswerTests.Other")
    }

    @Test("T13: a child over a resolver of somebody else checks what that answers")
    func below() throws {
        final class Foreign: ContainerProtocol {
            private lazy var context = ResolutionContext(for: self)
            var identity: ContainerIdentity { context.identity }
            var name: String?
            func locate(_ key: ServiceKey) -> LocatedEntry {
                LocatedEntry(
                    ServiceEntry<Other>.make(name: name, scope: .graph) { _ in Other() }.anyEntry,
                    context: context
                )
            }
        }
        let child = Container(over: Foreign())
        #expect(try child.require(Other.self).text == "other")
        #expect(child.resolve(Leaf.self) == nil)
        #expect(try child.createChild().require(Other.self).text == "other")
        #expect(child.locate(ServiceKey(Leaf.self)).entry?.key == ServiceKey(Other.self))
    }

    @Test("T13: a wrapper may keep what it was made from")
    func keptSource() throws {
        final class Source {
            let value: InstanceSource<Leaf>
            init(_ value: InstanceSource<Leaf>) { self.value = value }
        }
        struct Keeping: InstanceWrapper {
            let source: Source
            static func makeWrapper(from source: InstanceSource<Leaf>) -> Keeping { Keeping(source: Source(source)) }
        }
        let tracker = LifetimeTracker()
        func made() throws -> Source {
            let box = Container()
            box.register(Leaf.self) { _ in Leaf(tracker) }
            // Does not hold it for longer than the request.
            let resolver = Answering { [weak box] key in (box ?? Container()).locate(key) }
            return try withExtendedLifetime(box) { try resolver.require(Keeping.self).source }
        }
        let source = try made()
        #expect(throws: ResolutionError.self) { try source.value.resolve() }
        #expect(throws: ResolutionError.self) { try source.value.inThisGraph()() }
        #expect(try source.value.resolveAll().isEmpty)
        #expect(!source.value.isAvailable)
    }

    // MARK: The context and its registrations

    @Test("T13: a context holds its registrations, which know it weakly")
    func contextHoldsEntries() throws {
        let tracker = LifetimeTracker()
        let entry: ServiceEntry<Leaf>
        weak var context: ResolutionContext?
        do {
            let box = Container()
            context = box.context
            entry = box.register(Leaf.self, scope: .container) { _ in Leaf(tracker) }
            _ = try box.require(Leaf.self)
        }
        #expect(context == nil)
        // Its instance is there as long as the entry is.
        #expect(tracker.alive == 1)
        entry.inObjectScope(.graph).initCompleted { _, _ in }.implements(Root.self)
        #expect(entry.scope === ObjectScope.graph)
        #expect(tracker.alive == 0)
    }

    @Test("T13: a child context finds the registrations of a parent whose container has ended")
    func parentEnded() throws {
        final class Child: Resolver {
            private let parent: ContainerIdentity
            private lazy var context = ResolutionContext(for: self, parent: parent)
            init(_ parent: ContainerIdentity) { self.parent = parent }
            func locate(_ key: ServiceKey) -> LocatedEntry { context.locate(key) }
        }
        func made() -> Child {
            let box = Container()
            box.register(Other.self) { _ in Other() }
            box.register(Int.self, scope: .container) { _ in 1 }
            return Child(box.identity)
        }
        let child = made()
        #expect(try child.require(Other.self).text == "other")
        let error = #expect(throws: ResolutionError.self) { try child.require(Int.self) }
        #expect(error?.code == .containerGone)
    }

    @Test("T13: an entry belongs to one container, and adding it to another one ends the program with a message")
    func entryInTwoContainers() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let entry = Container().register(Int.self) { _ in 1 }
            Container().add(entry)
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains("is registered in a container that has ended and was added to a Container as well"))
    }

    @Test("T13: a context has one resolver")
    func twoResolvers() async {
        await #expect(processExitsWith: .failure) {
            let box = Container()
            box.context.attachWeakly(Container())
        }
    }

    @Test("T13: a forward to an entry of a container that has ended is an error where that container kept it")
    func forwardToAnotherContainer() throws {
        let box = Container()
        do {
            let other = Container()
            box.forward((any Sendable).self, to: other.register(Int.self, scope: .container) { _ in 1 })
            box.forward((any Equatable).self, to: other.register(Int.self, name: "graph") { _ in 2 })
            #expect(box.resolve((any Sendable).self) as? Int == 1)
        }
        // What it kept is there as long as its entry is.
        #expect(box.resolve((any Sendable).self) as? Int == 1)
        box.resetObjectScope(.container)
        let error = #expect(throws: ResolutionError.self) { try box.require((any Sendable).self) }
        #expect(error?.code == .containerGone)
        #expect(box.resolve((any Equatable).self) as? Int == 2)
    }
}
