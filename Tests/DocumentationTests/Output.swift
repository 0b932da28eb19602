import Foundation
import Synchronization
import Testing

/// Texts that depend on where a sample stands or how long it took, as the documents show them.
enum Output {
    /// Only one test at a time writes into the documents.
    private static let writing = Mutex(())

    /// The block of the documents that is labelled `output:` and the name shows exactly this text.
    ///
    /// `UPDATE_GOLDEN=1 swift test` writes the text into the block.
    static func expect(
        _ name: String,
        _ text: String,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) throws {
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try writing.withLock { _ in try Documents.write(text, inBlockLabelled: "output: \(name)") }
        }
        let shown = try Documents.block(labelled: "output: \(name)")
        #expect(shown == text, "\(name)", sourceLocation: sourceLocation)
    }

    /// The text of an error with `App.swift` and no line for each place of a registration.
    static func withoutPlaces(_ error: any Error) -> String {
        withoutPlaces("\(error)")
    }

    /// A text with `App.swift` and no line for each place of a registration.
    static func withoutPlaces(_ text: String) -> String {
        text.replacing(#/DocumentationTests/\w+\.swift:\d+/#, with: "App/Services.swift")
    }

    /// A text with the same duration everywhere.
    static func withoutDurations(_ text: String) -> String {
        text.replacing(#/<?\d+(\.\d+)? (µs|ms)/#, with: "12 µs")
    }
}
