import FeedModel
import FeedParsing
import Foundation

/// Short ways to write documents.
enum Documents {
    static let address = "https://example.org/news/feed.xml"

    static func document(_ data: Data, at address: String = address) throws -> FeedDocument {
        FeedDocument(data: data, source: try FeedSource(address))
    }

    static func document(_ text: String, at address: String = address) throws -> FeedDocument {
        try document(Data(text.utf8), at: address)
    }

    /// An RSS channel with this inside.
    static func rss(_ channel: String, namespaces: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" \(namespaces)><channel><title>Channel</title>\(channel)</channel></rss>
        """
    }

    /// An Atom feed with this inside.
    static func atom(_ content: String, attributes: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <feed xmlns="http://www.w3.org/2005/Atom" \(attributes)><title>Feed</title>\(content)</feed>
        """
    }

    /// A JSON Feed with these items.
    static func json(_ items: String, members: String = "") -> String {
        """
        { "version": "https://jsonfeed.org/version/1.1", "title": "Feed", \(members) "items": [\(items)] }
        """
    }

    static func parseRSS(_ channel: String, namespaces: String = "", at address: String = address) throws -> ParsedFeed
    {
        try RSSParser().parse(document(rss(channel, namespaces: namespaces), at: address))
    }

    static func parseAtom(_ content: String, attributes: String = "") throws -> ParsedFeed {
        try AtomParser().parse(document(atom(content, attributes: attributes)))
    }

    static func parseJSON(_ items: String, members: String = "") throws -> ParsedFeed {
        try JSONFeedParser().parse(document(json(items, members: members)))
    }

    static func url(_ text: String) -> URL? { URL(string: text) }
}
