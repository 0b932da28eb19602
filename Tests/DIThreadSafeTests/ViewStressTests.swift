import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import DIWrappers
import Synchronization
import Testing

extension ThreadStressTests {
    @Suite("Stress: synchronised views")
    struct ViewStressTests {
        @Test(
            "T6: sixteen threads with a view of a plain container share instances that are built once",
            arguments: [
                ObjectScope.container, .weak, .perContainer, .plain,
            ]
        )
        func once(scope: ObjectScope) {
            for _ in 0..<Stress.times(50, long: 1_000) {
                let box = Container()
                let tracker = LifetimeTracker()
                box.register(Thing.self, scope: scope) { _ in Thing(tracker) }
                let view = box.synchronize()
                let seen = Journal<Thing>()
                Threads.together(16) { _ in
                    for _ in 0..<4 {
                        if let thing = view.resolve(Thing.self) { seen.add(thing) }
                    }
                }
                #expect(tracker.made == 1)
                #expect(seen.entries.count == 64)
            }
        }

        private struct Pair: Sendable {
            let first: Thing
            let second: Thing
        }

        @Test("T6: a view builds graphs, collections and misses on several threads, each graph apart")
        func everything() {
            let tracker = LifetimeTracker()
            do {
                let box = Container()
                box.register(Thing.self) { _ in Thing(tracker) }
                box.register(Pair.self) { r in Pair(first: try r.require(Thing.self), second: try r.require(Thing.self))
                }
                box.register(Thing.self, name: "late", scope: .container) { _ in Thing(tracker) }
                box.register(Int.self) { (_, number: Int) in number }
                for number in 0..<3 { box.contribute(Thing.self) { _ in Thing(tracker, number) } }
                let view = box.synchronize()
                let graphs = Journal<ObjectIdentifier>()
                let kept = Journal<Thing>()
                let wrong = Journal<String>()
                Threads.together(6) { number in
                    for _ in 0..<Stress.times(100, long: 5_000) {
                        if let pair = view.resolve(Pair.self) {
                            if pair.first !== pair.second { wrong.add("two in a graph") }
                            kept.add(pair.first)
                            graphs.add(ObjectIdentifier(pair.first))
                        } else {
                            wrong.add("no pair")
                        }
                        if view.resolve(Int.self, argument: number) != number { wrong.add("another's argument") }
                        if view.resolveAll(Thing.self).map(\.number) != [0, 1, 2] { wrong.add("collection") }
                        if view.resolve(Thing.self, name: "never") != nil { wrong.add("never") }
                        do throws(ResolutionError) {
                            _ = try view.require(String.self)
                            wrong.add("a miss is found")
                        } catch {
                            // What other threads are building is not on the path.
                            if error.path.count != 1 { wrong.add("\(error.path)") }
                        }
                        if view.resolve(Thing?.self, name: "late") as? Thing == nil { wrong.add("no optional") }
                    }
                }
                #expect(wrong.entries == [])
                #expect(Set(graphs.entries).count == graphs.entries.count)
            }
            #expect(tracker.settles(at: 0))
        }

        private final class Late: Sendable {
            let lazy: SendableLazy<Thing>
            let provider: SendableProvider<Pair>

            init(_ lazy: SendableLazy<Thing>, _ provider: SendableProvider<Pair>) {
                self.lazy = lazy
                self.provider = provider
            }
        }

        @Test(
            "T6: a SendableLazy and a SendableProvider that a view has made are as safe as the view",
            arguments: [
                ObjectScope.graph, .container, .transient,
            ]
        )
        func late(scope: ObjectScope) throws {
            for _ in 0..<Stress.times(20, long: 500) {
                let box = Container()
                let tracker = LifetimeTracker()
                box.register(Thing.self) { _ in Thing(tracker) }
                box.register(Pair.self) { r in Pair(first: try r.require(Thing.self), second: try r.require(Thing.self))
                }
                box.register(Late.self, scope: scope) { r in
                    Late(try r.require(SendableLazy<Thing>.self), try r.require(SendableProvider<Pair>.self))
                }
                let view = box.synchronize()
                let late = try view.require(Late.self)
                let seen = Journal<ObjectIdentifier>()
                let wrong = Counter()
                Threads.together(8) { number in
                    for _ in 0..<10 {
                        seen.add(ObjectIdentifier(late.lazy.instance))
                        let pair = late.provider.instance
                        if pair.first !== pair.second || pair.first === late.lazy.instance { wrong.add() }
                        if number < 2, view.resolve(Pair.self) == nil { wrong.add() }
                    }
                }
                #expect(Set(seen.entries).count == 1)
                #expect(wrong.value == 0)
            }
        }

        @Test("T6: a view joins the graph that is running on its thread, and no other")
        func joins() throws {
            let tracker = LifetimeTracker()
            let box = Container()
            let view = box.synchronize()
            let inside = Gate()
            box.register(Thing.self) { _ in Thing(tracker) }
            box.register(Pair.self) { r in
                let first = try r.require(Thing.self)
                inside.open()
                // The gate is held: the other thread gets its own graph after this one.
                return Pair(first: first, second: try view.require(Thing.self))
            }
            let other = Journal<Thing>()
            let pair = Journal<Pair>()
            Threads.run([
                { if let built = view.resolve(Pair.self) { pair.add(built) } },
                {
                    inside.pass()
                    if let thing = view.resolve(Thing.self) { other.add(thing) }
                },
            ])
            let built = try #require(pair.entries.first)
            #expect(built.first === built.second)
            #expect(other.entries.count == 1 && other.entries[0] !== built.first)
        }
    }
}
