import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite("Stress: one construction for each shared instance")
    struct OnceStressTests {
        @Test(
            "T1: 32 threads that ask for a shared instance first get one, built once",
            arguments: [
                ObjectScope.container, .weak, .perContainer, .expiring(after: .seconds(3600)),
            ]
        )
        func once(scope: ObjectScope) {
            for round in 0..<200 {
                let box = ThreadSafeContainer(waitWarning: .milliseconds(1))
                let tracker = LifetimeTracker()
                // Slow in every tenth round: until somebody waits for it.
                let watcher = WaitWatcher()
                box.addObserver(watcher)
                box.register(Thing.self, scope: scope) { _ in
                    if round % 10 == 0 { watcher.isWaiting.pass() }
                    return Thing(tracker)
                }
                let seen = Journal<Thing>()
                Threads.together(32) { _ in
                    if let thing = box.resolve(Thing.self) { seen.add(thing) }
                }
                #expect(tracker.made == 1)
                #expect(seen.entries.count == 32)
            }
        }

        @Test("T9: two threads that complete each other's instances never give one out unfinished")
        func callbackCycle() {
            for round in 0..<400 {
                let box = ThreadSafeContainer()
                let runs = Counter()
                box.register(Node.self, name: "a", scope: .container) { _ in Node("a") }
                    .initCompleted { r, a in
                        a.other = try r.require(Node.self, name: "b")
                        runs.add()
                        a.isDone = true
                    }
                box.register(Node.self, name: "b", scope: .container) { _ in Node("b") }
                    .initCompleted { r, b in
                        b.other = try r.require(Node.self, name: "a")
                        runs.add()
                        b.isDone = true
                    }
                let start = Gate()
                let arrived = Counter()
                let wrong = Journal<String>()
                Threads.hammer(4) { number in
                    if arrived.add() == 4 { start.open() }
                    start.pass()
                    do throws(ResolutionError) {
                        let node = try box.require(Node.self, name: (number + round) % 2 == 0 ? "a" : "b")
                        if !node.isDone { wrong.add("unfinished") }
                        if node.other?.isDone != true { wrong.add("other unfinished") }
                        if node.other?.other !== node { wrong.add("not the same") }
                    } catch {
                        wrong.add("\(error)")
                    }
                }
                #expect(wrong.entries == [])
                #expect(runs.value == 2)
                box.resolve(Node.self, name: "a")?.part()
            }
        }

        @Test("T4: a key that is always registered is always found while it is being replaced, and all is released")
        func replacing() {
            let tracker = LifetimeTracker()
            do {
                let box = ThreadSafeContainer()
                let isOver = Atomic<Bool>(false)
                box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
                let missing = Counter()
                Threads.hammer(3) { number in
                    if number == 0 {
                        for _ in 0..<Stress.times(2_000, long: 100_000) {
                            box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
                        }
                        isOver.store(true, ordering: .releasing)
                    } else {
                        while !isOver.load(ordering: .acquiring) {
                            if box.resolve(Thing.self) == nil { missing.add() }
                        }
                    }
                }
                #expect(missing.value == 0)
                _ = box.resolve(Thing.self)
                #expect(tracker.settles(at: 1))
            }
            #expect(tracker.settles(at: 0))
        }
    }
}
