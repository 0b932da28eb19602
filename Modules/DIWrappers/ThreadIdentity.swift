#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Bionic)
internal import Bionic
#else
internal import Darwin
#endif

/// Tells threads apart while they run.
struct ThreadIdentity: Equatable {
    private let handle: pthread_t

    static var current: ThreadIdentity { ThreadIdentity(handle: pthread_self()) }

    static func == (left: ThreadIdentity, right: ThreadIdentity) -> Bool {
        pthread_equal(left.handle, right.handle) != 0
    }
}
