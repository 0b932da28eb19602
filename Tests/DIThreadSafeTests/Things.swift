import DICore
import DITestSupport
import DIThreadSafe

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An object that a tracker counts, for any thread.
final class Thing: Sendable {
    private let token: Token
    let number: Int

    init(_ tracker: LifetimeTracker, _ number: Int = 0) {
        token = Token(tracker)
        self.number = number
    }

    private final class Token: @unchecked Sendable {
        // Unchecked: it is only counted.
        let tracked: Tracked
        init(_ tracker: LifetimeTracker) { tracked = Tracked(tracker) }
    }
}

/// One of a pair that complete each other.
final class Node: @unchecked Sendable {
    // Unchecked: set by its factory or callback, before anybody else has it, which is what is tested; read after.
    let name: String
    var other: Node?
    var another: Node?
    var isDone = false

    init(_ name: String, other: Node? = nil) {
        self.name = name
        self.other = other
    }

    /// Without it the two would hold each other for ever.
    func part() {
        other = nil
        another = nil
    }
}

/// Calls a closure at its end.
final class Farewell: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    deinit { body() }
}

struct Broken: Error {}

extension LifetimeTracker {
    /// Whether so many objects are left once all that is let go of has been released.
    ///
    /// That is at once unless some thread is reading or building at this moment, which in the process of the tests are
    /// those of other tests as well. What they hold up is released by the next one that looks, here by a container that
    /// ends. A leak stays.
    func settles(at count: Int) -> Bool {
        for _ in 0..<5_000 {
            if alive == count { return true }
            _ = ThreadSafeContainer()
            usleep(1_000)
        }
        return false
    }
}
