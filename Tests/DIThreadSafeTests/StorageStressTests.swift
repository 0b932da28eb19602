import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite("Stress: storages that know nothing of threads")
    struct StorageStressTests {
        /// Notices calls that overlap.
        private final class Watched: InstanceStorage, @unchecked Sendable {
            // Unchecked: that its methods are called one at a time is what is tested.
            private var kept: Any?
            private let inside = Atomic<Int>(0)
            static let overlaps = Counter()
            static let calls = Counter()

            private func alone<Result>(_ body: () -> Result) -> Result {
                Watched.calls.add()
                if inside.wrappingAdd(1, ordering: .relaxed).newValue != 1 { Watched.overlaps.add() }
                defer { inside.wrappingSubtract(1, ordering: .relaxed) }
                return body()
            }

            var instance: Any? {
                get { alone { kept } }
                set { alone { kept = newValue } }
            }

            func instance(inGraph graph: GraphIdentifier) -> Any? { alone { kept } }

            func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) { alone { kept = instance } }

            func graphResolutionCompleted() { alone {} }
        }

        private static let scopes: [ObjectScope] = [
            .plain,
            ObjectScope(storageFactory: Watched.init, description: "watched"),
            ObjectScope(storageFactory: Watched.init, description: "watched for each", residence: .askingContainer),
            ObjectScope(storageFactory: Watched.init, description: "composite", parent: ObjectScope.weak),
            ObjectScope(storageFactory: PlainStorage.init, description: "composite", parent: ObjectScope.container),
            .weak,
            .expiring(after: .seconds(3600)),
            .expiring(after: .microseconds(20)),
            ObjectScope(storageFactory: WeakStorage.init, description: "weak or graph", parent: ObjectScope.graph),
        ]

        @Test("T7: the methods of a storage are called one at a time, whatever threads do", arguments: scopes)
        func oneAtATime(scope: ObjectScope) {
            let tracker = LifetimeTracker()
            do {
                let box = ThreadSafeContainer()
                box.register(Thing.self, scope: scope) { _ in Thing(tracker) }
                box.register(Int.self) { r in try r.require(Thing.self).number + r.require(Thing.self).number }
                let wrong = Counter()
                Threads.together(6) { number in
                    for round in 0..<Stress.times(300, long: 20_000) {
                        switch number {
                        case 0 where round % 10 == 0: box.resetObjectScope(scope)
                        case 1: if box.resolve(Int.self) != 0 { wrong.add() }
                        default: if box.resolve(Thing.self) == nil { wrong.add() }
                        }
                    }
                }
                #expect(wrong.value == 0)
                #expect(Watched.overlaps.value == 0)
                box.resetObjectScope(scope)
                #expect(tracker.settles(at: 0))
            }
        }

        @Test(
            "T1: 32 threads that ask first get one instance, built once, also from a plain storage",
            arguments: [
                ObjectScope.plain,
                ObjectScope(storageFactory: Watched.init, description: "watched"),
                ObjectScope(storageFactory: PlainStorage.init, description: "composite", parent: ObjectScope.weak),
            ]
        )
        func once(scope: ObjectScope) {
            for _ in 0..<Stress.times(50, long: 200) {
                let box = ThreadSafeContainer()
                let tracker = LifetimeTracker()
                box.register(Thing.self, scope: scope) { _ in Thing(tracker) }
                let seen = Journal<Thing>()
                Threads.together(32) { _ in
                    if let thing = box.resolve(Thing.self) { seen.add(thing) }
                }
                #expect(tracker.made == 1)
                #expect(seen.entries.count == 32)
            }
        }

        @Test(
            "T9: threads that complete each other's instances never see one unfinished, whatever the storage",
            arguments: [
                ObjectScope.plain, .weak, .expiring(after: .seconds(3600)), .perContainer,
                ObjectScope(storageFactory: Watched.init, description: "composite", parent: ObjectScope.weak),
            ]
        )
        func cycle(scope: ObjectScope) {
            for round in 0..<Stress.times(100, long: 2_000) {
                let box = ThreadSafeContainer()
                for (name, other) in [("a", "b"), ("b", "a")] {
                    box.register(Node.self, name: name, scope: scope) { _ in Node(name) }
                        .initCompleted { r, node in
                            node.other = try r.require(Node.self, name: other)
                            node.isDone = true
                        }
                }
                let wrong = Journal<String>()
                let seen = Journal<Node>()
                Threads.together(4) { number in
                    do throws(ResolutionError) {
                        let node = try box.require(Node.self, name: (number + round) % 2 == 0 ? "a" : "b")
                        if !node.isDone || node.other?.isDone != true { wrong.add("unfinished") }
                        if node.other?.other !== node { wrong.add("not the same") }
                        seen.add(node)
                    } catch {
                        wrong.add("\(error)")
                    }
                }
                #expect(wrong.entries == [])
                seen.entries.forEach { $0.part() }
            }
        }

        /// Lets its instance go when it is asked for it: what no storage should do, and what an expiring one does.
        private final class Forgetful: InstanceStorage {
            private var kept: Any?
            private var asked = 0

            var instance: Any? {
                get {
                    asked += 1
                    if asked % 3 == 0 {
                        let forgotten = kept
                        kept = nil
                        withExtendedLifetime(forgotten) {}
                    }
                    return kept
                }
                set { kept = newValue }
            }
        }

        private final class Asking: Sendable {
            private let farewell: Farewell
            init(_ tracker: LifetimeTracker, _ atEnd: @escaping @Sendable () -> Void) {
                let thing = Thing(tracker)
                farewell = Farewell {
                    withExtendedLifetime(thing) {}
                    atEnd()
                }
            }
        }

        @Test("T7: a storage may drop an instance whose deinit resolves the same entry")
        func askingInDeinit() {
            let tracker = LifetimeTracker()
            let box = ThreadSafeContainer()
            let depth = Counter()
            let scope = ObjectScope(storageFactory: Forgetful.init, description: "forgetful")
            box.register(Asking.self, scope: scope) { [weak box] _ in
                Asking(tracker) { if depth.add() < 500 { _ = box?.resolve(Asking.self) } }
            }
            Threads.together(4) { _ in
                for _ in 0..<Stress.times(200, long: 5_000) { #expect(box.resolve(Asking.self) != nil) }
            }
            #expect(depth.value > 0)
        }

        @Test("T7: an expired instance whose deinit waits for another thread holds nobody up")
        func expiredInDeinit() {
            let box = ThreadSafeContainer(waitWarning: .milliseconds(1))
            let tracker = LifetimeTracker()
            let watcher = WaitWatcher()
            box.addObserver(watcher)
            let clock = DrivenClock()
            let isBuilding = Gate()
            let hasAsked = Gate()
            let made = Counter()
            box.register(Thing.self, scope: .container) { r in
                // Needs the expiring one, of which the other thread is just letting the old instance go.
                isBuilding.open()
                watcher.isWaiting.pass()
                _ = r.resolve(Asking.self)
                return Thing(tracker)
            }
            box.register(Asking.self, scope: .expiring(after: .seconds(1), clock: clock)) { [weak box] _ in
                let isFirst = made.add() == 1
                return Asking(tracker) {
                    guard isFirst else { return }
                    hasAsked.open()
                    isBuilding.pass()
                    _ = box?.resolve(Thing.self)
                }
            }
            _ = box.resolve(Asking.self)
            clock.advance(by: .seconds(2))
            Threads.run([
                { #expect(box.resolve(Asking.self) != nil) },
                {
                    hasAsked.pass()
                    #expect(box.resolve(Thing.self) != nil)
                },
            ])
            #expect(made.value == 2)
        }
    }
}

/// Stands still until it is told to go on.
final class DrivenClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let time = Mutex(Duration.zero)

    var now: Instant { Instant(offset: time.withLock { $0 }) }
    var minimumResolution: Duration { .zero }

    func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
