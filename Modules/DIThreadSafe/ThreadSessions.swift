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

    /// The slot of the system. Whoever asks for each request keeps a copy: reading a global costs as much as using it.
    static let key: pthread_key_t = {
        var key = pthread_key_t()
        // Called when a thread ends, with what it had stored.
        pthread_key_create(&key) { stored in
            #if canImport(Darwin)
            let stored = Optional(stored)
            #endif
            guard let stored else { return }
            let session = PooledSession(session: Unmanaged.fromOpaque(stored))
            session.session._withUnsafeGuaranteedRef { $0.threadEnds() }
            ThreadSessions.idle.withLock { $0.append(session) }
        }
        return key
    }()

    /// The session of the calling thread, if it has one yet.
    @inline(__always)
    static func known(_ key: pthread_key_t) -> Unmanaged<ResolutionSession>? {
        pthread_getspecific(key).map { Unmanaged.fromOpaque($0) }
    }

    static var current: ResolutionSession {
        if known(key) == nil { begin() }
        return known(key)!.takeUnretainedValue()
    }

    /// Gives the calling thread a session.
    @inline(never)
    static func begin() {
        let pooled = idle.withLock { $0.popLast() } ?? PooledSession(session: .passRetained(.forThread()))
        pthread_setspecific(key, pooled.session.toOpaque())
    }
}
