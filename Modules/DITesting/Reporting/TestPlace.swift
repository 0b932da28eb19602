internal import Testing
internal import XCTest

/// Where an assertion stands in the source of a test, and the way of its failures to whoever runs that test.
///
/// The parts are `StaticString`s because XCTest takes nothing else, and parts because a default of Swift Testing's own
/// type would ask every client to import Testing.
struct TestPlace: Sendable {
    private let fileID: StaticString
    private let filePath: StaticString
    private let line: UInt
    private let column: UInt

    init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// Fails the test that is running.
    ///
    /// Inside a test of Swift Testing it is told, and nobody else. Where there is none, a test of XCTest may be running,
    /// or a thread that Swift Testing cannot connect with its test. No question tells which, but each runner drops what
    /// is told while it is not running, so both are told: the failure is seen once, and never lost.
    func fail(_ text: String) {
        if Test.current == nil { XCTFail(text, file: filePath, line: line) }
        Issue.record(
            Comment(rawValue: text),
            sourceLocation: SourceLocation(
                fileID: "\(fileID)",
                filePath: "\(filePath)",
                line: Int(line),
                column: Int(column)
            )
        )
    }
}
