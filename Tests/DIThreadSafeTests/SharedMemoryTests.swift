import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import DIWrappers
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

    /// Five times less in debug.
    private static func many(_ number: Int) -> Int {
        #if DEBUG
        number / 5
        #else
        number
        #endif
    }

    /// Does something so often that a loss of one byte each time would be seen, and expects less.
    private static func expectFlat(_ title: String, times: Int, _ body: (Int) throws -> Void) throws {
        let measured = try Memory.growth(over: many(times), flatBelow: 4, of: body)
        let growth = try #require(measured)
        print("\(title): \(growth)")
        #expect(growth.bytesPerRepetition < 4)
    }

    @Test("S8, S9: two hundred thousand threads leave nothing behind, whatever they have built and kept")
    func manyThreads() throws {
        let tracker = LifetimeTracker()
        let box = ThreadSafeContainer()
        box.register(Thing.self) { _ in Thing(tracker) }
        box.register(Thing.self, name: "own", scope: .perContainer) { r in
            Thing(tracker, try r.require(Thing.self).number)
        }
        try Self.expectFlat("two hundred thousand threads", times: 200_000) { _ in
            Threads.run(stack: 256 << 10) { _ = box.createConfinedChild().resolve(Thing.self, name: "own") }
        }
        #expect(tracker.settles(at: 0))
    }

    @Test("S9: children whose own instances hold wrappers end with all that they have")
    func childrenWithWrappers() throws {
        let tracker = LifetimeTracker()
        do {
            let box = ThreadSafeContainer()
            Holder.register(in: box, tracker)
            try Self.expectFlat("children with wrappers", times: 240_000) { number in
                let child: any Resolver = number % 2 == 0 ? box.createChild() : box.createConfinedChild()
                let holder = try child.require(Holder.self)
                if number % 4 < 2 { _ = try holder.lazy.get() }
                _ = try holder.provider.get()
            }
            // What a wrapper of a confined child gives is the parent's.
            #expect(tracker.settles(at: 1))
            withExtendedLifetime(box) {}
        }
        #expect(tracker.settles(at: 0))
    }

    @Test("S8: six hundred thousand names that are registered, used and removed leave nothing behind")
    func manyNames() throws {
        let tracker = LifetimeTracker()
        let box = ThreadSafeContainer()
        try Self.expectFlat("six hundred thousand names", times: 600_000) { number in
            let name = "name \(number)"
            box.register(Thing.self, name: name, scope: .container) { _ in Thing(tracker) }
            _ = box.resolve(Thing.self, name: name)
            box.remove(Thing.self, name: name)
        }
        #expect(tracker.settles(at: 0))
    }
}

/// Keeps wrappers, in a container of its own.
private final class Holder: Sendable {
    let lazy: SendableLazy<Thing>
    let provider: SendableProvider<Thing>
    private let thing: Thing

    private init(_ lazy: SendableLazy<Thing>, _ provider: SendableProvider<Thing>, _ tracker: LifetimeTracker) {
        self.lazy = lazy
        self.provider = provider
        thing = Thing(tracker)
    }

    static func register(in box: ThreadSafeContainer, _ tracker: LifetimeTracker) {
        box.register(Thing.self, scope: .perContainer) { _ in Thing(tracker) }
        box.register(Holder.self, scope: .perContainer) { r in
            Holder(try r.require(SendableLazy<Thing>.self), try r.require(SendableProvider<Thing>.self), tracker)
        }
    }
}
