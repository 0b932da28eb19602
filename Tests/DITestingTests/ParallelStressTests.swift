import DICore
import DIScopes
import DITesting
import DIThreadSafe
import Synchronization
import Testing

@Suite("Tests in parallel")
struct ParallelStressTests {
    /// One for all of them, as an app has one.
    private static let shared: ThreadSafeContainer = {
        let box = ThreadSafeContainer()
        box.register((any Clock).self, scope: .container) { _ in WallClock() }
        box.register(Watch.self, scope: .container) { r in Watch(try r.require((any Clock).self)) }
        return box
    }()

    @Test("None sees the overrides of another, 20 times over", arguments: 0..<200)
    func overrides(number: Int) async {
        for round in 0..<20 {
            #expect(await Isolation.namesSeen(by: "\(number) \(round)", over: Self.shared) == [])
        }
        #expect(Self.shared.resolve(Watch.self)?.clock.name == "wall")
    }
}

/// The same with a container of its own for each, made by the trait, and overrides by another one.
@Suite(
    "Tests in parallel, by traits",
    .container(
        ThreadSafeContainer(),
        setUp: { box in
            box.register((any Clock).self, scope: .container) { _ in WallClock() }
            box.register(Watch.self, scope: .container) { r in Watch(try r.require((any Clock).self)) }
        }
    ),
    .overrides { $0.register((any Clock).self, scope: .container) { _ in WallClock("stub") } }
)
struct ParallelTraitStressTests {
    @Test("Each has its own singletons, in child and late tasks too", arguments: 0..<200)
    func singletons(number: Int) async throws {
        let watch = try CurrentResolver.get().require(Watch.self)
        #expect(watch.clock.name == "stub")
        async let child = CurrentResolver.get().require(Watch.self)
        #expect(try await child === watch)
        let late = Task {
            await Task.yield()
            return try CurrentResolver.get().require(Watch.self)
        }
        #expect(try await late.value === watch)
        #expect(Seen.isFresh(watch))
    }
}

/// The watches that tests have seen, held so that no address is used twice.
private enum Seen {
    private static let watches = Mutex<[ObjectIdentifier: Watch]>([:])

    static func isFresh(_ watch: Watch) -> Bool {
        watches.withLock { $0.updateValue(watch, forKey: ObjectIdentifier(watch)) == nil }
    }
}
