import DICore
import DITestSupport
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A thread of the fuzz: its random numbers, where it is, and what is its own.
// Unchecked: used by its thread alone, but for `stack`, which is behind a lock, and between rounds by the first one.
final class FuzzWorker: @unchecked Sendable {
    let index: Int
    var random: SeededRandom
    /// The graph that is running, as far as is known.
    var graph: Int?
    var confined: [Int: FuzzBox] = [:]
    var results: [FuzzItem] = []

    /// What it has counted since the last round.
    private var tally = Array(repeating: 0, count: FuzzLedger.Count.allCases.count)
    private var scopes = Array(repeating: 0, count: FuzzScope.allCases.count)

    private var depth = 0
    private let stack = Mutex<[(place: FuzzWiring.Place, isCallback: Bool)]>([])
    private let command = Atomic<Int>(-1)

    init(_ index: Int, seed: UInt64) {
        self.index = index
        random = SeededRandom(seed: seed &+ UInt64(index) &* 0x1234_5678_9ABC)
    }

    // MARK: The one of the calling thread

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    static var current: FuzzWorker {
        Unmanaged<FuzzWorker>.fromOpaque(pthread_getspecific(key)!).takeUnretainedValue()
    }

    /// Makes it the one of the calling thread. The caller holds it.
    func begin() { pthread_setspecific(FuzzWorker.key, Unmanaged.passUnretained(self).toOpaque()) }

    // MARK: Where it is

    func enter(_ place: FuzzWiring.Place, isCallback: Bool) {
        depth += 1
        stack.withLock { $0.append((place, isCallback)) }
    }

    func leave() {
        depth -= 1
        stack.withLock { _ = $0.popLast() }
    }

    /// Whether no factory and no callback of this thread is running, and no request of it waits for another thread.
    var isOutside: Bool { depth == 0 }

    func whileWaiting(_ body: () -> Void) {
        depth += 1
        body()
        depth -= 1
    }

    func notes(command: Int) { self.command.store(command, ordering: .relaxed) }

    var position: String {
        let stack = stack.withLock { $0 }
        let frames = stack.map { "\($0.place.entry)@\($0.place.context)\($0.isCallback ? " callback" : "")" }
        return "thread \(index), command \(command.load(ordering: .relaxed)), in [\(frames.joined(separator: ", "))]"
    }

    /// Lets go of them outside of the array: their deinits may act.
    func dropResults() {
        let dropped = results
        results = []
        withExtendedLifetime(dropped) {}
    }

    // MARK: Counting

    func count(_ what: FuzzLedger.Count, _ number: Int = 1) { tally[what.rawValue] += number }

    func countBuilt(_ scope: FuzzScope) { scopes[scope.rawValue] += 1 }

    func tell(_ ledger: FuzzLedger) { ledger.add(&tally, scopes: &scopes) }

    // MARK: Chance

    var isHeads: Bool { random.next() & 3 == 0 }

    /// Gives other threads a chance, of random length.
    func pause() {
        let choice = random.next() % 64
        switch choice {
        case 0..<24: break
        case 24..<44: sched_yield()
        case 44..<62: spin(Int(random.next() % 400))
        default: usleep(UInt32(random.next() % 30))
        }
    }

    private func spin(_ times: Int) {
        for _ in 0..<times { _ = command.load(ordering: .sequentiallyConsistent) }
    }
}
