import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Synchronization
import Testing

/// Run alone, see `Memory.isMeasured`.
@Suite(
    "Memory of shared containers",
    .serialized,
    .enabled(if: Memory.isMeasured, "DI_MEMORY_TESTS=1 swift test --no-parallel --filter Memory")
)
struct SharedMemoryTests {
    private static let limit = 16.0
    private static let times = Stress.times(Memory.manyTimes / 10, long: 1_000_000)

    /// Does something many times on one thread while two others do something else.
    private static func expectFlat(
        _ title: String,
        beside other: @escaping @Sendable () -> Void,
        _ body: @escaping @Sendable (Int) -> Void
    ) throws {
        let isOver = Atomic<Bool>(false)
        let measured = Mutex<MemoryGrowth?>(nil)
        Threads.hammer(3) { thread in
            if thread == 0 {
                let growth = Memory.growth(over: times, flatBelow: limit, of: body)
                measured.withLock { $0 = growth }
                isOver.store(true, ordering: .releasing)
            } else {
                while !isOver.load(ordering: .acquiring) { other() }
            }
        }
        let growth = try #require(measured.withLock { $0 })
        print("\(title): \(growth)")
        #expect(growth.bytesPerRepetition < limit)
    }

    @Test(
        "S8: replacing one key a million times while two threads resolve it leaves memory flat",
        arguments: [
            ObjectScope.container, .graph, .perContainer,
        ]
    )
    func replacing(scope: ObjectScope) throws {
        let tracker = LifetimeTracker()
        let box = ThreadSafeContainer()
        box.register(Thing.self, scope: scope) { _ in Thing(tracker) }
        let missing = Counter()
        try Self.expectFlat("replacing, \(scope)", beside: { if box.resolve(Thing.self) == nil { missing.add() } }) {
            _ in
            let captured = Thing(tracker)
            box.register(Thing.self, scope: scope) { _ in captured }
            if box.resolve(Thing.self) == nil { missing.add() }
        }
        #expect(missing.value == 0)
        #expect(tracker.settles(at: 1))
    }

    @Test("S8: registering and removing ever new names while two threads resolve leaves memory flat")
    func everNewNames() throws {
        let tracker = LifetimeTracker()
        let box = ThreadSafeContainer()
        let last = Counter()
        box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
        try Self.expectFlat("ever new names", beside: { _ = box.resolve(Thing.self) }) { _ in
            let name = "\(last.add())"
            box.register(Int.self, name: name, scope: .container) { _ in 1 }
            _ = box.resolve(Int.self, name: name)
            box.remove(Int.self, name: name)
        }
        #expect(tracker.made == 1)
    }

    @Test("S8: resetting a scope while two threads resolve leaves memory flat")
    func resetting() throws {
        let tracker = LifetimeTracker()
        let box = ThreadSafeContainer()
        box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
        try Self.expectFlat("resetting", beside: { _ = box.resolve(Thing.self) }) { _ in
            box.resetObjectScope(.container)
        }
        box.resetObjectScope(.container)
        #expect(tracker.settles(at: 0))
    }

    @Test("S8: children that come and go on several threads leave memory flat")
    func children() throws {
        let tracker = LifetimeTracker()
        let box = ThreadSafeContainer()
        box.register(Thing.self, scope: .perContainer) { _ in Thing(tracker) }
        try Self.expectFlat("children", beside: { _ = box.createConfinedChild().resolve(Thing.self) }) { _ in
            _ = box.createChild().resolve(Thing.self)
        }
        #expect(tracker.settles(at: 0))
    }

    @Test("S8: threads that come and go leave memory flat")
    func threads() throws {
        let tracker = LifetimeTracker()
        let box = ThreadSafeContainer()
        box.register(Thing.self) { _ in Thing(tracker) }
        let measured = Memory.growth(over: 2_000, flatBelow: 64) { _ in
            Threads.run { _ = box.resolve(Thing.self) }
        }
        let growth = try #require(measured)
        print("threads: \(growth)")
        // A session would be several kilobytes.
        #expect(growth.bytesPerRepetition < 64)
        #expect(tracker.settles(at: 0))
    }
}
