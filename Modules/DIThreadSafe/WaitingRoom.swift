internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Bionic)
internal import Bionic
#else
internal import Darwin
#endif

/// The one lock of all threads that decide who builds what, and a place for each to sleep at.
///
/// The standard library has a mutex, but nothing that lets a thread sleep until another one is done.
final class WaitingRoom: @unchecked Sendable {
    // Unchecked and unsafe: the system's mutex lives at one address for ever, as its functions demand.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() {
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }

    func unlock() { pthread_mutex_unlock(mutex) }

    /// Where one thread sleeps. The lock is free meanwhile.
    final class Bed {
        // Unsafe: lives at one address, like the mutex.
        private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        private let room: WaitingRoom

        init(_ room: WaitingRoom) {
            self.room = room
            condition.initialize(to: pthread_cond_t())
            pthread_cond_init(condition, nil)
        }

        deinit {
            pthread_cond_destroy(condition)
            condition.deallocate()
        }

        /// Sleeps until somebody calls ``wake()``, or for a time. Only inside the lock.
        func sleep(for time: Duration?) {
            guard let time else {
                pthread_cond_wait(condition, room.mutex)
                return
            }
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            // Who sleeps looks again anyway, and the clock has an end.
            let (seconds, attoseconds) = min(time, .seconds(86_400)).components
            let nanoseconds = Int64(now.tv_nsec) + attoseconds / 1_000_000_000
            var end = timespec()
            end.tv_sec = now.tv_sec + Int(seconds) + Int(nanoseconds / 1_000_000_000)
            end.tv_nsec = Int(nanoseconds % 1_000_000_000)
            pthread_cond_timedwait(condition, room.mutex, &end)
        }

        /// Ends the sleep. Only inside the lock.
        func wake() { pthread_cond_signal(condition) }
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
