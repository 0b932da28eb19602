import DICore
import DILogging
import DIScopes
import DITestSupport
import DIThreadSafe
import Testing

private final class Clock: Sendable {}
private final class Store: Sendable {
    init(_ clock: Clock) {}
}

@Suite("Logging and recording for several threads")
struct ThreadsLoggingTests {
    /// Everybody who comes waits for the others.
    private final class Meeting: Sendable {
        private let count: Int
        private let arrived = Counter()
        private let gate = Gate()

        init(of count: Int) { self.count = count }

        func meet() {
            if arrived.add() == count { gate.open() }
            gate.pass()
        }
    }

    private static func withoutDurations(_ text: String) -> String {
        text.replacing(/[ ]{2}<?\d+(\.\d)? (µs|ms)/, with: "  #")
    }

    @Test("Each thread has a tree of its own, whole, while others are resolving")
    func trees() {
        let inside = Meeting(of: 4)
        let between = Meeting(of: 4)
        let journal = Journal<String>()
        let box = ThreadSafeContainer()
        box.register(Clock.self) { _ in Clock() }
        for number in 0..<4 {
            box.register(Store.self, name: "\(number)") { r in
                inside.meet()
                let clock = try r.require(Clock.self)
                between.meet()
                return Store(clock)
            }
        }
        box.addObserver(
            ContainerLogger.forThreads(level: .trace) { level, text in
                if level == .trace { journal.add(Self.withoutDurations(text)) }
            }
        )
        Threads.hammer(4) { number in _ = box.resolve(Store.self, name: "\(number)") }
        #expect(
            journal.entries.sorted()
                == (0..<4).map { number in
                    """
                    Store named "\(number)"  #
                    └─ Clock  #
                    """
                }
        )
    }

    @Test("It logs what the level asks for, and children as well")
    func levels() throws {
        func logged(_ level: LogLevel) -> [String] {
            let journal = Journal<String>()
            let box = ThreadSafeContainer()
            box.addObserver(ContainerLogger.forThreads(level: level) { level, _ in journal.add("\(level)") })
            box.register(Clock.self) { _ in Clock() }
            box.register(Clock.self) { _ in Clock() }
            let child = box.createConfinedChild()
            _ = child.resolve(Int.self)
            _ = child.resolve(Clock.self)
            return journal.entries
        }
        #expect(logged(.off) == [])
        #expect(logged(.error) == ["error"])
        #expect(logged(.warning) == ["warning", "error"])
        #expect(logged(.info) == ["info", "warning", "error"])
        // The request that failed is a tree of one line.
        #expect(logged(.trace) == ["info", "warning", "error", "trace", "trace"])
    }

    @Test("Without a sink it writes to standard error, and its level is the standard one")
    func standard() {
        let interests = ContainerLogger.forThreads().interests
        #expect(interests == ContainerLogger().interests)
    }

    @Test("One recorder sees what all threads ask for, each edge once")
    func recorder() {
        let inside = Meeting(of: 4)
        let box = ThreadSafeContainer()
        box.register(Clock.self, scope: .container) { _ in Clock() }
        for number in 0..<4 {
            box.register(Store.self, name: "\(number)") { r in
                inside.meet()
                return Store(try r.require(Clock.self))
            }
        }
        let recorder = DependencyRecorder()
        box.addObserver(recorder)
        Threads.hammer(4) { number in
            _ = box.resolve(Store.self, name: "\(number)")
            // All have met.
            _ = box.resolve(Store.self, name: "0")
        }
        let wiring = recorder.wiring
        #expect(
            wiring.edges.map { "\($0.from) → \($0.to)" }.sorted()
                == (0..<4).map { "Store named \"\($0)\" → Clock" }
        )
        #expect(wiring.constructed.count == 5)
        box.removeObserver(recorder)
        _ = box.resolve(Store.self, name: "0")
        #expect(recorder.wiring.edges.count == 4)
    }

    @Test("What was recorded in two places is put together")
    func merging() {
        func record(_ build: (Container) -> Void) -> ObservedWiring {
            let box = Container()
            box.register(Clock.self, scope: .container) { _ in Clock() }
            let recorder = DependencyRecorder()
            box.addObserver(recorder)
            build(box)
            return recorder.wiring
        }
        let first = record { box in
            box.register(Store.self) { r in Store(try r.require(Clock.self)) }
            _ = box.resolve(Store.self)
        }
        let second = record { box in
            box.register(Store.self, name: "other") { r in Store(try r.require(Clock.self)) }
            _ = box.resolve(Store.self, name: "other")
        }
        var both = first
        both.merge(second)
        both.merge(first)
        #expect(both.edges == first.edges + second.edges)
        #expect(both.constructed == first.constructed.union(second.constructed))
        #expect(both.constructed.count == 3)
    }
}
