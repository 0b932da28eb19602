import FeedModel
import Foundation
import Testing

@Suite("A parsed feed with a repeated identifier")
struct ParsedFeedTests {
    private func item(_ title: String, identifier: String = "same", day: Int? = nil) -> ParsedItem {
        ParsedItem(
            identifier: identifier,
            title: title,
            published: day.map { Date(timeIntervalSince1970: Double($0) * 86_400) }
        )
    }

    @Test("keeps the entry published last, wherever it stands")
    func newest() {
        #expect(ParsedFeed(title: "F", items: [item("a", day: 2), item("b", day: 1)]).items.map(\.title) == ["a"])
        #expect(ParsedFeed(title: "F", items: [item("a", day: 1), item("b", day: 2)]).items.map(\.title) == ["b"])
    }

    @Test("keeps the last entry if dates do not decide")
    func last() {
        #expect(ParsedFeed(title: "F", items: [item("a"), item("b")]).items.map(\.title) == ["b"])
        #expect(ParsedFeed(title: "F", items: [item("a", day: 3), item("b")]).items.map(\.title) == ["b"])
        #expect(ParsedFeed(title: "F", items: [item("a", day: 1), item("b", day: 1)]).items.map(\.title) == ["b"])
    }

    @Test("keeps the order of the rest")
    func order() {
        let items = [item("a"), item("x", identifier: "other"), item("b")]
        #expect(ParsedFeed(title: "F", items: items).items.map(\.title) == ["b", "x"])
    }
}
