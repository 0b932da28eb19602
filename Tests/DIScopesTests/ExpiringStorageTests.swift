import DICore
import DIScopes
import DITestSupport
import Synchronization
import Testing

/// A clock that stands still until it is told to go on.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let time = Mutex(Instant(offset: .zero))

    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func advance(by duration: Duration) {
        time.withLock { $0 = $0.advanced(by: duration) }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        fatalError("nobody waits for this clock")
    }
}

/// Scopes whose instances are given out for a span of time.
@Suite("Expiring scopes")
struct ExpiringStorageTests {
    private final class Part: Tracked {
        var say: () -> Void = {}

        deinit {
            say()
        }
    }

    private static func container(_ tracker: LifetimeTracker, _ clock: ManualClock) -> Container {
        let box = Container()
        box.register(Part.self, scope: .expiring(after: .seconds(10), clock: clock)) { _ in Part(tracker) }
        return box
    }

    @Test("S1: an expiring scope shares its instance until its time is over, and builds anew then")
    func expires() throws {
        let tracker = LifetimeTracker()
        let clock = ManualClock()
        let box = Self.container(tracker, clock)
        let part = try box.require(Part.self)
        clock.advance(by: .seconds(9))
        #expect(try box.require(Part.self) === part)
        clock.advance(by: .seconds(1))
        let next = try box.require(Part.self)
        #expect(next !== part)
        #expect(try box.require(Part.self) === next)
        #expect(tracker.made == 2)
    }

    @Test("S1: the time counts from when the instance was built, not from when it was last asked for")
    func fromBuilding() throws {
        let tracker = LifetimeTracker()
        let clock = ManualClock()
        let box = Self.container(tracker, clock)
        for _ in 0..<20 {
            _ = try box.require(Part.self)
            clock.advance(by: .seconds(3))
        }
        // Built at 0, 12, 24, 36 and 48 seconds.
        #expect(tracker.made == 5)
        #expect(tracker.alive == 1)
        withExtendedLifetime(box) {}
    }

    @Test("S1: whoever holds an expired instance keeps it")
    func heldInstance() throws {
        let tracker = LifetimeTracker()
        let clock = ManualClock()
        let box = Self.container(tracker, clock)
        let part = try box.require(Part.self)
        clock.advance(by: .seconds(10))
        _ = try box.require(Part.self)
        #expect(tracker.alive == 2)
        withExtendedLifetime(part) {}
        withExtendedLifetime(box) {}
    }

    @Test("S2: a value type expires like an object")
    func valueType() throws {
        let clock = ManualClock()
        let box = Container()
        let built = Counter()
        box.register(Int.self, scope: .expiring(after: .seconds(1), clock: clock)) { _ in built.add() }
        #expect(try (box.require(Int.self), box.require(Int.self)) == (1, 1))
        clock.advance(by: .seconds(1))
        #expect(try (box.require(Int.self), box.require(Int.self)) == (2, 2))
    }

    @Test("S4: an expiring scope is reset before its time")
    func reset() throws {
        let tracker = LifetimeTracker()
        let clock = ManualClock()
        let scope = ObjectScope.expiring(after: .seconds(10), clock: clock)
        let box = Container()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        _ = try box.require(Part.self)
        box.resetObjectScope(scope)
        #expect(tracker.alive == 0)
        _ = try box.require(Part.self)
        #expect(tracker.made == 2)
    }

    @Test("S3: what is put into an expiring storage from outside begins its time")
    func putFromOutside() {
        let tracker = LifetimeTracker()
        let clock = ManualClock()
        let storage = ExpiringStorage(lifetime: .seconds(10), clock: clock)
        clock.advance(by: .seconds(5))
        storage.instance = Part(tracker)
        clock.advance(by: .seconds(9))
        #expect(storage.instance != nil)
        clock.advance(by: .seconds(1))
        #expect(storage.instance == nil)
        storage.instance = nil
        #expect(tracker.alive == 0)
    }

    @Test("S1: an instance of a parent expires for all its children at once")
    func hierarchy() throws {
        let tracker = LifetimeTracker()
        let clock = ManualClock()
        let root = Self.container(tracker, clock)
        let child = root.createChild()
        let part = try child.require(Part.self)
        #expect(try root.require(Part.self) === part)
        clock.advance(by: .seconds(10))
        #expect(try root.require(Part.self) !== part)
        #expect(tracker.made == 2)
    }

    @Test("G4: an instance that expires while its callback closes a cycle leaves a cycle that cannot be built")
    func expiredCycle() {
        let clock = ManualClock()
        let box = Container()
        let tracker = LifetimeTracker()
        let scope = ObjectScope.expiring(after: .seconds(1), clock: clock)
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
            .initCompleted { r, _ in
                clock.advance(by: .seconds(1))
                _ = try r.require(Int.self)
            }
        box.register(Int.self, scope: scope) { r in
            _ = try r.require(Part.self)
            return 1
        }
        do throws(ResolutionError) {
            _ = try box.require(Part.self)
            Issue.record("the part is never there")
        } catch {
            #expect(error.code == .circular)
        }
        #expect(tracker.alive == 0)
    }

    @Test("S4: an expired instance whose deinit resolves its own service does no harm")
    func deinitResolves() throws {
        let tracker = LifetimeTracker()
        let clock = ManualClock()
        let box = Self.container(tracker, clock)
        let seen = Journal<ObjectIdentifier>()
        try box.require(Part.self).say = { [unowned box] in
            if let part = box.resolve(Part.self) { seen.add(ObjectIdentifier(part)) }
        }
        clock.advance(by: .seconds(10))
        let next = try box.require(Part.self)
        #expect(seen.entries == [ObjectIdentifier(next)])
        #expect(tracker.made == 2)
    }

    @Test("S4: nor does one that is still kept when its scope is reset")
    func deinitResolvesAtReset() throws {
        let tracker = LifetimeTracker()
        let clock = ManualClock()
        let scope = ObjectScope.expiring(after: .seconds(10), clock: clock)
        let box = Container()
        let said = Counter()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        try box.require(Part.self).say = { [unowned box] in
            if box.resolve(Part.self) != nil { said.add() }
        }
        clock.advance(by: .seconds(10))
        box.resetObjectScope(scope)
        #expect(said.value == 1)
        #expect(tracker.made == 2)
    }

    @Test("S3: the scope made by `expiring` names its time, and its owner keeps it")
    func scope() {
        let scope = ObjectScope.expiring(after: .seconds(10), clock: ManualClock())
        #expect(scope.residence == .owner)
        #expect(scope.lifetimeRank == .expiring)
        #expect(scope.description.contains("10"))
    }
}
