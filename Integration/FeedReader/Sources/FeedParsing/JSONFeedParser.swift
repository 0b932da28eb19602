public import FeedModel
import Foundation

/// Reads JSON Feed 1.1 and 1.0.
public struct JSONFeedParser: FeedParser {
    /// There is nothing to set.
    public init() {}

    /// `JSON Feed`.
    public var formatName: String { "JSON Feed" }

    /// Whether it begins as a JSON object and names the format, which a feed does in its `version`.
    public func canParse(_ document: FeedDocument) -> Bool {
        let text = JSONText.decode(document.data)
        guard text.first(where: { !$0.isWhitespace }) == "{" else { return false }
        let head = text.prefix(16_384)
        // The slashes may be escaped.
        return head.contains("jsonfeed.org/version/") || head.contains(#"jsonfeed.org\/version\/"#)
    }

    /// Reads the feed. Throws `FeedError.malformedJSON`, or `incompleteFeed` if there is no list of items.
    ///
    /// A member of the wrong type counts as missing; a number for an identifier is taken as its digits.
    public func parse(_ document: FeedDocument) throws -> ParsedFeed {
        let feed = try JSONText.object(document)
        guard let items = feed["items"] as? [Any] else {
            throw FeedError.incompleteFeed(document.source, reason: "there is no list of items")
        }
        var links = LinkResolver(base: document.baseURL)
        let homePage = links.resolve(feed["home_page_url"] as? String)
        if let homePage { links.base = homePage }
        let title = PlainText.line(feed["title"] as? String ?? "")
        let author = Self.author(of: feed)
        return ParsedFeed(
            title: title.isEmpty ? document.source.description : title,
            homePage: homePage,
            items: items.compactMap { $0 as? [String: Any] }.compactMap {
                Self.item($0, feedAuthor: author, links: links)
            }
        )
    }

    private static func item(_ item: [String: Any], feedAuthor: String?, links: LinkResolver) -> ParsedItem? {
        func text(_ name: String) -> String? { item[name] as? String }
        var draft = ItemDraft(identifier: identifier(item["id"]))
        draft.title = PlainText.line(text("title") ?? "")
        draft.link = links.resolve(text("url")) ?? links.resolve(text("external_url"))
        draft.author = author(of: item) ?? feedAuthor
        draft.summary = PlainText.paragraphs(plain: text("summary") ?? "")
        draft.body =
            text("content_text").map(PlainText.paragraphs(plain:))
            ?? PlainText.paragraphs(html: text("content_html") ?? "")
        draft.published = FeedDate.parse(text("date_published")) ?? FeedDate.parse(text("date_modified"))
        return draft.finished()
    }

    private static func identifier(_ value: Any?) -> String? {
        switch value {
        case let text as String: text.isEmpty ? nil : text
        case let number as NSNumber: number.stringValue
        default: nil
        }
    }

    /// Version 1.1 has a list; version 1.0 had one.
    private static func author(of object: [String: Any]) -> String? {
        let authors = object["authors"] as? [Any] ?? [object["author"] as Any]
        let names = authors.compactMap { ($0 as? [String: Any])?["name"] as? String }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}
