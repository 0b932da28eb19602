#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Bionic)
internal import Bionic
#else
internal import Darwin
#endif

/// A lock that can be waited at: the standard library has a mutex, but nothing that lets a thread sleep until another
/// one is done.
final class ThreadGate {
    // Unsafe: both live at one address from `init` to `deinit`, as the system's functions demand.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    @inline(__always)
    func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Sleeps until somebody calls ``wakeAll()``; the lock is free meanwhile. Only inside ``withLock(_:)``.
    func wait() {
        pthread_cond_wait(condition, mutex)
    }

    /// Wakes all that sleep here. Only inside ``withLock(_:)``.
    func wakeAll() {
        pthread_cond_broadcast(condition)
    }
}

/// Tells threads apart while they run.
struct ThreadIdentity: Equatable {
    private let handle: pthread_t

    static var current: ThreadIdentity { ThreadIdentity(handle: pthread_self()) }

    static func == (left: ThreadIdentity, right: ThreadIdentity) -> Bool {
        pthread_equal(left.handle, right.handle) != 0
    }
}
