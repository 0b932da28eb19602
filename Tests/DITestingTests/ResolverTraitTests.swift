import DICore
import DIScopes
import DITestSupport
import DITesting
import DIThreadSafe
import DIWrappers
import Synchronization
import Testing

private func fill(_ box: ThreadSafeContainer) {
    box.register((any Clock).self, scope: .container) { _ in WallClock() }
    box.register(Watch.self, scope: .container) { r in Watch(try r.require((any Clock).self)) }
}

@Suite("Trait: a container for each test", .container(ThreadSafeContainer(), setUp: fill))
struct ContainerTraitTests {
    @Injected private var injected: any Clock

    /// The numbers of the clocks that tests have seen.
    private static let seen = Mutex<Set<Int>>([])

    /// Whether the clock is another one than all that were seen before.
    private static func isFresh(_ clock: any Clock) -> Bool {
        seen.withLock { $0.insert((clock as! WallClock).number).inserted }
    }

    @Test("It is current, with its type and for the properties of the suite")
    func current() throws {
        let box = try CurrentResolver.get(as: ThreadSafeContainer.self)
        #expect(try box.require((any Clock).self) === injected)
        #expect(Self.isFresh(injected))
        let error = #expect(throws: ResolutionError.self) { _ = try CurrentResolver.get(as: Container.self) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.detail == "the current resolver is of the type ThreadSafeContainer")
    }

    @Test("Each case of a test with arguments has its own, seen by its child tasks", arguments: 0..<50)
    func cases(_: Int) async throws {
        #expect(Self.isFresh(injected))
        async let child = CurrentResolver.get().require((any Clock).self)
        #expect(try await child === injected)
        try CurrentResolver.get(as: ThreadSafeContainer.self).register(Knot.self) { _ in Knot() }
    }

    @Test(
        "An inner trait takes precedence",
        .container(
            ThreadSafeContainer(),
            setUp: { box in
                box.register((any Clock).self) { _ in WallClock("inner") }
            }
        )
    )
    func inner() {
        #expect(injected.name == "inner")
        #expect(CurrentResolver.resolver?.resolve(Watch.self) == nil)
    }

    @Test(
        "Overrides apply over it",
        .overrides { $0.register((any Clock).self, scope: .container) { _ in WallClock("stub") } }
    )
    func overrides() throws {
        #expect(injected.name == "stub")
        #expect(try CurrentResolver.get().require(Watch.self).clock === injected)
    }
}

@Suite("Trait: any resolver")
struct ResolverTraitTests {
    @Test(
        "A plain container is current on its actor",
        .resolver { @MainActor in
            let box = Container()
            box.register((any Clock).self) { _ in WallClock("main") }
            return ConfinedResolver(box)
        }
    )
    @MainActor
    func confined() {
        #expect(CurrentResolver.resolver?.resolve((any Clock).self)?.name == "main")
    }

    private func run(_ trait: some TestScoping, _ body: @Sendable @concurrent () async throws -> Void) async throws {
        try await trait.provideScope(for: try #require(Test.current), testCase: nil, performing: body)
    }

    @Test("One that lives on after its test fails the test, where the trait was given")
    func leak() async throws {
        let kept = Mutex<(any Resolver & Sendable)?>(nil)
        let line = #line + 1
        let trait = ResolverTrait.container(ThreadSafeContainer())
        let found = await failures { try await run(trait) { kept.withLock { $0 = CurrentResolver.resolver } } }
        #expect(
            found == [
                Failure(
                    text: "ThreadSafeContainer of the test lives on after it: an object or a task still holds it",
                    line: line
                )
            ]
        )
        let lenient = ResolverTrait.container(ThreadSafeContainer(), checksRelease: false)
        try await run(lenient) { kept.withLock { $0 = CurrentResolver.resolver } }
        let any = ResolverTrait.resolver { ThreadSafeContainer() }
        #expect(await failures { try await run(any) { kept.withLock { $0 = CurrentResolver.resolver } } }.count == 1)
    }

