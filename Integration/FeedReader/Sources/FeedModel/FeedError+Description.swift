public import Foundation

extension FeedError: CustomStringConvertible {
    /// One line: the thing, then what is wrong with it, then a way out where there is one.
    public var description: String {
        switch self {
        case .unsupportedAddress(let text):
            "\(text.isEmpty ? "An empty text" : text): not a web address (https://…) nor the path of a file."
        case .noFetcher(let source):
            "\(source): nothing here reads sources of this kind."
        case .unknownSample(let source, let known):
            "\(source): no such sample; there are \(known.joined(separator: ", "))."
        case .noSuchFile(let path):
            "\(path): no such file."
        case .unreadableFile(let path, let reason):
            "\(path): cannot be read: \(reason)."
        case .httpStatus(let source, let code):
            "\(source): the server answered HTTP status \(code)\(Self.meaning(ofStatus: code))."
        case .timedOut(let source, let seconds):
            "\(source): no complete answer within \(seconds.formatted(.number.locale(.init(identifier: "en")))) s."
        case .connectionFailed(let source, let reason):
            "\(source): the connection failed: \(reason)."
        case .tooLarge(let source, let limit):
            "\(source): larger than the limit of \(limit) bytes."
        case .notAFeed(let source, let found):
            "\(source): not a feed: \(found)."
        case .malformedXML(let source, let line, let reason):
            "\(source): broken XML in line \(line): \(reason)."
        case .malformedJSON(let source, let line, let reason):
            "\(source): broken JSON\(line.map { " in line \($0)" } ?? ""): \(reason)."
        case .incompleteFeed(let source, let reason):
            "\(source): not a complete feed: \(reason)."
        case .sqliteMissing(let names, let reason):
            "The SQLite library (\(names.joined(separator: ", "))) cannot be loaded: \(reason)."
        case .notADatabase(let path):
            "\(path): not a database; the file was left as it is."
        case .foreignDatabase(let path):
            "\(path): a database of another program; the file was left as it is."
        case .databaseTooNew(let path, let version, let supported):
            "\(path): written by a newer version of this reader (format \(version), this one knows \(supported))."
        case .databaseFailed(let path, let reason):
            "\(path): the database failed: \(reason)."
        case .unknownItem(let text):
            "\(text): no item of this number; the list shows the numbers there are."
        case .unknownFeed(let source):
            "\(source): no such feed; add it first."
        }
    }

    private static func meaning(ofStatus code: Int) -> String {
        switch code {
        case 401, 403: " (access denied)"
        case 404: " (not found)"
        case 410: " (gone for good)"
        case 429: " (asked too often)"
        case 500...599: " (trouble on the server)"
        default: ""
        }
    }
}

extension FeedError: LocalizedError {
    /// The same line as `description`, for code that knows only `Error`.
    public var errorDescription: String? { description }
}
