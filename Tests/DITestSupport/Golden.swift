internal import Foundation
internal import Testing

/// Texts that users read, kept in files beside the tests so that a change of one is seen.
///
///     Golden.expect("cycle-of-three", "\(error)")
///
/// The file is `Golden/cycle-of-three.txt` beside the source that asks. `UPDATE_GOLDEN=1 swift test` writes the files.
public enum Golden {
    /// Compares a text with the one in the file, places without their lines, and records an issue with the lines that
    /// differ.
    public static func expect(
        _ name: String,
        _ text: String,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) {
        let file = URL(fileURLWithPath: filePath).deletingLastPathComponent()
            .appendingPathComponent("Golden/\(name).txt")
        let text = stable(text) + "\n"
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try? FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try? text.write(to: file, atomically: true, encoding: .utf8)
        }
        let known = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        if text == known { return }
        Issue.record(
            "\(name) has changed; if that is right, run with UPDATE_GOLDEN=1\n\(difference(from: known, to: text))",
            sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        )
    }

    /// The text with the file of each place and without its line, which moves whenever a test is edited.
    public static func stable(_ text: String) -> String {
        text.replacing(#/(\w+\.swift):\d+/#) { "\($0.output.1)" }
    }

    private static func difference(from known: String, to text: String) -> String {
        let old = known.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let new = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let changes = new.difference(from: old)
        let removed = Set(changes.removals.map(\.offset))
        let inserted = Set(changes.insertions.map(\.offset))
        var lines: [String] = []
        var next = 0
        for (index, line) in old.enumerated() {
            if removed.contains(index) {
                lines.append("- \(line)")
                continue
            }
            while inserted.contains(next) {
                lines.append("+ \(new[next])")
                next += 1
            }
            lines.append("  \(line)")
            next += 1
        }
        while next < new.count {
            lines.append("+ \(new[next])")
            next += 1
        }
        return lines.joined(separator: "\n")
    }
}

extension CollectionDifference.Change {
    fileprivate var offset: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}

/// Something with a golden text, for tests over a table.
public struct GoldenCase: Sendable, CustomStringConvertible {
    /// The name of its file.
    public let description: String

    /// Makes the text.
    public let text: @Sendable () throws -> String

    /// A case with its name and how its text is made.
    public init(_ name: String, _ text: @escaping @Sendable () throws -> String) {
        description = name
        self.text = text
    }
}