    @Test("S9: an instance that its container kept and that lives on fails the test, unless it was given from outside")
    func keptInstance() async throws {
        final class Loop: @unchecked Sendable {
            // Unchecked: the test has one thread.
            var itself: Loop?
        }
        let loops = Mutex<[Loop]>([])
        let given = Loop()
        let trait = ResolverTrait.container(ThreadSafeContainer()) { box in
            box.register(Loop.self, scope: .container) { _ in
                let loop = Loop()
                loop.itself = loop
                loops.withLock { $0.append(loop) }
                return loop
            }
            box.register(Loop.self, name: "own", scope: .perContainer) { r in
                loops.withLock { $0.append(Loop()) }
                return loops.withLock { $0.last! }
            }
            box.register(Loop.self, name: "given", instance: given)
        }
        let found = await failures {
            try await run(trait) {
                for name in [nil, "own", "given"] { _ = try CurrentResolver.get().require(Loop.self, name: name) }
            }
        }
        #expect(
            found.map(\.text) == [
                """
                Loop, Loop, kept by ThreadSafeContainer of the test, lives on after it: an object or a task still holds them
                """
            ]
        )
        loops.withLock { $0[0].itself = nil }
    }

    @Test("S9: a child that lives on fails the test of its parent")
    func child() throws {
        final class Kept: @unchecked Sendable {
            // Unchecked: the test has one thread.
            var context: ResolutionContext?
        }
        let kept = Kept()
        let found = failures {
            try withResolver(ThreadSafeContainer()) { box in
                box.register(Kept.self, scope: .perContainer) { _ in kept }
                let child = box.createConfinedChild()
                try child.require(Kept.self).context = child.context
            }
        }
        #expect(
            found.map(\.text) == [
                """
                the context of ThreadSafeContainer of the test lives on after it: a child of it, or an object that one of \
                them keeps, still holds it
                """
            ]
        )
        kept.context = nil
    }

    @Test("S9: the result of an operation may be an instance that the container kept")
    func result() throws {
        let clock = try withResolver(ThreadSafeContainer()) { box in
            box.register((any Clock).self, scope: .container) { _ in WallClock("result") }
            return try box.require((any Clock).self)
        }
        #expect(clock.name == "result")
    }

    @Test("S9: a container that is released with what it kept passes, one of whose instances holds itself does not")
    func expectation() {
        final class Node { var other: Node? }
        func box(closing: Bool) -> Container {
            let box = Container()
            box.register(Node.self, scope: .container) { _ in Node() }.initCompleted { _, node in
                if closing { node.other = node }
            }
            _ = box.resolve(Node.self)
            return box
        }
        expectReleased { box(closing: false) }
        #expect(
            failures { expectReleased { box(closing: true) } }.map(\.text) == [
                "Node, kept by Container, is not released: an object or a task still holds them"
            ]
        )
    }

    @Test("What the making or the test throws is thrown on")
    func throwing() async throws {
        struct Stop: Error {}
        let making = ResolverTrait.container(ThreadSafeContainer()) { _ in throw Stop() }
        await #expect(throws: Stop.self) { try await run(making) {} }
        let passing = ResolverTrait.container(ThreadSafeContainer())
        await #expect(throws: Stop.self) { try await run(passing) { throw Stop() } }
    }

    @Test("Overrides without a container say what to do, and the test runs")
    func overridesWithoutContainer() async throws {
        let ran = Counter()
        let trait = OverridesTrait.overrides { _ in }
        let found = await failures { try await run(trait) { ran.add() } }
        #expect(
            found.map(\.text) == [
                "there is no current container to override: put .container(…) before .overrides, or on the suite"
            ]
        )
        #expect(ran.value == 1)
    }

    @Test("Overrides of a trait are looked at like others")
    func overridesAreChecked() async throws {
        let container = ResolverTrait.container(ThreadSafeContainer(), setUp: fill)
        let astray = OverridesTrait.overrides { $0.register(Knot.self) { _ in Knot() } }
        let strict = OverridesTrait.overrides(originals: .none) { _ in }
        let found = await failures {
            try await run(container) {
                try await run(astray) {}
                try await run(strict) { _ = CurrentResolver.resolver?.resolve((any Clock).self) }
            }
        }
        #expect(found.map(\.text).map { $0.prefix(24) } == ["the override of Knot (DI", "resolved without an over"])
    }
}
