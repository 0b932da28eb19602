public import Foundation

/// One entry of a feed as its parser understood it.
public struct ParsedItem: Hashable, Sendable {
    /// Names the entry within its feed, across refreshes: the feed's own identifier or one derived from the entry.
    public var identifier: String

    /// One line of plain text, never empty.
    public var title: String

    /// The page to read, absolute.
    public var link: URL?

    /// Who wrote it.
    public var author: String?

    /// The start of the text in one line, for a listing. May be empty.
    public var summary: String

    /// The whole text; paragraphs are separated by an empty line. May be empty.
    public var body: String

    /// When it was published, if the feed says so in a way that can be understood.
    public var published: Date?

    /// Takes every field.
    public init(
        identifier: String,
        title: String,
        link: URL? = nil,
        author: String? = nil,
        summary: String = "",
        body: String = "",
        published: Date? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.link = link
        self.author = author
        self.summary = summary
        self.body = body
        self.published = published
    }
}
