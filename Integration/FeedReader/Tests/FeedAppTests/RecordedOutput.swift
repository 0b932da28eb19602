import FeedApp
import Synchronization

/// An output that remembers what was written.
final class RecordedOutput: TextOutput {
    private let texts = Mutex<[String]>([])

    func write(_ text: String) {
        texts.withLock { $0.append(text) }
    }

    /// All of it, with a line end after each text but the last.
    var text: String { texts.withLock { $0.joined(separator: "\n") } }

    var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
