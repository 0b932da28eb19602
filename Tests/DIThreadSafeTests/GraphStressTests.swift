import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import DIWrappers
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite("Stress: graphs, wrappers and observers on many threads")
    struct GraphStressTests {
        @Test(
            "W1: eight threads that open one SendableLazy of a thread-safe container get one instance, built once",
            arguments: [
                ObjectScope.graph, .transient, .container, .weak,
            ]
        )
        func lazy(scope: ObjectScope) throws {
            for _ in 0..<Stress.times(50, long: 1_000) {
                let box = ThreadSafeContainer()
                let tracker = LifetimeTracker()
                box.register(Thing.self, scope: scope) { _ in Thing(tracker) }
                let lazy = try box.require(SendableLazy<Thing>.self)
                let seen = Journal<ObjectIdentifier>()
                Threads.together(8) { _ in seen.add(ObjectIdentifier(lazy.instance)) }
                #expect(tracker.made == 1)
                #expect(seen.entries.count == 8 && Set(seen.entries).count == 1)
            }
        }

        @Test("W2: one SendableProvider gives each thread graphs of its own")
        func provider() throws {
            let box = ThreadSafeContainer()
            let tracker = LifetimeTracker()
            box.register(Thing.self) { _ in Thing(tracker) }
            box.register([Thing].self) { r in [try r.require(Thing.self), try r.require(Thing.self)] }
            box.register([SendableProvider<[Thing]>].self, scope: .container) { r in
                [try r.require(SendableProvider<[Thing]>.self)]
            }
            let provider = try box.require([SendableProvider<[Thing]>].self)[0]
            let seen = Journal<Thing>()
            let wrong = Counter()
            Threads.together(6) { _ in
                for _ in 0..<Stress.times(100, long: 5_000) {
                    let things = provider.instance
                    if things[0] !== things[1] { wrong.add() }
                    seen.add(things[0])
                }
            }
            #expect(wrong.value == 0)
            #expect(Set(seen.entries.map(ObjectIdentifier.init)).count == seen.entries.count)
        }

        @Test(
            "G8, T5: a graph that several threads join at once is apart for each while it runs, and no one's objects mix"
        )
        func joinedAtOnce() {
            for _ in 0..<Stress.times(50, long: 2_000) {
                let box = ThreadSafeContainer()
                let tracker = LifetimeTracker()
                box.register(Thing.self) { _ in Thing(tracker) }
                box.register(Thing.self, name: "weak", scope: .weak) { _ in Thing(tracker) }
                let identifier = GraphIdentifier()
                let wrong = Counter()
                let kept = Journal<Thing>()
                Threads.together(4) { _ in
                    for _ in 0..<10 {
                        box.withObjectGraph(identifier) { r in
                            guard let first = r.resolve(Thing.self), r.resolve(Thing.self) === first else {
                                _ = wrong.add()
                                return
                            }
                            kept.add(first)
                            guard let weak = r.resolve(Thing.self, name: "weak") else {
                                _ = wrong.add()
                                return
                            }
                            if r.resolve(Thing.self, name: "weak") !== weak { wrong.add() }
                        }
                    }
                }
                #expect(wrong.value == 0)
                // What one thread has left is found by all while it lives.
                let after = box.withObjectGraph(identifier) { $0.resolve(Thing.self) }
                #expect(kept.entries.contains { $0 === after })
            }
        }

        @Test("T5: arguments never cross threads, and parallel graphs never share what belongs to a graph")
        func arguments() {
            let box = ThreadSafeContainer()
            let tracker = LifetimeTracker()
            box.register(Thing.self) { _, number in Thing(tracker, number) }
            box.register([Thing].self) { (r, number: Int) in
                [
                    try r.require(Thing.self, argument: number), try r.require(Thing.self, argument: number),
                    try r.require(Thing.self, name: "leaf"), try r.require(Thing.self, name: "leaf"),
                ]
            }
            box.register(Thing.self, name: "leaf") { _ in Thing(tracker) }
            box.register(Int.self, name: "many") { (_, a: Int, b: String, c: Double, d: Int) in a + b.count + Int(c) + d
            }
            let wrong = Counter()
            let leaves = Journal<ObjectIdentifier>()
            let kept = Journal<[Thing]>()
            Threads.together(6) { thread in
                for round in 0..<Stress.times(200, long: 10_000) {
                    let number = thread * 1_000_000 + round
                    guard let things = box.resolve([Thing].self, argument: number) else {
                        wrong.add()
                        continue
                    }
                    if things[0].number != number || things[1].number != number || things[2] !== things[3] {
                        wrong.add()
                    }
                    leaves.add(ObjectIdentifier(things[2]))
                    kept.add(things)
                    let sum = box.resolve(Int.self, name: "many", arguments: number, "ab", 3.0, 4)
                    if sum != number + 9 { wrong.add() }
                }
            }
            #expect(wrong.value == 0)
            #expect(Set(leaves.entries).count == leaves.entries.count)
        }

        private final class CountingObserver: ResolutionObserver, Sendable {
            let created = Counter()
            let began = Counter()
            let failed = Counter()
            let wrong = Counter()
            let box: ThreadSafeContainer

            init(_ box: ThreadSafeContainer) { self.box = box }

            func observe(_ event: ResolutionEvent) {
                switch event.kind {
                case .began:
                    began.add()
                    // An observer may resolve, and is not told of what it causes.
                    if box.resolve(Int.self) != 7 { wrong.add() }
                case .created: created.add()
                case .failed: failed.add()
                default: break
                }
            }
        }

        @Test("T7: observers are told on the thread where it happens, of everything, while others come and go")
        func observers() {
            let tracker = LifetimeTracker()
            let box = ThreadSafeContainer()
            let rounds = Stress.times(100, long: 5_000)
            box.register(Int.self) { _ in 7 }
            box.register(Thing.self, scope: .transient) { _ in Thing(tracker) }
            box.register(Thing.self, name: "kept", scope: .container) { r in
                _ = try r.require(Thing.self)
                return Thing(tracker)
            }
            let observer = CountingObserver(box)
            box.addObserver(observer)
            Threads.together(5) { number in
                for _ in 0..<rounds {
                    if number == 0 {
                        let guest = WaitWatcher()
                        box.addObserver(guest)
                        box.removeObserver(guest)
                        box.register(String.self) { _ in "" }
                    } else {
                        _ = box.resolve(Thing.self)
                        _ = box.resolve(Thing.self, name: "kept")
                        _ = box.resolve(Thing.self, name: "never")
                    }
                }
            }
            #expect(observer.began.value == 4 * rounds + 2)
            #expect(observer.created.value == 4 * rounds + 2)
            #expect(observer.failed.value == 4 * rounds)
            #expect(observer.wrong.value == 0)
            box.removeObserver(observer)
        }

        @Test("T5: a chain of graph scope with names, resolved on all threads, is whole in each of them")
        func chain() {
            let tracker = LifetimeTracker()
            do {
                let box = ThreadSafeContainer()
                box.register(Thing.self, name: "0") { _ in Thing(tracker) }
                for depth in 1..<10 {
                    box.register(Thing.self, name: "\(depth)") { r in
                        Thing(tracker, try r.require(Thing.self, name: "\(depth - 1)").number + 1)
                    }
                }
                let wrong = Counter()
                Threads.together(4) { _ in
                    for _ in 0..<Stress.times(300, long: 20_000)
                    where box.resolve(Thing.self, name: "9")?.number != 9 { wrong.add() }
                }
                #expect(wrong.value == 0)
            }
            #expect(tracker.settles(at: 0))
        }
    }
}
