import FeedApp
import FeedModel
import Foundation
import Testing

@Suite("Text for the terminal")
struct TextTests {
    @Test("is filled up or cut to its columns, wide characters counted as two")
    func fitted() {
        #expect(TerminalText.fitted("tide", to: 6) == "tide  ")
        #expect(TerminalText.fitted("tides", to: 5) == "tides")
        #expect(TerminalText.fitted("tide table", to: 6) == "tide… ")
        #expect(TerminalText.fitted("tide-table", to: 6) == "tide-…")
        #expect(TerminalText.fitted("潮汐表", to: 6) == "潮汐表")
        #expect(TerminalText.fitted("潮汐表です", to: 6) == "潮汐… ")
        #expect(TerminalText.width(of: "café 🌊") == 7)
    }

    @Test("loses what would act on the terminal")
    func clean() {
        #expect(TerminalText.clean("a\u{1B}[31mb\u{7}\u{202E}c\u{9B}d\n") == "a[31mbcd")
    }

    @Test("is broken between words, and keeps its paragraphs")
    func wrapped() {
        #expect(
            TerminalText.wrapped("Counted: 12 squares\n\nunbreakablewords here", to: 10)
                == ["Counted:", "12 squares", "", "unbreakablewords", "here"]
        )
    }
}

@Suite("Dates")
struct DateTextTests {
    private let dates = DateText(
        clock: FixedDateProvider(),
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt
    )

    @Test("have a day in this year, and a year in any other")
    func short() {
        #expect(dates.short(TestApp.date) == "16 Mar")
        #expect(dates.short(TestApp.date - 100 * 86_400) == "Dec 2025")
        #expect(dates.short(TestApp.date + 300 * 86_400) == "Jan 2027")
    }

    @Test("have the time in full, where the reader is")
    func long() {
        #expect(dates.long(TestApp.date) == "16 Mar 2026, 12:00")
        let elsewhere = DateText(
            clock: FixedDateProvider(),
            locale: Locale(identifier: "en_US_POSIX"),
            timeZone: TimeZone(secondsFromGMT: 13 * 3600) ?? .gmt
        )
        #expect(elsewhere.long(TestApp.date) == "17 Mar 2026, 01:00")
    }
}

@Suite("Items")
struct ItemTextTests {
    private let layout = TextLayout(columns: 60)
    private let dates = DateText(
        clock: FixedDateProvider(),
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt
    )

    private func item(
        _ id: Int64,
        _ title: String,
        feed: String = "Tides",
        published: Date? = TestApp.date,
        isRead: Bool = false,
        body: String = ""
    ) -> FeedItem {
        FeedItem(
            id: FeedItem.ID(rawValue: id),
            feedTitle: feed,
            content: ParsedItem(
                identifier: "\(id)",
                title: title,
                link: URL(string: "https://example.org/\(id)"),
                author: "The Secretary",
                body: body,
                published: published
            ),
            date: published ?? TestApp.date,
            isRead: isRead
        )
    }

    @Test("are listed in columns, one line each")
    func table() {
        var table = ItemTable(layout: layout, dates: dates)
        table.add(item(7, "Spring tides: 5.4 m on the 20th, and a bus that does not wait"))
        table.add(item(112, "Read before", published: TestApp.date - 200 * 86_400, isRead: true))
        table.add(item(3, "No date, \u{1B}[1mbold", feed: "Kestrel Hill Observatory — Night Log", published: nil))
        #expect(
            table.text == """
                   ID      Date  Feed                  Title
                •   7    16 Mar  Tides                 Spring tides: 5.4 m…
                  112  Aug 2025  Tides                 Read before
                •   3         –  Kestrel Hill Observ…  No date, [1mbold
                """
        )
    }

    @Test("are listed with the head alone if there are none")
    func emptyTable() {
        #expect(ItemTable(layout: layout, dates: dates).text == "  ID  Date  Feed  Title")
    }

    @Test("are shown with their origin and their text")
    func page() {
        let page = ItemPage(layout: TextLayout(columns: 30), dates: dates)
        let body = "High water at 06:42 and 19:03.\n\nKeep off the causeway."
        #expect(
            page.text(of: item(7, "Spring tides: 5.4 m on the 20th", body: body)) == """
                Spring tides: 5.4 m on the
                20th
                Tides · The Secretary · 16 Mar
                2026, 12:00
                https://example.org/7

                High water at 06:42 and 19:03.

                Keep off the causeway.
                """
        )
    }

    @Test("without a date say when they were first seen")
    func undatedPage() {
        let page = ItemPage(layout: TextLayout(columns: 80), dates: dates)
        #expect(
            page.text(of: item(7, "Driftwood", published: nil)) == """
                Driftwood
                Tides · The Secretary · first seen 16 Mar 2026, 12:00
                https://example.org/7
                """
        )
    }
}
