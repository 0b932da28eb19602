public import Foundation

/// What a parser made of one document.
public struct ParsedFeed: Hashable, Sendable {
    /// One line of plain text, never empty.
    public let title: String

    /// The web page the feed belongs to, absolute.
    public let homePage: URL?

    /// The entries in the order of the document. No two share an identifier.
    public let items: [ParsedItem]

    /// Takes what was found, repeated identifiers included.
    ///
    /// Of several entries with one identifier the one published last is kept, in the place of the first. If one
    /// of the two has no date they cannot be compared so, and the later in the document wins.
    public init(title: String, homePage: URL? = nil, items: [ParsedItem]) {
        self.title = title
        self.homePage = homePage
        self.items = Self.withoutDuplicates(items)
    }

    private static func withoutDuplicates(_ items: [ParsedItem]) -> [ParsedItem] {
        var kept: [ParsedItem] = []
        var positions: [String: Int] = [:]
        for item in items {
            guard let position = positions[item.identifier] else {
                positions[item.identifier] = kept.count
                kept.append(item)
                continue
            }
            if let old = kept[position].published, let new = item.published, new < old { continue }
            kept[position] = item
        }
        return kept
    }
}
