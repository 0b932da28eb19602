import Foundation

/// A value for a parameter of a statement.
package enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
}

extension SQLiteValue {
    /// A text, or null.
    static func optional(_ text: String?) -> SQLiteValue {
        text.map { .text($0) } ?? .null
    }

    /// A moment as seconds since 1970, or null.
    static func optional(_ date: Date?) -> SQLiteValue {
        date.map { .date($0) } ?? .null
    }

    /// A moment as seconds since 1970.
    static func date(_ date: Date) -> SQLiteValue {
        .real(date.timeIntervalSince1970)
    }

    /// One or zero: SQLite has no truth values.
    static func flag(_ isTrue: Bool) -> SQLiteValue {
        .integer(isTrue ? 1 : 0)
    }
}
