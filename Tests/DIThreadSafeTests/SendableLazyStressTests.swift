import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import DIWrappers
import Synchronization
import Testing

@Suite("Stress: SendableLazy", .serialized)
struct SendableLazyStressTests {
    private static let threads = 8

    enum Kind: CaseIterable {
        case threadSafe, view
    }

    /// A `SendableLazy` of a container that has one registration.
    private static func lazy(
        of kind: Kind,
        _ factory: @escaping @Sendable () throws -> Thing
    ) throws -> SendableLazy<Thing> {
        switch kind {
        case .threadSafe:
            let box = ThreadSafeContainer()
            box.register(Thing.self) { _ in try factory() }
            return try box.require(SendableLazy<Thing>.self)
        case .view:
            let box = Container()
            box.register(Thing.self) { _ in try factory() }
            return try box.synchronize().require(SendableLazy<Thing>.self)
        }
    }

    @Test(
        "W1: eight threads that open one SendableLazy at the same time get one instance, built once",
        arguments: Kind.allCases
    )
    func oneBuild(_ kind: Kind) throws {
        for _ in 0..<50 {
            let tracker = LifetimeTracker()
            let arrived = Counter()
            let allArrived = Gate()
            let lazy = try Self.lazy(of: kind) {
                allArrived.pass()
                return Thing(tracker)
            }
            let seen = Journal<ObjectIdentifier>()
            Threads.hammer(Self.threads) { _ in
                if arrived.add() == Self.threads { allArrived.open() }
                seen.add(ObjectIdentifier(lazy.instance))
                seen.add(ObjectIdentifier(lazy.instance))
            }
            #expect(tracker.made == 1)
            #expect(seen.entries.count == 2 * Self.threads)
            #expect(Set(seen.entries) == [ObjectIdentifier(lazy.instance)])
        }
    }

    @Test(
        "W1: when the first build fails, one thread gets the error and the others one instance of a second build",
        arguments: Kind.allCases
    )
    func failingBuild(_ kind: Kind) throws {
        for _ in 0..<50 {
            let tracker = LifetimeTracker()
            let runs = Counter()
            let arrived = Counter()
            let allArrived = Gate()
            let lazy = try Self.lazy(of: kind) {
                allArrived.pass()
                if runs.add() == 1 { throw Broken() }
                return Thing(tracker)
            }
            let seen = Journal<ObjectIdentifier>()
            let failed = Counter()
            Threads.hammer(Self.threads) { _ in
                if arrived.add() == Self.threads { allArrived.open() }
                do throws(ResolutionError) {
                    seen.add(ObjectIdentifier(try lazy.get()))
                } catch {
                    failed.add()
                }
            }
            #expect(runs.value == 2)
            #expect(tracker.made == 1)
            #expect(failed.value == 1)
            #expect(seen.entries.count == Self.threads - 1)
            #expect(Set(seen.entries).count == 1)
        }
    }

    @Test("W1: whoever sees a SendableLazy as opened gets its instance", arguments: Kind.allCases)
    func openedIsSeenComplete(_ kind: Kind) throws {
        for _ in 0..<50 {
            let tracker = LifetimeTracker()
            let lazy = try Self.lazy(of: kind) { Thing(tracker, 7) }
            let wrong = Counter()
            Threads.hammer(Self.threads) { number in
                if number == 0 { _ = lazy.instance }
                // Not to be read through the gate: this is the path without a lock.
                while !lazy.isOpened {}
                if lazy.instance.number != 7 { wrong.add() }
            }
            #expect(wrong.value == 0)
            #expect(tracker.made == 1)
        }
    }
}
