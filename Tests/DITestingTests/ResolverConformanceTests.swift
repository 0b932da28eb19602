import DICore
import DIScopes
import DITestSupport
import DITesting
import DIThreadSafe
import DIWrappers
import Testing

@Suite("Conformance: resolvers")
struct ResolverConformanceTests {
    /// As in the documentation of `Resolver`, with what a decoration passes on.
    class Decorating: Resolver {
        let base: any Resolver
        init(_ base: any Resolver) { self.base = base }
        func locate(_ key: ServiceKey) -> LocatedEntry { base.locate(key) }
        func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] { base.contributions(to: serviceType) }
        var visibleEntries: [AnyServiceEntry] { base.visibleEntries }
    }

    /// As in the documentation of `ResolutionContext`.
    class Module: Resolver {
        private(set) lazy var context = ResolutionContext(for: self)
        func locate(_ key: ServiceKey) -> LocatedEntry { context.locate(key) }
        func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] { context.contributions(to: serviceType) }
        var visibleEntries: [AnyServiceEntry] { context.visibleEntries }
        func add(_ entry: AnyServiceEntry) { context.add(entry) }
    }

    private static func decorating(_ decorate: @escaping (Container) -> any Resolver) -> ResolverConformance {
        ResolverConformance { register in
            let container = Container()
            register(container.registrar)
            return decorate(container)
        }
    }

    @Test("A confined resolver keeps the promises")
    @MainActor
    func confined() {
        Self.decorating { ConfinedResolver($0) }.check()
    }

    @Test("Both kinds of containers, their children and their views keep the promises")
    func ours() {
        Self.decorating { $0 }.check()
        Self.decorating { $0.createChild() }.check()
        Self.decorating { $0.createChild(sharing: .none) }.check()
        ResolverConformance.sharedByThreads { register in
            let container = ThreadSafeContainer()
            register(container)
            return container
        }
        .check()
        ResolverConformance.sharedByThreads { register in
            let container = ThreadSafeContainer()
            register(container)
            return container.createChild()
        }
        .check()
        ResolverConformance { register in
            let container = ThreadSafeContainer()
            register(container)
            return container.createConfinedChild()
        }
        .check()
        ResolverConformance.sharedByThreads { register in
            let container = Container()
            register(container.registrar)
            return container.synchronize()
        }
        .check()
    }

    @Test("A container with overrides keeps the promises")
    func overridden() {
        ResolverConformance { register in
            withOverrides(of: ThreadSafeContainer(), allowsAdditions: true) {
                register($0)
            } operation: {
                $0
            }
        }
        .check()
    }

    @Test("A stranger's resolvers keep the promises")
    func strangers() {
        Self.decorating { Decorating($0) }.check()
        ResolverConformance { register in
            let module = Module()
            register(EntryRegistrar { module.add($0) })
            return module
        }
        .check()
    }

    // MARK: Broken ones

    /// Falls back to the registration without a name.
    final class FallingBack: Decorating {
        override func locate(_ key: ServiceKey) -> LocatedEntry {
            let located = base.locate(key)
            guard !located.isFound, key.takesNoArguments else { return located }
            return base.locate(ServiceKey(serviceType: key.serviceType))
        }
    }

    /// Answers for other runtime arguments, which would be unsound to call.
    final class Unsound: Decorating {
        override func locate(_ key: ServiceKey) -> LocatedEntry {
            base.locate(ServiceKey(serviceType: key.serviceType))
        }
    }

    /// Knows of nothing but single services.
    final class Narrow: Resolver {
        let base: any Resolver
        init(_ base: any Resolver) { self.base = base }
        func locate(_ key: ServiceKey) -> LocatedEntry { base.locate(key) }
    }

    /// Does not let a registration be replaced.
    final class Conservative: Module {
        override func add(_ entry: AnyServiceEntry) {
            if context.entry(for: entry.key) == nil { super.add(entry) }
        }
    }

    /// Does not hear runtime arguments.
    final class Deaf: Decorating {
        override func locate(_ key: ServiceKey) -> LocatedEntry {
            key.takesNoArguments ? base.locate(key) : base.locate(ServiceKey(serviceType: ObjectIdentifier.self))
        }
    }

    /// Asks two containers by turns.
    final class Alternating: Resolver, Sendable {
        private let left = ThreadSafeContainer()
        private let right = ThreadSafeContainer()
        private let turns = Counter()

        init(_ register: (any SendableRegistrar) -> Void) {
            register(left)
            register(right)
        }

        private var next: ThreadSafeContainer { turns.add() % 2 == 0 ? left : right }

        func locate(_ key: ServiceKey) -> LocatedEntry { next.locate(key) }
        func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] { left.contributions(to: serviceType) }
        var visibleEntries: [AnyServiceEntry] { left.visibleEntries }
    }

    private func expectCaught(_ name: String, _ suite: ResolverConformance) {
        let found = failures { suite.check() }
        #expect(found.count == 1)
        Golden.expect(name, found.map(\.text).joined())
    }

    @Test("A resolver that falls back to another key is caught")
    func fallingBack() {
        expectCaught("resolver-falls-back", Self.decorating { FallingBack($0) })
    }

    @Test("A resolver that answers for other types is caught before anything is called")
    func unsound() {
        let violations = Self.decorating { Unsound($0) }.violations()
        #expect(
            violations.first?.description
                == "K5: a key is answered by a registration of its types: String(()) by String"
        )
    }

    @Test("A resolver that hides collections is caught")
    func narrow() {
        expectCaught("resolver-hides-collections", Self.decorating { Narrow($0) })
    }

    @Test("A resolver that keeps what was replaced is caught")
    func conservative() {
        let suite = ResolverConformance { register in
            let module = Conservative()
            register(EntryRegistrar { module.add($0) })
            return module
        }
        expectCaught("resolver-keeps-what-was-replaced", suite)
    }

    @Test("A resolver that ignores arguments is caught")
    func deaf() {
        expectCaught("resolver-ignores-arguments", Self.decorating { Deaf($0) })
    }

    @Test("A resolver that gives threads different instances is caught")
    func alternating() {
        expectCaught("resolver-alternates", .sharedByThreads { Alternating($0) })
    }
}
