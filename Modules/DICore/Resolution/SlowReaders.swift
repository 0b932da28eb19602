// Readers are over so soon that no stress test notices when nothing protects them: what they look at is hardly ever freed
// in between. With `-Xswiftc -DDI_SLOW_READERS` they take a break between finding something and holding it, as if the
// system had taken the processor away. The check with the thread sanitizer builds so; nothing else does.

#if DI_SLOW_READERS
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

private let breaks = Atomic<UInt>(0)

/// Lets others run, now and then for long enough to free what the caller has found.
@usableFromInline
func pauseReader() {
    if breaks.wrappingAdd(1, ordering: .relaxed).newValue % 64 == 0 { usleep(50) }
}
#else
/// Nothing.
@inlinable
@inline(__always)
func pauseReader() {}
#endif
