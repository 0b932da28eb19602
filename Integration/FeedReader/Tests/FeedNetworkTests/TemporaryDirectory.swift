import Foundation

/// A directory of its own for one test, removed with it.
final class TemporaryDirectory: Sendable {
    private let url = FileManager.default.temporaryDirectory.appending(path: "FeedReader-\(UUID().uuidString)")

    init() {
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file that need not be there.
    func path(_ name: String) -> String {
        url.appending(path: name).path(percentEncoded: false)
    }

    /// Writes a file and says where.
    func file(_ name: String, containing data: Data) throws -> String {
        let path = path(name)
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }
}
