import Foundation

/// The standard output of the process.
struct StandardOutput: TextOutput {
    /// Throws `OutputError` if the text cannot be written, to a full disk for example.
    func write(_ text: String) throws {
        try FileHandle.standardOutput.writeLine(text)
    }
}

/// The standard error of the process.
struct StandardError: TextOutput {
    /// Throws `OutputError` if the text cannot be written.
    func write(_ text: String) throws {
        try FileHandle.standardError.writeLine(text)
    }
}

/// The output was cut off.
struct OutputError: Error, CustomStringConvertible {
    /// What is wrong.
    var description: String { "the output cannot be written." }
}

extension FileHandle {
    fileprivate func writeLine(_ text: String) throws {
        do {
            try write(contentsOf: Data((text + "\n").utf8))
        } catch {
            throw OutputError()
        }
    }
}
