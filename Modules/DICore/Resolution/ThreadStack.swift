// Unsafe: what the system says of the stack of the calling thread is read as numbers, which are compared and nothing else.

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Bionic)
internal import Bionic
#else
internal import Darwin
#endif

/// The machine stack of the calling thread.
enum ThreadStack {
    /// Whether a recursion has come so far that a few more levels of the same size may use up the stack.
    ///
    /// A thread that is not the main one has 512 KB on Apple's platforms, and a level takes from half a kilobyte in release
    /// to nine in debug, without what the user's code takes. The system is asked at each fourth level only, since it takes
    /// some microseconds to answer.
    ///
    /// - Parameters:
    ///   - levels: how often the recursion has been entered.
    ///   - outermost: an address in the frame where it began.
    static func isNearlyUsed(after levels: Int, from outermost: UnsafeMutablePointer<Frame>) -> Bool {
        guard levels >= 8, levels % 4 == 0, let left = bytesLeft else { return false }
        let used = Int(bitPattern: outermost) - Int(bitPattern: here)
        // Until it is looked at again, and then for the error.
        return left < 5 * (used / levels) + reserve
    }

    /// What has to be left for the error with its path, for observers, and for what the runtime needs to make the metadata
    /// of a type, which is the most.
    private static var reserve: Int { 128 * 1024 }

    /// How much of it is left; nil where the system does not say.
    static var bytesLeft: Int? {
        #if canImport(Darwin)
        let thread = pthread_self()
        let top = UInt(bitPattern: pthread_get_stackaddr_np(thread))
        return Int(bitPattern: here) - Int(bitPattern: top - UInt(pthread_get_stacksize_np(thread)))
        #else
        var attributes = pthread_attr_t()
        guard let getAttributes, getAttributes(pthread_self(), &attributes) == 0 else { return nil }
        defer { pthread_attr_destroy(&attributes) }
        var bottom: UnsafeMutableRawPointer?
        var size = 0
        guard pthread_attr_getstack(&attributes, &bottom, &size) == 0 else { return nil }
        return Int(bitPattern: here) - Int(bitPattern: bottom)
        #endif
    }

    #if !canImport(Darwin)
    /// `pthread_getattr_np`, which the module of the C library does not have; nil in an executable without a dynamic one.
    // Unsafe: the type is that of the manual.
    private static let getAttributes = dlsym(nil, "pthread_getattr_np").map {
        unsafeBitCast(
            $0,
            to: (@convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> CInt).self
        )
    }
    #endif

    /// An address in the frame of the caller.
    @inline(never)
    private static var here: UInt {
        var place: UInt8 = 0
        return withUnsafeMutablePointer(to: &place) { UInt(bitPattern: $0) }
    }
}
