import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import DIWrappers
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite("Stress: the end of containers")
    struct LifetimeStressTests {
        /// Keeps the resolver that its factory was given.
        private final class Keeper: @unchecked Sendable {
            // Unchecked: the resolver of a thread-safe container may be used on any thread.
            let resolver: any Resolver
            let thing: Thing

            init(_ resolver: any Resolver, _ tracker: LifetimeTracker) {
                self.resolver = resolver
                thing = Thing(tracker)
            }
        }

        @Test("T4: a container may be dropped on one thread while another resolves through what a factory has kept")
        func keptResolver() {
            let tracker = LifetimeTracker()
            for _ in 0..<Stress.times(200, long: 10_000) {
                let holder = Mutex<ThreadSafeContainer?>(ThreadSafeContainer())
                holder.withLock { box in
                    _ = box?.register(Keeper.self, scope: .transient) { r in Keeper(r, tracker) }
                    _ = box?.register(Thing.self, scope: .container) { _ in Thing(tracker) }
                }
                let keeper = holder.withLock { $0 }?.resolve(Keeper.self)
                let wrong = Counter()
                let start = Gate()
                Threads.run([
                    {
                        start.pass()
                        let dropped = holder.withLock { box in
                            defer { box = nil }
                            return box
                        }
                        _ = dropped
                    },
                    {
                        start.open()
                        for _ in 0..<20 where keeper?.resolver.resolve(Thing.self) == nil { wrong.add() }
                    },
                ])
                #expect(wrong.value == 0)
            }
            #expect(tracker.settles(at: 0))
        }

        @Test("S1: the last use of a container may be the request for what it keeps, on any thread")
        func lastUse() {
            let tracker = LifetimeTracker()
            let wrong = Counter()
            Threads.together(4) { _ in
                for _ in 0..<Stress.times(300, long: 20_000) {
                    func made() -> ThreadSafeContainer {
                        let box = ThreadSafeContainer()
                        box.register(Thing.self, scope: .container) { _ in Thing(tracker, 5) }
                        return box
                    }
                    if made().resolve(Thing.self)?.number != 5 { wrong.add() }
                }
            }
            #expect(wrong.value == 0)
            #expect(tracker.settles(at: 0))
        }

        @Test("H1: a root that is dropped on one thread lives while a child is used on another")
        func childOutlivesRoot() {
            let tracker = LifetimeTracker()
            for round in 0..<Stress.times(200, long: 10_000) {
                let holder = Mutex<ThreadSafeContainer?>(ThreadSafeContainer())
                holder.withLock { box in
                    _ = box?.register(Thing.self, scope: .container) { _ in Thing(tracker) }
                    _ = box?.register(Thing.self, name: "own", scope: .perContainer) { _ in Thing(tracker) }
                }
                let child = holder.withLock { $0! }.createChild()
                let root = holder.withLock { $0! }
                let wrong = Counter()
                Threads.together(3) { [root = Mutex(Optional(root))] number in
                    switch number {
                    case 0:
                        holder.withLock { $0 = nil }
                        root.withLock { $0 = nil }
                    case 1:
                        if child.resolve(Thing.self) == nil || child.resolve(Thing.self, name: "own") == nil {
                            wrong.add()
                        }
                    default:
                        let confined = child.createConfinedChild(sharing: round % 2 == 0 ? .all : .none)
                        if confined.resolve(Thing.self) == nil { wrong.add() }
                    }
                }
                #expect(wrong.value == 0)
            }
            #expect(tracker.settles(at: 0))
        }

        @Test("W5: a SendableLazy of a kept instance says that its container is gone, however the end falls")
        func lazyAtTheEnd() {
            struct Late {
                let lazy: SendableLazy<Thing>
            }
            let tracker = LifetimeTracker()
            for _ in 0..<Stress.times(200, long: 10_000) {
                let holder = Mutex<ThreadSafeContainer?>(ThreadSafeContainer())
                holder.withLock { box in
                    _ = box?.register(Thing.self) { _ in Thing(tracker) }
                    _ = box?.register(Late.self, scope: .container) { r in
                        Late(lazy: try r.require(SendableLazy<Thing>.self))
                    }
                }
                let late = holder.withLock { $0?.resolve(Late.self) }
                let wrong = Journal<String>()
                Threads.together(3) { number in
                    if number == 0 { return holder.withLock { $0 = nil } }
                    do throws(ResolutionError) {
                        _ = try late?.lazy.get()
                    } catch {
                        if error.code != .containerGone { wrong.add("\(error)") }
                    }
                }
                #expect(wrong.entries == [])
            }
            #expect(tracker.settles(at: 0))
        }

        @Test("T1: threads come and go, and each finds the container as the others left it")
        func manyThreads() {
            let tracker = LifetimeTracker()
            let box = ThreadSafeContainer()
            box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
            box.register(Int.self) { r in try r.require(Thing.self).number }
            let missing = Counter()
            for _ in 0..<Stress.times(50, long: 1_000) {
                Threads.hammer(8) { _ in if box.resolve(Int.self) != 0 { missing.add() } }
            }
            #expect(missing.value == 0)
            #expect(tracker.made == 1)
        }

        @Test("T4: a look-up that was not used holds up nothing once its thread has ended")
        func unusedLookUp() {
            let tracker = LifetimeTracker()
            let box = ThreadSafeContainer()
            box.register(Thing.self, scope: .container) { _ in Thing(tracker) }
            Threads.run { #expect(box.locate(ServiceKey(Thing.self)).isFound) }
            _ = box.resolve(Thing.self)
            box.resetObjectScope(.container)
            #expect(tracker.settles(at: 0))
        }

        @Test(
            "T4: a removed registration releases what it held once nobody builds it, also when its own factory removes it"
        )
        func removing() {
            let tracker = LifetimeTracker()
            do {
                let box = ThreadSafeContainer()
                let held = Thing(tracker)
                Threads.together(4) { number in
                    for round in 0..<Stress.times(300, long: 10_000) {
                        let name = "\(number) \(round % 7)"
                        box.register(Thing.self, name: name, scope: .container) { [weak box] r in
                            _ = held
                            box?.remove(Thing.self, name: name)
                            _ = r.resolve(Thing.self, name: name)
                            return Thing(tracker)
                        }
                        #expect(box.resolve(Thing.self, name: name) != nil)
                    }
                }
                box.removeAll()
            }
            #expect(tracker.settles(at: 0))
        }
    }
}
