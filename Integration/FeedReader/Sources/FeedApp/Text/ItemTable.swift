package import FeedModel

/// A list of items in columns, one line each. Begins empty.
package struct ItemTable {
    private let layout: TextLayout
    private let dates: DateText
    private var rows: [Row] = []

    private struct Row {
        let mark: String
        let id: String
        let date: String
        let feed: String
        let title: String
    }

    private static let head = Row(mark: " ", id: "ID", date: "Date", feed: "Feed", title: "Title")
    private static let widestFeed = 20

    /// Takes the room there is, and how dates are written.
    package init(layout: TextLayout, dates: DateText) {
        self.layout = layout
        self.dates = dates
    }

    /// Adds a line at the end. The date of an item that has none of its own is left out.
    package mutating func add(_ item: FeedItem) {
        rows.append(
            Row(
                mark: item.isRead ? " " : "•",
                id: item.id.description,
                date: item.isDateFromFeed ? dates.short(item.date) : "–",
                feed: item.feedTitle,
                title: item.content.title
            )
        )
    }

    /// The lines, with a head.
    package var text: String {
        let rows = [Self.head] + rows
        let id = widest(rows.map(\.id))
        let date = widest(rows.map(\.date))
        let feed = min(widest(rows.map(\.feed)), Self.widestFeed)
        let title = max(10, layout.columns - (2 + id + 2 + date + 2 + feed + 2))
        return rows.map { row in
            [
                row.mark + " " + rightAligned(row.id, in: id),
                rightAligned(row.date, in: date),
                TerminalText.fitted(row.feed, to: feed),
                TerminalText.cut(row.title, to: title),
            ]
            .joined(separator: "  ")
        }
        .joined(separator: "\n")
    }

    /// Numbers and dates are short, and their last characters weigh most.
    private func rightAligned(_ text: String, in columns: Int) -> String {
        String(repeating: " ", count: columns - TerminalText.width(of: text)) + text
    }

    private func widest(_ texts: [String]) -> Int {
        texts.map(TerminalText.width).max() ?? 0
    }
}
