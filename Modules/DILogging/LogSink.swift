#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Bionic)
internal import Bionic
#else
internal import Darwin
#endif

/// Takes what is logged: one text of one or more lines at a time.
public typealias LogSink = (_ level: LogLevel, _ text: String) -> Void

/// Sinks that are ready to use.
public enum LogSinks {
    /// Writes to standard error, each text in one piece.
    public static func standardError(_ level: LogLevel, _ text: String) {
        let line = Array("[di] \(level): \(text)\n".utf8)
        var written = 0
        while written < line.count {
            let count = line[written...].withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            written += count
        }
    }
}
