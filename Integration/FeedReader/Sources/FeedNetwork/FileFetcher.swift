public import FeedModel
import Foundation

/// Reads feeds from files.
public struct FileFetcher: FeedFetcher {
    private let limits: FetchLimits

    /// Of the limits only that of the size is used.
    public init(limits: FetchLimits = FetchLimits()) {
        self.limits = limits
    }

    /// Yes for files.
    public func canFetch(_ source: FeedSource) -> Bool {
        source.kind == .file
    }

    /// Reads the file, each time. Throws `FeedError.noSuchFile`, `unreadableFile` or `tooLarge`.
    public func fetch(_ source: FeedSource, validators: CacheValidators?) async throws -> FetchOutcome {
        let path = source.description
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw FeedError.noSuchFile(path: path)
        }
        guard !isDirectory.boolValue else {
            throw FeedError.unreadableFile(path: path, reason: "it is a directory")
        }
        return .fetched(FeedDocument(data: try read(source, at: path), source: source), nil)
    }

    private func read(_ source: FeedSource, at path: String) throws -> Data {
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: source.url)
            defer { try? file.close() }
            // One byte more than allowed tells a file that is too large from one that just fits, without
            // reading it all.
            data = try file.read(upToCount: limits.bytes + 1) ?? Data()
        } catch {
            throw FeedError.unreadableFile(path: path, reason: Self.words(for: error))
        }
        guard data.count <= limits.bytes else { throw FeedError.tooLarge(source, limit: limits.bytes) }
        return data
    }

    private static func words(for error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileReadNoPermission: "there is no permission"
        case let code?: "the system reports error \(code.rawValue)"
        case nil: "\(error)"
        }
    }
}
