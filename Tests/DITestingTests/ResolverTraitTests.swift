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

    /// The clocks that tests have seen, held so that no address is used twice.
    private static let seen = Mutex<[ObjectIdentifier: WallClock]>([:])

    /// Whether the clock is another one than all that were seen before.
    private static func isFresh(_ clock: any Clock) -> Bool {
        let clock = clock as! WallClock
        return seen.withLock { $0.updateValue(clock, forKey: ObjectIdentifier(clock)) == nil }
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
