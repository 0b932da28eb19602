/// Takes the text that the program writes.
package protocol TextOutput: Sendable {
    /// Writes one or more lines. Add the last line end; throw if the text cannot be written.
    func write(_ text: String) throws
}

extension TextOutput {
    /// Writes a text that ends its last line itself.
    func writeLines(_ text: String) throws {
        try write(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
}

/// The names of the outputs. The one without a name is for what was asked for.
package enum OutputName {
    /// For what went wrong.
    package static let errors = "errors"
}
