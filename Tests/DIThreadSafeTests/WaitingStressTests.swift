import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite("Stress: waiting for another thread")
    struct WaitingStressTests {
        @Test("T3: a factory may wait for another thread that resolves something else")
        func factoryWaitsForThread() throws {
            let box = ThreadSafeContainer()
            let tracker = LifetimeTracker()
            box.register(Thing.self, name: "shared", scope: .container) { _ in Thing(tracker) }
            box.register(Thing.self, name: "waiting", scope: .container) { r in
                let own = try r.require(Thing.self, name: "shared")
                let other = Threads.result { box.resolve(Thing.self, name: "shared") }
                #expect(other === own)
                // What it is building itself another thread may ask for only to wait.
                return Thing(tracker)
            }
            _ = try box.require(Thing.self, name: "waiting")
            #expect(tracker.made == 2)
        }

        @Test("T3: a factory may wait for many threads that resolve what it has not built")
        func factoryWaitsForThreads() throws {
            let box = ThreadSafeContainer()
            let tracker = LifetimeTracker()
            for number in 0..<8 {
                box.register(Thing.self, name: "\(number)", scope: .container) { _ in Thing(tracker, number) }
            }
            box.register(Int.self, scope: .container) { r in
                let sum = Counter()
                Threads.together(8) { number in
                    for other in 0..<8 where box.resolve(Thing.self, name: "\((number + other) % 8)") != nil {
                        sum.add()
                    }
                }
                return sum.value
            }
            #expect(try box.require(Int.self) == 64)
            #expect(tracker.made == 8)
        }

        @Test("T2: a slow singleton delays only those who ask for it")
        func slowSingleton() {
            let box = ThreadSafeContainer()
            let tracker = LifetimeTracker()
            let begun = Gate()
            let othersAreDone = Gate()
            let order = Journal<String>()
            let times = Journal<Duration>()
            box.register(Thing.self, name: "slow", scope: .container) { _ in
                begun.open()
                othersAreDone.pass()
                order.add("slow")
                return Thing(tracker)
            }
            for number in 0..<100 {
                box.register(Thing.self, name: "\(number)", scope: .container) { r in
                    _ = r.resolve(Thing.self, name: "leaf")
                    return Thing(tracker)
                }
            }
            box.register(Thing.self, name: "leaf", scope: .weak) { _ in Thing(tracker) }
            Threads.run([
                { _ = box.resolve(Thing.self, name: "slow") },
                {
                    begun.pass()
                    _ = box.resolve(Thing.self, name: "slow")
                    order.add("waiter")
                },
                {
                    begun.pass()
                    for number in 0..<100 {
                        let start = ContinuousClock.now
                        _ = box.resolve(Thing.self, name: "\(number)")
                        times.add(.now - start)
                        // Registering is not delayed either.
                        box.register(Thing.self, name: "other", scope: .container) { _ in Thing(tracker) }
                        box.resetObjectScope(.weak)
                    }
                    order.add("unrelated")
                    othersAreDone.open()
                },
            ])
            #expect(order.entries == ["unrelated", "slow", "waiter"])
            print("An unrelated singleton takes \(times.entries.sorted()[50]) while a slow one is being built")
        }

        @Test("T1: a factory that throws wakes those who wait with its error, and leaves the entry empty")
        func failure() {
            for _ in 0..<Stress.times(30, long: 500) {
                let box = ThreadSafeContainer(waitWarning: .microseconds(1))
                let tracker = LifetimeTracker()
                let runs = Counter()
                let waiting = Counter()
                let allWait = Gate()
                box.addObserver(WaitWatcher { _ in if waiting.add() == 7 { allWait.open() } })
                box.register(Thing.self, scope: .container) { _ in
                    if runs.add() == 1 {
                        allWait.pass()
                        throw Broken()
                    }
                    return Thing(tracker)
                }
                let errors = Journal<ResolutionError>()
                Threads.together(8) { _ in
                    do throws(ResolutionError) {
                        _ = try box.require(Thing.self)
                    } catch {
                        errors.add(error)
                    }
                }
                #expect(errors.entries.count == 8)
                #expect(errors.entries.allSatisfy { $0.code == .factoryThrew && $0.underlying is Broken })
                #expect(runs.value == 1)
                #expect(box.resolve(Thing.self) != nil)
                #expect(runs.value == 2)
            }
        }

        @Test("T3: a long wait is told to observers, with what each thread holds and wants, and then goes on")
        func warning() throws {
            let box = ThreadSafeContainer(waitWarning: .milliseconds(1))
            let tracker = LifetimeTracker()
            let begun = Gate()
            let watcher = WaitWatcher()
            box.addObserver(watcher)
            box.register(Thing.self, name: "slow", scope: .container) { _ in
                begun.open()
                watcher.isWaiting.pass()
                return Thing(tracker)
            }
            box.register(Thing.self, name: "outer", scope: .container) { r in
                begun.pass()
                return try r.require(Thing.self, name: "slow")
            }
            Threads.run([
                { _ = box.resolve(Thing.self, name: "slow") },
                { _ = box.resolve(Thing.self, name: "outer") },
            ])
            let report = try #require(watcher.reports.entries.first)
            #expect(watcher.reports.entries.count == 1)
            #expect(report.parties.map { $0.holds.map(\.name) } == [["outer"], ["slow"]])
            #expect(report.parties.map { $0.wants?.name } == ["slow", nil])
            #expect(box.resolve(Thing.self, name: "outer") === box.resolve(Thing.self, name: "slow"))
            #expect(tracker.made == 1)
        }

        @Test("T3: a wait beyond its limit fails, and whoever builds is not disturbed")
        func limit() throws {
            let box = ThreadSafeContainer(waitWarning: nil, waitLimit: .milliseconds(5))
            let tracker = LifetimeTracker()
            let begun = Gate()
            let hasFailed = Gate()
            let built = Journal<Thing>()
            let errors = Journal<ResolutionError>()
            box.register(Thing.self, name: "slow", scope: .container) { _ in
                begun.open()
                hasFailed.pass()
                return Thing(tracker)
            }
            Threads.run([
                { if let thing = box.resolve(Thing.self, name: "slow") { built.add(thing) } },
                {
                    begun.pass()
                    do throws(ResolutionError) {
                        _ = try box.require(Thing.self, name: "slow")
                    } catch {
                        errors.add(error)
                    }
                    hasFailed.open()
                },
            ])
            #expect(errors.entries.map(\.code) == [.waitLimitExceeded])
            #expect(built.entries.count == 1)
            #expect(box.resolve(Thing.self, name: "slow") === built.entries.first)
            #expect(tracker.made == 1)
        }

        @Test("T3: an observer that is told of a wait may resolve what yet another thread is building")
        func observerWaits() {
            let box = ThreadSafeContainer(waitWarning: .milliseconds(1))
            let tracker = LifetimeTracker()
            let bothBegun = Gate()
            let begun = Counter()
            let observerWaits = Gate()
            let observerIsDone = Gate()
            for name in ["one", "two"] {
                box.register(Thing.self, name: name, scope: .container) { _ in
                    if begun.add() == 2 { bothBegun.open() }
                    (name == "one" ? observerIsDone : observerWaits).pass()
                    return Thing(tracker)
                }
            }
            box.addObserver(
                WaitWatcher { _ in
                    // Of its own waiting it is not told, so the other one is let go before it waits or while it does.
                    observerWaits.open()
                    _ = box.resolve(Thing.self, name: "two")
                    observerIsDone.open()
                }
            )
            Threads.run([
                { _ = box.resolve(Thing.self, name: "one") },
                { _ = box.resolve(Thing.self, name: "two") },
                {
                    bothBegun.pass()
                    #expect(box.resolve(Thing.self, name: "one") != nil)
                },
            ])
            #expect(tracker.made == 2)
        }

        @Test("T3: limits and warnings of any length can be given")
        func endlessLimit() {
            let long = Duration.seconds(Int64.max / 2)
            let box = ThreadSafeContainer(waitWarning: long, waitLimit: long)
            let tracker = LifetimeTracker()
            let begun = Counter()
            let isWanted = Gate()
            box.register(Thing.self, scope: .container) { _ in
                begun.add()
                isWanted.pass()
                return Thing(tracker)
            }
            Threads.run([
                { _ = box.resolve(Thing.self) },
                { _ = box.resolve(Thing.self) },
                { isWanted.open() },
            ])
            #expect(begun.value == 1)
        }
    }
}
