// Unsafe: the system keeps one pointer for each thread. It is an unretained reference to a session, and sessions are
// kept for ever by the pool.

internal import DICore
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

/// Gives each thread a session of its own, and that of a thread that has ended to the next one.
enum ThreadSessions {
    private static let idle = Mutex<[PooledSession]>([])

    // Unchecked: in the pool nobody uses it, and one thread takes it out.
    private struct PooledSession: @unchecked Sendable {
        let session: Unmanaged<ResolutionSession>
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        // Called when a thread ends, with what it had stored.
        pthread_key_create(&key) { stored in
            #if canImport(Darwin)
            let stored = Optional(stored)
            #endif
            guard let stored else { return }
            let session = PooledSession(session: Unmanaged.fromOpaque(stored))
            ThreadSessions.idle.withLock { $0.append(session) }
        }
        return key
    }()

    /// Calls the body with the session of the calling thread.
    @inline(__always)
    static func withCurrent<Result>(_ body: (ResolutionSession) -> Result) -> Result {
        guard let stored = pthread_getspecific(key) else { return body(begin()) }
        return Unmanaged<ResolutionSession>.fromOpaque(stored)._withUnsafeGuaranteedRef(body)
    }

    static var current: ResolutionSession { withCurrent { $0 } }

    @inline(never)
    private static func begin() -> ResolutionSession {
        let pooled = idle.withLock { $0.popLast() } ?? PooledSession(session: .passRetained(.forThread()))
        pthread_setspecific(key, pooled.session.toOpaque())
        return pooled.session.takeUnretainedValue()
    }
}
