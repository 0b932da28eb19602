public import FeedModel
import Foundation

/// Reads Atom 1.0.
public struct AtomParser: FeedParser {
    /// There is nothing to set.
    public init() {}

    /// `Atom`.
    public var formatName: String { "Atom" }

    /// Whether the root element is `feed`.
    public func canParse(_ document: FeedDocument) -> Bool {
        MarkupReader.rootName(of: document.data) == "feed"
    }

    /// Reads the feed. Throws `FeedError.malformedXML`, or `incompleteFeed` if the elements are not those of Atom.
    public func parse(_ document: FeedDocument) throws -> ParsedFeed {
        let root = try MarkupReader.read(document)
        guard root.namespace == Namespace.atom else {
            throw FeedError.incompleteFeed(document.source, reason: "<feed> is not in the namespace of Atom")
        }
        var links = LinkResolver(base: document.baseURL)
        let homePage = AtomLink.alternate(of: root, links: links)
        if let homePage { links.base = homePage }
        let title = AtomText.line(root.first("title", in: Namespace.atom))
        let author = Self.author(of: root)
        return ParsedFeed(
            title: title.isEmpty ? document.source.description : title,
            homePage: homePage,
            items: root.all("entry", in: Namespace.atom).compactMap {
                Self.item($0, feedAuthor: author, links: links)
            }
        )
    }

    private static func item(_ entry: MarkupElement, feedAuthor: String?, links: LinkResolver) -> ParsedItem? {
        func date(_ name: String) -> Date? {
            FeedDate.parse(entry.first(name, in: Namespace.atom)?.trimmedText)
        }
        let content = entry.first("content", in: Namespace.atom)
        var draft = ItemDraft(identifier: entry.first("id", in: Namespace.atom)?.trimmedText)
        draft.title = AtomText.line(entry.first("title", in: Namespace.atom))
        // Content that lives elsewhere is the best there is to read if the entry has no page.
        draft.link =
            AtomLink.alternate(of: entry, links: links)
            ?? content.flatMap { links.resolve($0.attributes["src"], base: $0.base) }
        draft.author = author(of: entry) ?? feedAuthor
        draft.summary = AtomText.paragraphs(entry.first("summary", in: Namespace.atom))
        draft.body = AtomText.paragraphs(content)
        draft.published = date("published") ?? date("updated")
        return draft.finished()
    }

    /// All of them, with commas.
    private static func author(of element: MarkupElement) -> String? {
        let names = element.all("author", in: Namespace.atom).compactMap {
            $0.first("name", in: Namespace.atom)?.trimmedText
        }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}
