public import FeedModel
import Foundation

/// Reads RSS 2.0 and its predecessors with the same root element, 0.91 and 0.92.
///
/// Of the extensions it knows those that say what RSS itself cannot: `content:encoded`, `dc:date`, `dc:creator` and
/// `atom:link`.
public struct RSSParser: FeedParser {
    /// There is nothing to set.
    public init() {}

    /// `RSS`.
    public var formatName: String { "RSS" }

    /// Whether the root element is `rss`.
    public func canParse(_ document: FeedDocument) -> Bool {
        MarkupReader.rootName(of: document.data) == "rss"
    }

    /// Reads the channel. Throws `FeedError.malformedXML`, or `incompleteFeed` if there is no channel.
    public func parse(_ document: FeedDocument) throws -> ParsedFeed {
        let root = try MarkupReader.read(document)
        // Some feeds put their own elements into a namespace: then the root is in it as well.
        guard let channel = root.first("channel", in: root.namespace) else {
            throw FeedError.incompleteFeed(document.source, reason: "there is no <channel>")
        }
        var links = LinkResolver(base: document.baseURL)
        let homePage = Self.link(of: channel, links: links)
        if let homePage { links.base = homePage }
        let title = PlainText.title(html: channel.first("title", in: channel.namespace)?.text ?? "")
        return ParsedFeed(
            title: title.isEmpty ? document.source.description : title,
            homePage: homePage,
            items: channel.all("item", in: channel.namespace).compactMap { Self.item($0, links: links) }
        )
    }

    private static func item(_ element: MarkupElement, links: LinkResolver) -> ParsedItem? {
        func text(_ name: String, in namespace: String? = nil) -> String? {
            element.first(name, in: namespace ?? element.namespace)?.trimmedText
        }
        let guid = element.first("guid", in: element.namespace)
        let description = PlainText.paragraphs(html: text("description") ?? "")
        var draft = ItemDraft(identifier: guid?.trimmedText)
        draft.title = PlainText.title(html: text("title") ?? "")
        draft.link = link(of: element, links: links) ?? guid.flatMap { permalink($0, links: links) }
        draft.author = (text("creator", in: Namespace.dublinCore) ?? text("author")).map(PlainText.title)
        draft.summary = description
        draft.body = PlainText.paragraphs(html: text("encoded", in: Namespace.content) ?? "")
        draft.published = FeedDate.parse(text("pubDate")) ?? FeedDate.parse(text("date", in: Namespace.dublinCore))
        return draft.finished()
    }

    private static func link(of element: MarkupElement, links: LinkResolver) -> URL? {
        for link in element.all("link", in: element.namespace) {
            if let url = links.resolve(link.trimmedText, base: link.base) { return url }
        }
        return AtomLink.alternate(of: element, links: links)
    }

    /// A guid is a link unless it says otherwise, and often without being one: a relative one is taken for a name.
    private static func permalink(_ guid: MarkupElement, links: LinkResolver) -> URL? {
        guard guid.attributes["isPermaLink"] != "false", let text = guid.trimmedText, text.contains("://") else {
            return nil
        }
        return links.resolve(text)
    }
}
