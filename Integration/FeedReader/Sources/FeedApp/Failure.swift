import DICore
import Foundation

/// An error as the person at the terminal gets to see it.
struct Failure {
    /// One line.
    let text: String

    /// Whether it was the command line, or what it asked for.
    let exitCode: ExitCode

    /// Looks through the container: what counts is why a service could not be made, not for whom. What the container
    /// itself finds wrong is a fault of the program, of which the first line has to do here.
    init(_ error: any Error) {
        let cause = (error as? ResolutionError)?.underlying ?? error
        let lines = "\(cause)".split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        let line =
            cause is ResolutionError
            ? "\(lines.first ?? ""); feeds doctor says more."
            : lines.joined(separator: " ")
        text = TerminalText.clean(line)
        exitCode = cause is UsageError ? .usage : .failure
    }
}
