import DICore
import DIScopes
import DITestSupport
import DIWrappers
import Synchronization
import Testing

@Suite("Stress: Lazy")
struct LazyStressTests {
    struct Broken: Error {}

    /// Carries a value to other threads.
    private struct Carried<Value>: @unchecked Sendable {
        // Unchecked: a Lazy may be opened from several threads; the container is used by the one that builds, while the
        // thread that made it waits for the others to end.
        let value: Value
    }

    private static let threads = 8

    @Test("W1: eight threads that open one Lazy at the same time get one instance, built once")
    func oneBuild() throws {
        for _ in 0..<50 {
            let box = Container()
            let tracker = LifetimeTracker()
            let arrived = Counter()
            let allArrived = Gate()
            box.register(Tracked.self) { _ in
                allArrived.pass()
                return Tracked(tracker)
            }
            let lazy = Carried(value: try box.require(Lazy<Tracked>.self))
            let seen = Journal<ObjectIdentifier>()
            Threads.hammer(Self.threads) { _ in
                if arrived.add() == Self.threads { allArrived.open() }
                seen.add(ObjectIdentifier(lazy.value.instance))
                seen.add(ObjectIdentifier(lazy.value.instance))
            }
            #expect(tracker.made == 1)
            #expect(seen.entries.count == 2 * Self.threads)
            #expect(Set(seen.entries) == [ObjectIdentifier(lazy.value.instance)])
        }
    }

    @Test("W1: when the first build fails, one thread gets the error and the others one instance of a second build")
    func failingBuild() throws {
        for _ in 0..<50 {
            let box = Container()
            let tracker = LifetimeTracker()
            let runs = Counter()
            let arrived = Counter()
            let allArrived = Gate()
            box.register(Tracked.self) { _ in
                allArrived.pass()
                if runs.add() == 1 { throw Broken() }
                return Tracked(tracker)
            }
            let lazy = Carried(value: try box.require(Lazy<Tracked>.self))
            let seen = Journal<ObjectIdentifier>()
            let failed = Counter()
            Threads.hammer(Self.threads) { _ in
                if arrived.add() == Self.threads { allArrived.open() }
                do throws(ResolutionError) {
                    seen.add(ObjectIdentifier(try lazy.value.get()))
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

    @Test("W1: whoever sees a Lazy as opened gets its instance")
    func openedIsSeenComplete() throws {
        for _ in 0..<50 {
            let box = Container()
            let tracker = LifetimeTracker()
            box.register(Tracked.self) { _ in Tracked(tracker) }
            let lazy = Carried(value: try box.require(Lazy<Tracked>.self))
            let wrong = Counter()
            Threads.hammer(Self.threads) { number in
                if number == 0 { _ = lazy.value.instance }
                // Not to be read through the gate: this is the path without a lock.
                while !lazy.value.isOpened {}
                if lazy.value.instance.tracker !== tracker { wrong.add() }
            }
            #expect(wrong.value == 0)
            #expect(tracker.made == 1)
        }
    }
}
