#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// What the process occupies.
public enum Memory {
    /// Whether the suites that measure memory are to run.
    ///
    /// The resident size belongs to the process, and other tests that run in it are noise as large as a leak. So they run
    /// alone: `DI_MEMORY_TESTS=1 swift test --no-parallel --filter Memory`.
    public static var isMeasured: Bool { getenv("DI_MEMORY_TESTS") != nil && resident != nil }

    /// The resident size in bytes, or nil where the system does not tell it in `/proc`.
    public static var resident: Int? {
        #if os(Linux)
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        guard fgets(&text, Int32(text.count), file) != nil else { return nil }
        let fields = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
            separator: " "
        )
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        #else
        return nil
        #endif
    }
}
