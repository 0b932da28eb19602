import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite("Stress: child containers on many threads")
    struct ChildStressTests {
        private static func root(_ tracker: LifetimeTracker) -> ThreadSafeContainer {
            let root = ThreadSafeContainer()
            root.register(Thing.self, scope: .container) { _ in Thing(tracker, 1) }
            root.register(Thing.self, name: "own", scope: .perContainer) { _ in Thing(tracker, 2) }
            root.register(Thing.self, name: "leaf") { _ in Thing(tracker, 3) }
            root.register([Thing].self, name: "all") { r in
                [
                    try r.require(Thing.self), try r.require(Thing.self, name: "own"),
                    try r.require(Thing.self, name: "leaf"), try r.require(Thing.self, name: "leaf"),
                ]
            }
            root.contribute(Thing.self, scope: .container) { _ in Thing(tracker, 10) }
            return root
        }

        @Test("S7: ten thousand child containers are made, used and dropped on eight threads, and nothing is left")
        func manyChildren() {
            let tracker = LifetimeTracker()
            do {
                let root = ChildStressTests.root(tracker)
                let shared = root.resolve(Thing.self)
                let wrong = Journal<String>()
                Threads.together(8) { number in
                    for _ in 0..<Stress.times(10_000, long: 100_000) / 8 {
                        let child = root.createChild()
                        child.register(Thing.self, name: "leaf") { _ in Thing(tracker, 4) }
                        guard let all = child.resolve([Thing].self, name: "all") else {
                            wrong.add("nothing")
                            continue
                        }
                        if all[0] !== shared { wrong.add("not the root's") }
                        if all[1] !== child.resolve(Thing.self, name: "own") { wrong.add("not the child's own") }
                        if all[2] !== all[3] || all[2].number != 4 { wrong.add("not the override") }
                        if all[1] === root.resolve(Thing.self, name: "own") { wrong.add("the root's own") }
                    }
                }
                #expect(wrong.entries == [])
                #expect(tracker.settles(at: 2))
            }
            #expect(tracker.settles(at: 0))
        }

        @Test("S7: so are ten thousand plain children over a shared root, each confined to its thread")
        func manyConfinedChildren() {
            let tracker = LifetimeTracker()
            do {
                let root = ChildStressTests.root(tracker)
                let shared = root.resolve(Thing.self)
                let wrong = Journal<String>()
                Threads.together(8) { number in
                    for round in 0..<Stress.times(10_000, long: 100_000) / 8 {
                        let child = root.createConfinedChild(sharing: round % 3 == 0 ? .none : .all)
                        let grandchild = child.createChild()
                        child.register(Thing.self, name: "leaf") { _ in Thing(tracker, 4) }
                        guard let all = grandchild.resolve([Thing].self, name: "all") else {
                            wrong.add("nothing")
                            continue
                        }
                        if (all[0] === shared) == (round % 3 == 0) { wrong.add("shared with the root, or not") }
                        if all[1] !== grandchild.resolve(Thing.self, name: "own") { wrong.add("not its own") }
                        if all[1] === child.resolve(Thing.self, name: "own") { wrong.add("the child's own") }
                        if all[2] !== all[3] || all[2].number != 4 { wrong.add("not the override") }
                        if grandchild.resolveAll(Thing.self).map(\.number) != [10] { wrong.add("collection") }
                        if child.resolve(Thing.self, name: "never") != nil { wrong.add("never") }
                        if round % 100 == 0 {
                            do throws(ResolutionError) {
                                _ = try grandchild.require(Thing.self, name: "never")
                                wrong.add("never")
                            } catch {
                                if error.code != .notRegistered { wrong.add("\(error)") }
                            }
                        }
                    }
                }
                #expect(wrong.entries == [])
            }
            #expect(tracker.settles(at: 0))
        }

        @Test("E2: an error that looks around is made while children come, go and register on other threads")
        func looking() {
            let tracker = LifetimeTracker()
            let root = ChildStressTests.root(tracker)
            let isOver = Atomic<Bool>(false)
            let failures = Counter()
            Threads.together(4) { number in
                if number == 0 {
                    for _ in 0..<Stress.times(200, long: 5_000) {
                        do throws(ResolutionError) {
                            _ = try root.require(Thing.self, name: "below")
                        } catch {
                            failures.add()
                            _ = "\(error)"
                        }
                    }
                    isOver.store(true, ordering: .releasing)
                } else {
                    while !isOver.load(ordering: .acquiring) {
                        let child = root.createChild()
                        child.register(Thing.self, name: "below", scope: .container) { _ in Thing(tracker) }
                        let confined = root.createConfinedChild()
                        confined.register(Thing.self, name: "below", scope: .container) { _ in Thing(tracker) }
                        let below = child.createConfinedChild()
                        #expect(below.resolve(Thing.self, name: "below") != nil)
                        #expect(confined.resolve(Thing.self, name: "below") != nil)
                    }
                }
            }
            #expect(failures.value == Stress.times(200, long: 5_000))
        }

        @Test("H2: what a shared root keeps is built once, from its own registrations, whichever child asks first")
        func overrides() {
            for _ in 0..<Stress.times(50, long: 1_000) {
                let tracker = LifetimeTracker()
                let root = ThreadSafeContainer()
                root.register(Int.self) { _ in 1 }
                root.register(Thing.self, scope: .container) { r in Thing(tracker, try r.require(Int.self)) }
                root.register(Thing.self, name: "weak", scope: .weak) { r in Thing(tracker, try r.require(Int.self)) }
                root.register(Thing.self, name: "graph") { r in Thing(tracker, try r.require(Int.self)) }
                let wrong = Journal<String>()
                let seen = Journal<Thing>()
                Threads.together(8) { number in
                    if number % 2 == 0 {
                        let child = root.createConfinedChild()
                        child.register(Int.self) { _ in 2 }
                        if let thing = child.resolve(Thing.self) { seen.add(thing) }
                        if let thing = child.resolve(Thing.self, name: "weak"), thing.number != 1 {
                            wrong.add("captured")
                        }
                        if child.resolve(Thing.self, name: "graph")?.number != 2 { wrong.add("no override") }
                    } else {
                        let child = root.createChild()
                        child.register(Int.self) { _ in 3 }
                        if let thing = child.resolve(Thing.self) { seen.add(thing) }
                        if child.resolve(Thing.self, name: "graph")?.number != 3 { wrong.add("no override") }
                        let alone = root.createChild(sharing: .none)
                        alone.register(Int.self) { _ in 4 }
                        let own = alone.resolve(Thing.self)
                        if own?.number != 4 || own !== alone.resolve(Thing.self) { wrong.add("shared") }
                    }
                }
                #expect(wrong.entries == [])
                #expect(Set(seen.entries.map(ObjectIdentifier.init)).count == 1)
                #expect(seen.entries.count == 8)
                #expect(seen.entries.allSatisfy { $0.number == 1 })
            }
        }

        @Test(
            "H3: a child of its own for each thread that asks is made inside a factory, and its graph is that thread's"
        )
        func childInFactory() {
            let tracker = LifetimeTracker()
            let root = ThreadSafeContainer()
            root.register(Thing.self) { _ in Thing(tracker) }
            root.register([Thing].self) { [unowned root] r in
                let child = root.createConfinedChild()
                return [
                    try r.require(Thing.self), try r.require(Thing.self), try child.require(Thing.self),
                    try child.require(Thing.self),
                ]
            }
            let wrong = Counter()
            let seen = Journal<Thing>()
            Threads.together(4) { _ in
                for _ in 0..<Stress.times(100, long: 5_000) {
                    guard let things = root.resolve([Thing].self) else {
                        wrong.add()
                        continue
                    }
                    if things[0] !== things[1] || things[2] !== things[3] { wrong.add() }
                    seen.add(things[0])
                }
            }
            #expect(wrong.value == 0)
            #expect(Set(seen.entries.map(ObjectIdentifier.init)).count == seen.entries.count)
        }
    }
}
