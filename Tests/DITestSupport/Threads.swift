#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Threads of the system with a stack of a known size, joined before the call returns.
public enum Threads {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs the body on one thread and waits for it.
    public static func run(stack: Int = 8 << 20, _ body: @escaping @Sendable () -> Void) {
        hammer(1, stack: stack) { _ in body() }
    }

    /// Runs the body on several threads at once, each with its number, and waits for all.
    public static func hammer(_ count: Int, stack: Int = 1 << 20, _ body: @escaping @Sendable (Int) -> Void) {
        var handles: [pthread_t] = []
        for number in 0..<count {
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            pthread_attr_setstacksize(&attributes, stack)
            let context = Unmanaged.passRetained(Body { body(number) }).toOpaque()
            var handle = pthread_t()
            let status = pthread_create(
                &handle,
                &attributes,
                { context in
                    Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
                    return nil
                },
                context
            )
            precondition(status == 0, "no thread could be made: \(status)")
            pthread_attr_destroy(&attributes)
            handles.append(handle)
        }
        for handle in handles { pthread_join(handle, nil) }
    }

    /// Runs the body on several threads, none of which begins before all are there.
    public static func together(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let arrived = Counter()
        let start = Gate()
        hammer(count) { number in
            if arrived.add() == count { start.open() }
            start.pass()
            body(number)
        }
    }

    /// Runs each body on a thread of its own and waits for all.
    public static func run(_ bodies: [@Sendable () -> Void]) {
        hammer(bodies.count) { bodies[$0]() }
    }
}

/// A door that threads wait at until it is opened.
public final class Gate: @unchecked Sendable {
    // Unchecked: everything is inside the mutex; it and the condition stay at one address for life.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isOpen = false

    public init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Lets everybody through, now and from here on.
    public func open() {
        pthread_mutex_lock(mutex)
        isOpen = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Returns when the gate is open.
    public func pass() {
        pthread_mutex_lock(mutex)
        while !isOpen { pthread_cond_wait(condition, mutex) }
        pthread_mutex_unlock(mutex)
    }
}
