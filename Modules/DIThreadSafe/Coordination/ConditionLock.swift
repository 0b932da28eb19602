#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Bionic)
internal import Bionic
#else
internal import Darwin
#endif

/// A mutex with a state that it guards, and condition variables to sleep at.
///
/// The standard library has a mutex, but no condition variable.
final class ConditionLock<State>: @unchecked Sendable {
    // Unchecked and unsafe: the state is read and written inside the mutex alone. The system's mutex lives at one address
    // for ever, as its functions demand.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var state: State

    init(_ state: State) {
        self.state = state
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&state)
    }

    /// Sleeps until the condition is signalled or a time is over, unlocked meanwhile, unless the state says that there is
    /// no reason to. Wakes for no reason, too.
    func sleep(at condition: Condition, for time: Duration?, while isNeeded: (inout State) -> Bool) {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if isNeeded(&state) { condition.wait(mutex, for: time) }
    }
}

/// A condition variable whose times do not count while the system sleeps, and are not moved when its clock is set.
final class Condition: @unchecked Sendable {
    // Unchecked and unsafe: lives at one address, like the mutex, and the system does the rest.
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        condition.initialize(to: pthread_cond_t())
        #if canImport(Darwin)
        pthread_cond_init(condition, nil)
        #else
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Wakes the thread that sleeps here.
    func signal() { pthread_cond_signal(condition) }

    fileprivate func wait(_ mutex: UnsafeMutablePointer<pthread_mutex_t>, for time: Duration?) {
        guard let time else {
            pthread_cond_wait(condition, mutex)
            return
        }
        // The sleeper looks again anyway, and the clock has an end.
        let (seconds, attoseconds) = max(.zero, min(time, .seconds(86_400))).components
        var end = timespec()
        #if canImport(Darwin)
        end.tv_sec = Int(seconds)
        end.tv_nsec = Int(attoseconds / 1_000_000_000)
        pthread_cond_timedwait_relative_np(condition, mutex, &end)
        #else
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = Int64(end.tv_nsec) + attoseconds / 1_000_000_000
        end.tv_sec += Int(seconds) + Int(nanoseconds / 1_000_000_000)
        end.tv_nsec = Int(nanoseconds % 1_000_000_000)
        pthread_cond_timedwait(condition, mutex, &end)
        #endif
    }
}

/// A lock that the thread which is inside may enter again.
final class RecursiveLock: @unchecked Sendable {
    // Unchecked and unsafe: as above; the system does the rest.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() {
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }

    func unlock() { pthread_mutex_unlock(mutex) }
}
