package import FeedModel
import Foundation

/// One item, to be read.
package struct ItemPage {
    private let layout: TextLayout
    private let dates: DateText

    /// Takes the room there is, and how dates are written.
    package init(layout: TextLayout, dates: DateText) {
        self.layout = layout
        self.dates = dates
    }

    /// The title, where it is from, and the text.
    package func text(of item: FeedItem) -> String {
        let date = dates.long(item.date)
        let origin = [item.feedTitle, item.content.author, item.isDateFromFeed ? date : "first seen \(date)"]
        var lines = wrapped(item.content.title)
        lines += wrapped(origin.compactMap(\.self).joined(separator: " · "))
        // Whole, however long: whoever copies it needs all of it.
        if let link = item.content.link { lines.append(TerminalText.clean(link.absoluteString)) }
        if !item.content.body.isEmpty { lines += [""] + wrapped(item.content.body) }
        return lines.joined(separator: "\n")
    }

    private func wrapped(_ text: String) -> [String] {
        TerminalText.wrapped(text, to: layout.columns)
    }
}
