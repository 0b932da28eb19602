import FeedModel
import Foundation

/// What a feed says about one entry, before the gaps are filled. One set of rules for all formats.
struct ItemDraft {
    var identifier: String?
    /// In one line of plain text.
    var title = ""
    var link: URL?
    var author: String?
    /// Plain text of any length.
    var summary = ""
    /// Plain text of any length.
    var body = ""
    var published: Date?

    private static let summaryLength = 200
    private static let titleLength = 80

    /// The entry; nil if there is nothing in it to show.
    func finished() -> ParsedItem? {
        guard identifier != nil || link != nil || !(title + summary + body).isEmpty else { return nil }
        let body = body.isEmpty ? summary : body
        let summary = PlainText.excerpt(summary.isEmpty ? body : summary, limit: Self.summaryLength)
        let author = author.map(PlainText.line).flatMap { $0.isEmpty ? nil : $0 }
        return ParsedItem(
            identifier: identifier ?? derivedIdentifier,
            title: shownTitle(summary: summary),
            link: link,
            author: author,
            summary: summary,
            body: body,
            published: published
        )
    }

    /// Short notes have no title: their first words are shown instead.
    private func shownTitle(summary: String) -> String {
        let candidates = [title, PlainText.excerpt(summary, limit: Self.titleLength), link?.absoluteString ?? ""]
        return candidates.first { !$0.isEmpty } ?? "Untitled"
    }

    /// From what is least likely to be edited; the text only where there is nothing else.
    private var derivedIdentifier: String {
        let parts = link == nil && title.isEmpty ? [summary, body] : [link?.absoluteString ?? "", title]
        return "derived:" + StableHash.text(of: parts)
    }
}
