import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite("Stress: threads that build each other's instances")
    struct CrossThreadCycleStressTests {
        enum Cycle: CaseIterable {
            case callbacks
            case callbackAndConstructor
            case transientBetween

            func register(in box: ThreadSafeContainer) {
                switch self {
                case .callbacks:
                    for (name, other) in [("a", "b"), ("b", "a")] {
                        box.register(Node.self, name: name, scope: .container) { _ in Node(name) }
                            .initCompleted { r, node in
                                node.other = try r.require(Node.self, name: other)
                                node.isDone = true
                            }
                    }
                case .callbackAndConstructor:
                    box.register(Node.self, name: "a", scope: .container) { _ in Node("a") }
                        .initCompleted { r, a in
                            a.other = try r.require(Node.self, name: "b")
                            a.isDone = true
                        }
                    box.register(Node.self, name: "b", scope: .container) { r in
                        Node("b", other: try r.require(Node.self, name: "a"))
                    }
                    .initCompleted { _, b in b.isDone = true }
                case .transientBetween:
                    box.register(Node.self, name: "between", scope: .transient) { r in
                        Node("between", other: try r.require(Node.self, name: "a"))
                    }
                    box.register(Node.self, name: "a", scope: .container) { _ in Node("a") }
                        .initCompleted { r, a in
                            a.other = try r.require(Node.self, name: "b")
                            a.isDone = true
                        }
                    box.register(Node.self, name: "b", scope: .container) { r in
                        Node("b", other: try r.require(Node.self, name: "between").other)
                    }
                    .initCompleted { _, b in b.isDone = true }
                }
            }
        }

        @Test(
            "T9: a legal cycle that threads enter at both ends is one pair, and nobody sees it unfinished",
            arguments: Cycle.allCases
        )
        func legal(cycle: Cycle) {
            for round in 0..<Stress.times(150, long: 2_000) {
                let box = ThreadSafeContainer()
                cycle.register(in: box)
                let seen = Journal<Node>()
                let wrong = Journal<String>()
                Threads.together(4) { number in
                    do throws(ResolutionError) {
                        let node = try box.require(Node.self, name: (number + round) % 2 == 0 ? "a" : "b")
                        if !node.isDone { wrong.add("unfinished") }
                        if node.other?.isDone != true { wrong.add("other unfinished") }
                        if node.other?.other !== node { wrong.add("not the same") }
                        seen.add(node)
                    } catch {
                        wrong.add("\(error)")
                    }
                }
                #expect(wrong.entries == [])
                #expect(Set(seen.entries.map(ObjectIdentifier.init)).count == 2)
                seen.entries.forEach { $0.part() }
            }
        }

        @Test("T9: three threads that complete each other's instances never give one out unfinished")
        func three() {
            for round in 0..<Stress.times(150, long: 2_000) {
                let box = ThreadSafeContainer()
                let names = ["a", "b", "c"]
                for (number, name) in names.enumerated() {
                    box.register(Node.self, name: name, scope: .container) { _ in Node(name) }
                        .initCompleted { r, node in
                            node.other = try r.require(Node.self, name: names[(number + 1) % 3])
                            node.another = try r.require(Node.self, name: names[(number + 2) % 3])
                            node.isDone = true
                        }
                }
                let seen = Journal<Node>()
                let wrong = Journal<String>()
                Threads.together(3) { number in
                    do throws(ResolutionError) {
                        let node = try box.require(Node.self, name: names[(number + round) % 3])
                        for part in [node, node.other, node.another] where part?.isDone != true {
                            wrong.add("unfinished")
                        }
                        if node.other?.another !== node || node.another?.other !== node { wrong.add("not the same") }
                        seen.add(node)
                    } catch {
                        wrong.add("\(error)")
                    }
                }
                #expect(wrong.entries == [])
                #expect(Set(seen.entries.map(ObjectIdentifier.init)).count == 3)
                seen.entries.forEach { $0.part() }
            }
        }

        @Test(
            "T3: a constructor cycle over two threads fails on both sides at once, and says what each holds and wants"
        )
        func illegal() {
            for _ in 0..<Stress.times(50, long: 1_000) {
                let box = ThreadSafeContainer()
                let building = Counter()
                let both = Gate()
                for (name, other) in [("a", "b"), ("b", "a")] {
                    box.register(Node.self, name: name, scope: .container) { r in
                        if building.add() == 2 { both.open() }
                        both.pass()
                        return Node(name, other: try r.require(Node.self, name: other))
                    }
                }
                let errors = Journal<ResolutionError>()
                let wrong = Counter()
                Threads.together(2) { number in
                    do throws(ResolutionError) {
                        _ = try box.require(Node.self, name: number == 0 ? "a" : "b")
                        wrong.add()
                    } catch {
                        errors.add(error)
                    }
                }
                #expect(wrong.value == 0)
                #expect(errors.entries.map(\.code) == [.crossThreadCycle, .crossThreadCycle])
                for error in errors.entries {
                    let text = "\(error)"
                    for part in ["\"a\"", "\"b\""] { #expect(text.contains(part)) }
                }
                // Nothing is left of it.
                box.register(Node.self, name: "b", scope: .container) { _ in Node("b") }
                #expect(box.resolve(Node.self, name: "a")?.other === box.resolve(Node.self, name: "b"))
            }
        }

        @Test("T3: the failure of a constructor cycle is sticky: what a factory makes of a nil is not kept")
        func sticky() {
            for _ in 0..<Stress.times(50, long: 1_000) {
                let box = ThreadSafeContainer()
                let building = Counter()
                let both = Gate()
                for (name, other) in [("a", "b"), ("b", "a")] {
                    box.register(Node.self, name: name, scope: .container) { r in
                        if building.add() == 2 { both.open() }
                        both.pass()
                        return Node(name, other: r.resolve(Node.self, name: other))
                    }
                }
                let halfWired = Counter()
                Threads.together(2) { number in
                    if box.resolve(Node.self, name: number == 0 ? "a" : "b") != nil { halfWired.add() }
                }
                #expect(halfWired.value == 0)
            }
        }

        @Test("T3: a constructor cycle fails in whatever order threads enter it, and no thread stays behind")
        func illegalAtRandom() {
            for round in 0..<Stress.times(100, long: 2_000) {
                let box = ThreadSafeContainer()
                let names = ["a", "b", "c"]
                for (number, name) in names.enumerated() {
                    box.register(Node.self, name: name, scope: .container) { r in
                        Node(name, other: try r.require(Node.self, name: names[(number + 1) % 3]))
                    }
                }
                let codes = Journal<ResolutionError.Code>()
                let wrong = Counter()
                Threads.together(6) { number in
                    do throws(ResolutionError) {
                        _ = try box.require(Node.self, name: names[(number + round) % 3])
                        wrong.add()
                    } catch {
                        codes.add(error.code)
                    }
                }
                #expect(wrong.value == 0)
                #expect(codes.entries.count == 6)
                #expect(Set(codes.entries).isSubset(of: [.crossThreadCycle, .circular]))
                box.register(Node.self, name: "c", scope: .container) { _ in Node("c") }
                #expect(box.resolve(Node.self, name: "a")?.other?.other === box.resolve(Node.self, name: "c"))
            }
        }

        @Test(
            "T9, G7: when a callback in a cycle of two threads throws, both fail, nothing is kept, and the next request works"
        )
        func callbackThrows() {
            for _ in 0..<Stress.times(100, long: 1_000) {
                let box = ThreadSafeContainer()
                let tracker = LifetimeTracker()
                let building = Counter()
                let both = Gate()
                let isBroken = Atomic<Bool>(true)
                final class Part: @unchecked Sendable {
                    // Unchecked: as `Node`.
                    let thing: Thing
                    weak var other: Part?
                    init(_ tracker: LifetimeTracker) { thing = Thing(tracker) }
                }
                for (name, other) in [("a", "b"), ("b", "a")] {
                    box.register(Part.self, name: name, scope: .container) { _ in
                        if building.add() == 2 { both.open() }
                        both.pass()
                        return Part(tracker)
                    }
                    .initCompleted { r, part in
                        part.other = try r.require(Part.self, name: other)
                        if name == "b", isBroken.load(ordering: .acquiring) { throw Broken() }
                    }
                }
                let errors = Journal<ResolutionError>()
                let wrong = Counter()
                Threads.together(2) { number in
                    do throws(ResolutionError) {
                        _ = try box.require(Part.self, name: number == 0 ? "a" : "b")
                        wrong.add()
                    } catch {
                        errors.add(error)
                    }
                }
                #expect(wrong.value == 0)
                #expect(errors.entries.map(\.code) == [.factoryThrew, .factoryThrew])
                #expect(tracker.settles(at: 0))
                isBroken.store(false, ordering: .releasing)
                let a = box.resolve(Part.self, name: "a")
                #expect(a?.other?.other === a)
                #expect(tracker.settles(at: 2))
            }
        }

        @Test("T9: who has borrowed from a thread that has arrived and from one that waits goes on with both")
        func arrivedAndWaiting() {
            let box = ThreadSafeContainer(waitWarning: .milliseconds(1))
            let borrowerOfA = Gate()
            let bWaits = Gate()
            let cIsStored = Gate()
            let askForA = Gate()
            box.addObserver(
                WaitWatcher { event in
                    // The first thread waits for c: let that one ask for a, which closes the loop.
                    if event.key?.name == "c" { askForA.open() }
                    if event.key?.name == "a", event.path.last?.name == "b" { bWaits.open() }
                }
            )
            box.register(Node.self, name: "a", scope: .container) { _ in Node("a") }
                .initCompleted { r, a in
                    borrowerOfA.open()
                    cIsStored.pass()
                    a.other = try r.require(Node.self, name: "c")
                    bWaits.pass()
                    a.another = try r.require(Node.self, name: "b")
                    a.isDone = true
                }
            box.register(Node.self, name: "b", scope: .container) { _ in Node("b") }
                .initCompleted { r, b in
                    b.other = try r.require(Node.self, name: "a")
                    b.isDone = true
                }
            box.register(Node.self, name: "c", scope: .container) { _ in Node("c") }
                .initCompleted { r, c in
                    cIsStored.open()
                    askForA.pass()
                    c.other = try r.require(Node.self, name: "a")
                    c.isDone = true
                }
            let wrong = Journal<String>()
            @Sendable func ask(_ name: String) {
                do throws(ResolutionError) {
                    let node = try box.require(Node.self, name: name)
                    if !node.isDone { wrong.add("\(name) is unfinished") }
                } catch {
                    wrong.add("\(error)")
                }
            }
            Threads.run([
                { ask("a") },
                {
                    borrowerOfA.pass(); ask("c")
                },
                {
                    askForA.pass(); ask("b")
                },
            ])
            #expect(wrong.entries == [])
            box.resolve(Node.self, name: "a")?.part()
        }

        private struct Refused: Error {}

        @Test("T3, G7: a thread that has given up what it borrowed from another one does not wait for it")
        func givenUp() {
            let box = ThreadSafeContainer(waitWarning: .milliseconds(1))
            let bIsStored = Gate()
            let cIsStored = Gate()
            let bIsWanted = Gate()
            box.addObserver(WaitWatcher { event in if event.key?.name == "b" { bIsWanted.open() } })
            box.register(Node.self, name: "a", scope: .container) { r in
                // It fails, after it was given b, which holds it.
                _ = r.resolve(Node.self, name: "c")
                return Node("a")
            }
            box.register(Node.self, name: "b", scope: .container) { _ in Node("b") }
                .initCompleted { r, b in
                    bIsStored.open()
                    bIsWanted.pass()
                    b.other = try r.require(Node.self, name: "c")
                }
            box.register(Node.self, name: "c", scope: .container) { _ in Node("c") }
                .initCompleted { r, c in
                    cIsStored.open()
                    bIsStored.pass()
                    _ = try r.require(Node.self, name: "b")
                    throw Refused()
                }
            box.register(Node.self, name: "d", scope: .container) { r in
                cIsStored.pass()
                return Node("d", other: try r.require(Node.self, name: "b"))
            }
            .initCompleted { r, d in d.another = try r.require(Node.self, name: "a") }
            let failures = Journal<String>()
            @Sendable func ask(_ name: String) {
                do throws(ResolutionError) {
                    _ = try box.require(Node.self, name: name)
                } catch {
                    failures.add("\(name): \(error.code.rawValue)")
                }
            }
            Threads.run([{ ask("a") }, { ask("d") }])
            #expect(failures.entries == ["d: factoryThrew"])
            #expect(box.resolve(Node.self, name: "a") != nil)
        }

        @Test("T9, G7: a failure takes with it what holds the failed instance, and nothing that was complete before")
        func completeBefore() throws {
            let box = ThreadSafeContainer()
            let eIsBuilt = Gate()
            let bIsStored = Gate()
            box.register(Node.self, name: "a", scope: .container) { _ in Node("a") }
                .initCompleted { r, a in
                    a.other = try r.require(Node.self, name: "b")
                    throw Refused()
                }
            box.register(Node.self, name: "b", scope: .container) { r in
                Node("b", other: try r.require(Node.self, name: "c"))
            }
            box.register(Node.self, name: "c", scope: .container) { _ in Node("c") }
                .initCompleted { r, c in
                    // Another activation of b ends here, and holds c.
                    c.other = try r.require(Node.self, name: "b")
                    c.another = try r.require(Node.self, name: "d")
                    c.isDone = true
                }
            box.register(Node.self, name: "d", scope: .container) { _ in Node("d") }
                .initCompleted { r, d in
                    bIsStored.open()
                    eIsBuilt.pass()
                    d.other = try r.require(Node.self, name: "e")
                }
            box.register(Node.self, name: "e", scope: .container) { r in
                eIsBuilt.open()
                bIsStored.pass()
                return Node("e", other: try r.require(Node.self, name: "b"))
            }
            let failures = Journal<String>()
            @Sendable func ask(_ name: String) {
                do throws(ResolutionError) {
                    let node = try box.require(Node.self, name: name)
                    if node.other?.other?.isDone != true { failures.add("\(name) is unfinished") }
                } catch {
                    failures.add("\(name): \(error.code.rawValue)")
                }
            }
            Threads.run([{ ask("a") }, { ask("e") }])
            #expect(failures.entries == ["a: factoryThrew"])
            let e = try box.require(Node.self, name: "e")
            #expect(try box.require(Node.self, name: "b") === e.other)
            for name in ["b", "c", "d", "e"] { box.resolve(Node.self, name: name)?.part() }
        }

        @Test("T1, G7: the failure of what a thread was lent is not that of the service that holds it")
        func lentFailure() {
            let box = ThreadSafeContainer(waitWarning: .milliseconds(1))
            let bIsThere = Gate()
            let wIsClaimed = Gate()
            let aIsWanted = Gate()
            box.addObserver(
                WaitWatcher { event in if event.key?.name == "a", event.path.isEmpty { aIsWanted.open() } }
            )
            box.register(Node.self, name: "p", scope: .container) { _ in Node("p") }
                .initCompleted { r, p in
                    _ = try r.require(Node.self, name: "b")
                    bIsThere.open()
                    wIsClaimed.pass()
                    _ = r.resolve(Node.self, name: "w")
                    aIsWanted.pass()
                    throw Refused()
                }
            // It does without p.
            box.register(Node.self, name: "b", scope: .container) { r in
                Node("b", other: r.resolve(Node.self, name: "p"))
            }
            box.register(Node.self, name: "w", scope: .container) { r in
                wIsClaimed.open()
                bIsThere.pass()
                return Node("w", other: try r.require(Node.self, name: "b"))
            }
            box.register(Node.self, name: "a", scope: .container) { r in
                Node("a", other: try r.require(Node.self, name: "w"))
            }
            let failed = Journal<Int>()
            @Sendable func ask(_ name: String, _ thread: Int) {
                if box.resolve(Node.self, name: name) == nil { failed.add(thread) }
            }
            Threads.run([
                { ask("a", 1) },
                { ask("p", 2) },
                {
                    wIsClaimed.pass(); ask("a", 3)
                },
            ])
            #expect(Set(failed.entries) == [1, 2])
        }

        @Test("T3: an observer of the beginning of a request is the one that fails where threads would wait for ever")
        func observerOfOutermost() {
            final class Asking: ResolutionObserver, Sendable {
                let interests: ResolutionInterests = .resolutions
                let whenBegun: @Sendable (ResolutionEvent) -> Void

                init(_ whenBegun: @escaping @Sendable (ResolutionEvent) -> Void) { self.whenBegun = whenBegun }

                func observe(_ event: ResolutionEvent) {
                    if case .began = event.kind { whenBegun(event) }
                }
            }
            let box = ThreadSafeContainer()
            let kHasBegun = Gate()
            let wIsClaimed = Gate()
            let isAsked = Counter()
            let failed = Journal<String>()
            @Sendable func ask(_ name: String, _ who: String) {
                if box.resolve(Node.self, name: name) == nil { failed.add(who) }
            }
            box.register(Node.self, name: "k", scope: .container) { _ in Node("k") }
            box.register(Node.self, name: "w", scope: .container) { r in
                wIsClaimed.open()
                kHasBegun.pass()
                return Node("w", other: try r.require(Node.self, name: "k"))
            }
            box.addObserver(
                Asking { event in
                    guard event.key?.name == "k", isAsked.add() == 1 else { return }
                    kHasBegun.open()
                    wIsClaimed.pass()
                    ask("w", "observer")
                }
            )
            Threads.run([{ ask("k", "thread 1") }, { ask("w", "thread 2") }])
            #expect(failed.entries == ["observer"])
        }
    }
}
