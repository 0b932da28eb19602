public import FeedModel
import Foundation

/// Finds the parser for a document.
///
///     let detector = FeedDetector(parsers: [RSSParser(), AtomParser(), JSONFeedParser()])
///     let feed = try detector.parse(document)
///
/// The content decides: what servers say about the type of a feed is wrong too often.
public struct FeedDetector: Sendable {
    private let parsers: [any FeedParser]

    /// Takes the parsers there are; the first that recognises a document gets it.
    public init(parsers: [any FeedParser]) {
        self.parsers = parsers
    }

    /// The parser for a document. Throws `FeedError.notAFeed` with what the document looks like instead.
    public func parser(for document: FeedDocument) throws -> any FeedParser {
        guard let parser = parsers.first(where: { $0.canParse(document) }) else {
            throw FeedError.notAFeed(document.source, found: Self.impression(of: document.data))
        }
        return parser
    }

    /// Reads a document with the parser for it.
    public func parse(_ document: FeedDocument) throws -> ParsedFeed {
        try parser(for: document).parse(document)
    }

    private static func impression(of data: Data) -> String {
        if let root = MarkupReader.rootName(of: data) {
            return root.lowercased() == "html" ? "it is a web page" : "it is XML of another kind (<\(root)>)"
        }
        let text = JSONText.decode(data.prefix(1024))
        return switch text.first(where: { !$0.isWhitespace }) {
        case nil: "it is empty"
        case "{", "[": "it is JSON of another kind"
        case "<": "it begins as XML and has no element"
        default: "it is neither XML nor JSON"
        }
    }
}
