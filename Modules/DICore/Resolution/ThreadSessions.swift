// Unsafe: the system keeps two pointers for each thread, which are unretained references to a session. Sessions of threads
// are kept for ever by the pool, so that other threads can look at their atomic fields at any time.

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
    /// The sessions that no thread has.
    private static let idle = Mutex<[IdleSession]>([])

    // Unchecked: nobody uses a session in the pool, and one thread takes it out.
    private struct IdleSession: @unchecked Sendable {
        let session: UnsafeMutablePointer<Session>
    }

    /// The slot that a lookup reads. Empty while the thread is inside of a storage, so that its requests take the slow path
    /// and leave that first; see ``StoragePlace/withStorage(_:_:)``. Read at each request, so containers have a copy.
    static let fastKey: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// The slot that has the thread's session from its first request to its end.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { stored in
            #if canImport(Darwin)
            let stored = Optional(stored)
            #endif
            guard let stored else { return }
            // What other destructors of the thread resolve needs a session of its own.
            pthread_setspecific(ThreadSessions.fastKey, nil)
            let session = stored.assumingMemoryBound(to: Session.self)
            Session.threadEnds(session)
            ThreadSessions.idle.withLock { $0.append(IdleSession(session: session)) }
        }
        return key
    }()

    /// The session of the calling thread, if a lookup may use it at once.
    @inline(__always)
    static func fast(_ key: pthread_key_t) -> UnsafeMutablePointer<Session>? {
        pthread_getspecific(key)?.assumingMemoryBound(to: Session.self)
    }

    /// The session of the calling thread, made now if it has none.
    static var current: UnsafeMutablePointer<Session> {
        if let known = pthread_getspecific(key) { return known.assumingMemoryBound(to: Session.self) }
        let session = idle.withLock { $0.popLast() }?.session ?? Session.allocateForThread()
        pthread_setspecific(key, session)
        pthread_setspecific(fastKey, session)
        return session
    }

    /// Makes the requests of the calling thread take the slow path, or lets them take the fast one again.
    static func setFast(_ session: UnsafeMutablePointer<Session>?) {
        pthread_setspecific(fastKey, session)
    }
}
