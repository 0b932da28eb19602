import Foundation

/// The current row of a statement; only valid inside the closure it is passed to.
package struct SQLiteRow {
    let library: SQLiteLibrary
    let handle: OpaquePointer

    /// The number in a column; zero for null.
    package func integer(_ column: Int32) -> Int64 {
        library.integerColumn(handle, column)
    }

    /// The text in a column; nil for null.
    package func optionalText(_ column: Int32) -> String? {
        guard let start = library.textColumn(handle, column) else { return nil }
        let bytes = UnsafeBufferPointer(start: start, count: Int(library.columnByteCount(handle, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text in a column; empty for null.
    package func text(_ column: Int32) -> String {
        optionalText(column) ?? ""
    }

    /// The moment in a column; nil for null.
    func optionalDate(_ column: Int32) -> Date? {
        guard library.columnType(handle, column) != SQLiteCode.nullColumn else { return nil }
        return Date(timeIntervalSince1970: library.realColumn(handle, column))
    }

    /// The URL in a column; nil for null.
    func optionalURL(_ column: Int32) -> URL? {
        optionalText(column).flatMap { URL(string: $0) }
    }
}
