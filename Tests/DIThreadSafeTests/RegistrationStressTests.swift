import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite("Stress: registering while others resolve")
    struct RegistrationStressTests {
        /// Says twice which registration it comes from.
        private final class Version: Sendable {
            let number: Int
            let thing: Thing

            init(_ number: Int, _ tracker: LifetimeTracker) {
                self.number = number
                thing = Thing(tracker, number)
            }
        }

        @Test(
            "T4: a key that stays is always found while others register, replace, remove and reset, and nothing is left"
        )
        func everything() {
            let tracker = LifetimeTracker()
            let end = ContinuousClock.now + .seconds(Stress.times(2, long: 60))
            do {
                let box = ThreadSafeContainer()
                let scopes: [any ObjectScopeProtocol] = [
                    ObjectScope.container, ObjectScope.weak, ObjectScope.graph, ObjectScope.transient,
                    ObjectScope.perContainer,
                ]
                @Sendable func put(_ number: Int, _ scope: any ObjectScopeProtocol) {
                    box.register(Version.self, name: "complete", scope: scope) { _ in Version(number, tracker) }
                }
                for (number, scope) in scopes.enumerated() {
                    box.register(Thing.self, name: "stays \(number)", scope: scope) { _ in Thing(tracker, number) }
                }
                put(0, ObjectScope.container)
                box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
                let wrong = Journal<String>()
                let resolved = Counter()
                Threads.hammer(5) { number in
                    var random = SeededRandom(seed: UInt64(number))
                    while ContinuousClock.now < end {
                        switch number {
                        case 0:
                            for round in 0..<100 {
                                put(round, scopes[round % scopes.count])
                                box.register(Thing.self, scope: scopes[round % scopes.count]) { _ in Thing(tracker) }
                            }
                        case 1:
                            let other = "other \(Int.random(in: 0..<20, using: &random))"
                            if Bool.random(using: &random) {
                                box.register(Thing.self, name: other, scope: scopes.randomElement(using: &random)) {
                                    _ in
                                    Thing(tracker)
                                }
                            } else {
                                box.remove(Thing.self, name: other)
                            }
                            for scope in scopes { box.resetObjectScope(scope) }
                            box.resetObjectScope(.container, serviceType: Thing.self)
                        default:
                            for (number, _) in scopes.enumerated()
                            where box.resolve(Thing.self, name: "stays \(number)")?.number != number {
                                wrong.add("a key that stays is not found")
                            }
                            if box.resolve(Thing.self) == nil { wrong.add("a key that is replaced is not found") }
                            guard let version = box.resolve(Version.self, name: "complete") else {
                                wrong.add("a key that is replaced is not found")
                                continue
                            }
                            if version.number != version.thing.number { wrong.add("mixed") }
                            _ = box.resolve(Thing.self, name: "other \(Int.random(in: 0..<20, using: &random))")
                            resolved.add()
                        }
                    }
                }
                #expect(wrong.entries == [])
                #expect(resolved.value > 100)
            }
            #expect(tracker.settles(at: 0))
        }

        @Test("T4: each result comes from one complete registration, and none from an earlier one than before")
        func complete() {
            let tracker = LifetimeTracker()
            let rounds = Stress.times(3_000, long: 200_000)
            let box = ThreadSafeContainer()
            @Sendable func put(_ number: Int) {
                box.register(Version.self, scope: .container) { _ in Version(number, tracker) }
            }
            put(0)
            let isOver = Atomic<Bool>(false)
            let wrong = Counter()
            Threads.hammer(3) { thread in
                if thread == 0 {
                    for number in 1...rounds { put(number) }
                    isOver.store(true, ordering: .releasing)
                } else {
                    var last = 0
                    while !isOver.load(ordering: .acquiring) {
                        guard let version = box.resolve(Version.self) else {
                            wrong.add()
                            continue
                        }
                        // Later requests never see an earlier registration.
                        if version.number < last || version.thing.number != version.number { wrong.add() }
                        last = version.number
                    }
                }
            }
            #expect(wrong.value == 0)
            #expect(box.resolve(Version.self)?.number == rounds)
        }

        @Test("K4: what forwards to a replaced registration still shares its instance")
        func forwarding() {
            let tracker = LifetimeTracker()
            let box = ThreadSafeContainer()
            let first = box.register(Thing.self, scope: .container) { _ in Thing(tracker, 1) }
            box.forward(Thing.self, name: "other", to: first)
            let isOver = Atomic<Bool>(false)
            let seen = Journal<ObjectIdentifier>()
            Threads.hammer(3) { thread in
                if thread == 0 {
                    for _ in 0..<1_000 { box.register(Thing.self, scope: .container) { _ in Thing(tracker, 2) } }
                    isOver.store(true, ordering: .releasing)
                } else {
                    repeat {
                        if let thing = box.resolve(Thing.self, name: "other"), thing.number == 1 {
                            seen.add(ObjectIdentifier(thing))
                        }
                    } while !isOver.load(ordering: .acquiring)
                }
            }
            #expect(Set(seen.entries).count == 1)
            #expect(tracker.settles(at: 1))
        }

        @Test("T4: keys that come and go leave no tables behind, and those that stay are found while the table grows")
        func growth() {
            let tracker = LifetimeTracker()
            let box = ThreadSafeContainer()
            box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
            let isOver = Atomic<Bool>(false)
            let wrong = Counter()
            Threads.hammer(3) { thread in
                if thread == 0 {
                    for number in 0..<Stress.times(5_000, long: 100_000) {
                        box.register(Int.self, name: "\(number)", scope: .container) { _ in number }
                        if number >= 50 { box.remove(Int.self, name: "\(number - 50)") }
                    }
                    isOver.store(true, ordering: .releasing)
                } else {
                    while !isOver.load(ordering: .acquiring) {
                        if box.resolve(Thing.self) == nil { wrong.add() }
                        if box.resolve(Int.self, name: "never") != nil { wrong.add() }
                    }
                }
            }
            #expect(wrong.value == 0)
            #expect(tracker.made == 1)
        }

        /// Says that two options are equal after having resolved something.
        private struct Asking: ServiceKeyOption {
            let number: Int
            let box: ThreadSafeContainer

            static func == (left: Asking, right: Asking) -> Bool {
                _ = left.box.resolve(Thing.self)
                return left.number == right.number
            }

            func hash(into hasher: inout Hasher) { hasher.combine(0) }

            var description: String { "asking \(number)" }
        }

        @Test("T4: keys with options are compared while others register, by an == that resolves itself")
        func options() {
            let tracker = LifetimeTracker()
            do {
                let box = ThreadSafeContainer()
                let keys = (0..<4).map { ServiceKey(serviceType: Int.self, option: Asking(number: $0, box: box)) }
                box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
                for number in 0..<4 {
                    box.register(Int.self, option: Asking(number: number, box: box), scope: .container) { _ in number }
                }
                let isOver = Atomic<Bool>(false)
                let wrong = Counter()
                Threads.hammer(3) { thread in
                    if thread == 0 {
                        for round in 0..<Stress.times(500, long: 20_000) {
                            box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
                            let number = round % 4
                            box.register(Int.self, option: Asking(number: number, box: box), scope: .container) { _ in
                                number
                            }
                        }
                        isOver.store(true, ordering: .releasing)
                    } else {
                        while !isOver.load(ordering: .acquiring) {
                            for key in keys where box.locate(key).entry?.key != key { wrong.add() }
                            if box.resolveAll(Int.self, where: { $0.option != nil }).sorted() != [0, 1, 2, 3] {
                                wrong.add()
                            }
                            if box.resolve(Thing.self) == nil { wrong.add() }
                        }
                    }
                }
                #expect(wrong.value == 0)
                // The options hold the container that has them.
                box.removeAll()
            }
            #expect(tracker.settles(at: 0))
        }

        @Test("T4: contributions are collected while others add some, each whole and in order")
        func contributions() {
            let tracker = LifetimeTracker()
            do {
                let box = ThreadSafeContainer()
                let isOver = Atomic<Bool>(false)
                let wrong = Journal<String>()
                let count = Stress.times(200, long: 2_000)
                Threads.hammer(4) { thread in
                    if thread == 0 {
                        for number in 0..<count {
                            box.contribute(Thing.self, scope: .container) { _ in Thing(tracker, number) }
                        }
                        isOver.store(true, ordering: .releasing)
                    } else {
                        var last: [Thing] = []
                        repeat {
                            let all = box.resolveAll(Thing.self)
                            if all.map(\.number) != Array(0..<all.count) { wrong.add("out of order") }
                            if !all.starts(with: last, by: ===) { wrong.add("not the same") }
                            if box.resolve([Thing].self).map({ $0.count < all.count }) != false { wrong.add("fewer") }
                            last = all
                        } while !isOver.load(ordering: .acquiring)
                    }
                }
                #expect(wrong.entries == [])
                #expect(box.resolveAll(Thing.self).count == count)
                #expect(tracker.made == count)
            }
            #expect(tracker.settles(at: 0))
        }
    }
}
