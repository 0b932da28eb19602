import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import DIWrappers
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ThreadStressTests {
    /// What belongs to one thread while others are busy around it.
    @Suite("Stress: what is confined is released where it belongs")
    struct ForeignLifetimeStressTests {
        private static let elsewhere = Atomic<Int>(0)

        private final class Confined {
            private let thread = pthread_self()
            deinit { if pthread_equal(thread, pthread_self()) == 0 { elsewhere.add(1, ordering: .relaxed) } }
        }

        private final class Missing: Sendable {}
        private final class Part: Sendable { let values = [1, 2, 3] }

        @Test(
            "T13: no thread releases the confined child of another one, also where requests fail",
            arguments: [false, true]
        )
        func confinedChildren(isFailing: Bool) {
            let root = ThreadSafeContainer()
            Self.elsewhere.store(0, ordering: .relaxed)
            Threads.hammer(2) { number in
                for _ in 0..<Stress.times(20_000, long: 1_000_000) {
                    if isFailing, number == 0 {
                        _ = try? root.require(Missing.self)
                        continue
                    }
                    let child = root.createConfinedChild()
                    child.register(Confined.self, scope: .container) { _ in Confined() }
                    _ = child.resolve(Confined.self)
                }
            }
            #expect(Self.elsewhere.load(ordering: .relaxed) == 0)
        }

        @Test("T13: an entry that is given another scope after a view was made is one for threads")
        func scopeAfterTheView() {
            let container = Container()
            let entry = container.register(Part.self, scope: .container) { _ in Part() }
            let view = container.synchronize()
            entry.inObjectScope(.container)
            // Unsafe: a container that has views takes their lock.
            nonisolated(unsafe) let shared = container
            let isOver = Atomic<Bool>(false)
            Threads.hammer(2) { number in
                if number == 0 {
                    for _ in 0..<Stress.times(20_000, long: 1_000_000) { shared.resetObjectScope(.container) }
                    return isOver.store(true, ordering: .relaxed)
                }
                while !isOver.load(ordering: .relaxed) { #expect(view.resolve(Part.self)?.values.count == 3) }
            }
        }

        private final class Whole: Sendable {}
        private final class Early: Sendable {
            let whole: Whole
            init(_ whole: Whole) { self.whole = whole }
        }
        private struct Thrown: Error {}

        @Test("T12: a thread that joins a graph is not given what another one may still fail to finish")
        func joinedGraph() {
            let box = ThreadSafeContainer()
            let graph = GraphIdentifier()
            let inside = Gate()
            let isFailing = Atomic<Bool>(true)
            box.register(Early.self) { r in Early(try r.require(Whole.self)) }
            box.register(Whole.self, scope: .container) { _ in Whole() }.initCompleted { r, _ in
                guard isFailing.exchange(false, ordering: .relaxed) else { return }
                let early = try r.withObjectGraph(graph) { try $0.require(Early.self) }
                inside.open()
                usleep(20_000)
                withExtendedLifetime(early) {}
                throw Thrown()
            }
            Threads.hammer(2) { number in
                if number == 0 {
                    #expect(box.resolve(Whole.self) == nil)
                } else {
                    inside.pass()
                    let early = box.withObjectGraph(graph) { $0.resolve(Early.self) }
                    #expect(early == nil || early?.whole === box.resolve(Whole.self))
                }
            }
        }
    }
}
