import FeedModel
import FeedParsing
import Foundation
import Testing

@Suite("The JSON Feed parser")
struct JSONFeedParserTests {
    @Test("reads the parts of a feed and an item")
    func plain() throws {
        let feed = try Documents.parseJSON(
            """
            { "id": "1", "url": "https://example.org/1", "title": "One < two", "summary": "Short.",
              "content_html": "<p>Long</p><p>text</p>", "date_published": "1970-01-01T00:01:00Z" }
            """,
            members: #""home_page_url": "https://example.org/", "authors": [{ "name": "Ann" }],"#
        )
        #expect(feed.title == "Feed")
        #expect(feed.homePage == Documents.url("https://example.org/"))
        #expect(
            feed.items == [
                ParsedItem(
                    identifier: "1",
                    title: "One < two",
                    link: Documents.url("https://example.org/1"),
                    author: "Ann",
                    summary: "Short.",
                    body: "Long\n\ntext",
                    published: Date(timeIntervalSince1970: 60)
                )
            ]
        )
    }

    @Test("takes numbers for identifiers and derives the missing ones")
    func identifiers() throws {
        let feed = try Documents.parseJSON(#"{ "id": 2041 }, { "id": 2.5 }, { "title": "A", "url": "/a" }, {}, 7"#)
        #expect(feed.items.map(\.identifier).prefix(2) == ["2041", "2.5"])
        #expect(feed.items.count == 3)
        #expect(feed.items.last?.identifier.hasPrefix("derived:") == true)
    }

    @Test("keeps the newest of a repeated identifier")
    func duplicates() throws {
        let feed = try Documents.parseJSON(
            """
            { "id": "1", "title": "new", "date_published": "2026-02-02" },
            { "id": "1", "title": "old", "date_published": "2026-01-01" }
            """
        )
        #expect(feed.items.map(\.title) == ["new"])
    }

    @Test("resolves relative links, takes the external one where there is no other, and no script")
    func links() throws {
        let feed = try Documents.parseJSON(
            """
            { "id": "1", "url": "a" }, { "id": "2", "external_url": "https://x.example/" },
            { "id": "3", "url": "javascript:alert(1)" }
            """,
            members: #""home_page_url": "https://home.example/blog/","#
        )
        #expect(feed.items.map(\.link?.absoluteString) == ["https://home.example/blog/a", "https://x.example/", nil])
    }

    @Test("reads the author of version 1.0, and several of version 1.1")
    func authors() throws {
        let feed = try Documents.parseJSON(
            #"{ "id": "1", "author": { "name": "A" } }, { "id": "2", "authors": [{ "name": "B" }, {}, { "name": "C" }] }"#
        )
        #expect(feed.items.map(\.author) == ["A", "B, C"])
    }

    @Test("falls back to the date of modification, else leaves it open")
    func dates() throws {
        let feed = try Documents.parseJSON(
            #"{ "id": "1", "date_modified": "1970-01-01T01:01:00+01:00" }, { "id": "2", "date_published": "soon" }"#
        )
        #expect(feed.items.map(\.published) == [Date(timeIntervalSince1970: 60), nil])
    }

    @Test("overlooks members of the wrong type")
    func wrongTypes() throws {
        let feed = try Documents.parseJSON(
            #"{ "id": "1", "title": 7, "url": null, "authors": "Ann", "content_text": "Text", "summary": [] }"#
        )
        #expect(feed.items.map(\.title) == ["Text"])
    }

    @Test("drops the escape codes of a terminal")
    func controlCharacters() throws {
        let feed = try Documents.parseJSON(#"{ "id": "1", "title": "red\u001b[31m alert\u0007" }"#)
        #expect(feed.items.map(\.title) == ["red [31m alert"])
    }

    @Test("reads a byte order mark, UTF-16 and escaped slashes")
    func encodings() throws {
        let text = Documents.json(#"{ "id": "1", "title": "é" }"#).replacingOccurrences(of: "/", with: #"\/"#)
        let utf16 = try #require(text.data(using: .utf16))
        for data in [Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8), utf16, Data("\n  \(text)".utf8)] {
            let document = try Documents.document(data)
            #expect(JSONFeedParser().canParse(document))
            #expect(try JSONFeedParser().parse(document).items.map(\.title) == ["é"])
        }
    }

    @Test("says in which line a feed breaks off or goes wrong")
    func malformed() throws {
        let whole = "{\n\"version\": \"https://jsonfeed.org/version/1.1\",\n\"items\": [\n{ \"id\": \"1\" }"
        let truncated = try Documents.document(whole)
        #expect(throws: FeedError.malformedJSON(truncated.source, line: 4, reason: "it breaks off")) {
            try JSONFeedParser().parse(truncated)
        }
        let wrong = try Documents.document(whole + ",\n oops ]}")
        #expect(
            throws: FeedError.malformedJSON(
                wrong.source,
                line: 5,
                reason: "there is something that does not belong there"
            )
        ) {
            try JSONFeedParser().parse(wrong)
        }
    }

    @Test("explains that there are no items")
    func noItems() throws {
        let document = try Documents.document(#"{ "version": "https://jsonfeed.org/version/1.1", "title": "x" }"#)
        #expect(throws: FeedError.incompleteFeed(document.source, reason: "there is no list of items")) {
            try JSONFeedParser().parse(document)
        }
    }
}
