import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite("Stress: resetting and releasing")
    struct ResetStressTests {
        /// Resolves and registers in its deinit.
        private final class Restless: Sendable {
            let thing: Thing
            private let atEnd: @Sendable () -> Void

            init(_ tracker: LifetimeTracker, _ atEnd: @escaping @Sendable () -> Void) {
                thing = Thing(tracker)
                self.atEnd = atEnd
            }

            deinit { atEnd() }
        }

        @Test(
            "T7: a deinit may resolve and register while its scope is being reset",
            arguments: [
                ObjectScope.container, .perContainer, .weak, .expiring(after: .seconds(3600)), .plain,
            ]
        )
        func restlessDeinit(scope: ObjectScope) {
            let tracker = LifetimeTracker()
            do {
                let box = ThreadSafeContainer()
                let isRestless = Atomic<Bool>(true)
                let ends = Counter()
                box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
                box.register(Restless.self, scope: scope) { [weak box] _ in
                    Restless(tracker) {
                        ends.add()
                        guard isRestless.load(ordering: .acquiring), let box else { return }
                        box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
                        #expect(box.resolve(Thing.self) != nil)
                        _ = box.resolve(Restless.self, name: "never")
                    }
                }
                Threads.together(4) { number in
                    for _ in 0..<Stress.times(200, long: 10_000) {
                        if number == 0 {
                            box.resetObjectScope(scope)
                        } else {
                            #expect(box.resolve(Restless.self) != nil)
                        }
                    }
                }
                isRestless.store(false, ordering: .releasing)
                box.resetObjectScope(scope)
                #expect(ends.value > 0)
            }
            #expect(tracker.settles(at: 0))
        }

        @Test("S3: a reset releases the instances at once when nobody is reading")
        func prompt() {
            let tracker = LifetimeTracker()
            let box = ThreadSafeContainer()
            for scope in [ObjectScope.container, .perContainer] {
                box.register(Thing.self, name: scope.description, scope: scope) { _ in Thing(tracker) }
                #expect(box.resolve(Thing.self, name: scope.description) != nil)
                #expect(tracker.settles(at: 1))
                box.resetObjectScope(scope)
                #expect(tracker.settles(at: 0))
            }
        }

        @Test("T1: what is reset while it is being built is given to those who asked, and everybody gets an instance")
        func resetWhileBuilding() {
            let tracker = LifetimeTracker()
            do {
                let box = ThreadSafeContainer()
                box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
                    .initCompleted { [weak box] _, _ in box?.resetObjectScope(.container) }
                let missing = Counter()
                Threads.together(8) { _ in
                    for _ in 0..<Stress.times(50, long: 2_000) where box.resolve(Thing.self) == nil { missing.add() }
                }
                #expect(missing.value == 0)
                #expect(tracker.settles(at: 0))
            }
        }

        @Test("T3: a reset between two threads that complete each other's instances leaves nobody behind")
        func resetOfUnfinished() {
            for round in 0..<Stress.times(150, long: 3_000) {
                let box = ThreadSafeContainer()
                for (name, other) in [("a", "b"), ("b", "a")] {
                    box.register(Node.self, name: name, scope: .container) { _ in Node(name) }
                        .initCompleted { r, node in
                            _ = try r.require(Node.self, name: other)
                            node.isDone = true
                        }
                }
                let wrong = Counter()
                let unexpected = Journal<ResolutionError.Code>()
                Threads.together(3) { number in
                    if number == 2 { return box.resetObjectScope(.container) }
                    do throws(ResolutionError) {
                        if try !box.require(Node.self, name: (number + round) % 2 == 0 ? "a" : "b").isDone {
                            wrong.add()
                        }
                    } catch {
                        // What was to close the cycle may be gone.
                        if error.code != .crossThreadCycle, error.code != .circular { unexpected.add(error.code) }
                    }
                }
                #expect(wrong.value == 0)
                #expect(unexpected.entries == [])
                #expect(box.resolve(Node.self, name: "a")?.isDone == true)
            }
        }

        @Test("T3: when what closed the cycle was reset both sides fail at once, and the container works")
        func resetOfBorrowed() {
            let box = ThreadSafeContainer(waitWarning: .milliseconds(1))
            let aIsStored = Gate()
            let aIsGone = Gate()
            let bBuilds = Gate()
            let watcher = WaitWatcher()
            box.addObserver(watcher)
            let isFirst = Atomic<Bool>(true)
            box.register(Node.self, name: "a", scope: .container) { _ in Node("a") }
                .initCompleted { [weak box] r, a in
                    if isFirst.exchange(false, ordering: .acquiringAndReleasing) {
                        aIsStored.open()
                        bBuilds.pass()
                        box?.resetObjectScope(.container)
                        aIsGone.open()
                        watcher.isWaiting.pass()
                    }
                    a.other = try r.require(Node.self, name: "b")
                }
            box.register(Node.self, name: "b", scope: .container) { r in
                bBuilds.open()
                aIsGone.pass()
                return Node("b", other: try r.require(Node.self, name: "a"))
            }
            let codes = Journal<ResolutionError.Code?>()
            @Sendable func ask(_ name: String) {
                do throws(ResolutionError) {
                    try box.require(Node.self, name: name).part()
                    codes.add(nil)
                } catch {
                    codes.add(error.code)
                }
            }
            Threads.run([
                { ask("a") },
                {
                    aIsStored.pass(); ask("b")
                },
            ])
            #expect(codes.entries == [.crossThreadCycle, .crossThreadCycle])
            let a = box.resolve(Node.self, name: "a")
            #expect(a?.other?.other === a)
            a?.part()
        }

        @Test("S8: replacing a key while two threads resolve it releases every replaced product")
        func replacing() {
            let tracker = LifetimeTracker()
            let box = ThreadSafeContainer()
            box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
            let isOver = Atomic<Bool>(false)
            Threads.hammer(3) { thread in
                if thread == 0 {
                    for number in 0..<Stress.times(5_000, long: 1_000_000) {
                        box.register(Thing.self, scope: .container) { _ in Thing(tracker, number) }
                    }
                    isOver.store(true, ordering: .releasing)
                } else {
                    while !isOver.load(ordering: .acquiring) {
                        if box.resolve(Thing.self) == nil { Issue.record("not found") }
                    }
                }
            }
            _ = box.resolve(Thing.self)
            #expect(tracker.settles(at: 1))
        }
    }
}

extension ObjectScope {
    /// A scope over a storage that knows nothing of threads.
    static let plain = ObjectScope(storageFactory: PlainStorage.init, description: "plain")
}

final class PlainStorage: InstanceStorage {
    var instance: Any?
}
