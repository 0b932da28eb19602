/// How much is logged. Each level includes those before it.
public enum LogLevel: Int, Comparable, Sendable, CaseIterable {
    /// Nothing.
    case off
    /// Requests that failed.
    case error
    /// Registrations that were replaced, too.
    case warning
    /// Registrations that were added and removed and scopes that were reset, too.
    case info
    /// A tree of each resolve, too: what was built, what was reused, and how long it took; and overrides that a parent's
    /// service passed over.
    case trace

    /// Whether the left one logs less.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }

    /// ``warning`` where this module was built for debugging, ``off`` in release.
    public static var standard: LogLevel {
        #if DEBUG
        .warning
        #else
        .off
        #endif
    }
}
