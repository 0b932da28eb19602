import FeedModel
import Foundation
import Testing

@Suite("The message of an error")
struct FeedErrorTests {
    @Test("names the thing, what is wrong, and the way out")
    func messages() throws {
        let web = try FeedSource("https://example.org/feed")
        let golden: [(FeedError, String)] = [
            (.unsupportedAddress("x://y"), "x://y: not a web address (https://…) nor the path of a file."),
            (.unsupportedAddress(""), "An empty text: not a web address (https://…) nor the path of a file."),
            (.noFetcher(web), "https://example.org/feed: nothing here reads sources of this kind."),
            (
                .unknownSample(try FeedSource("sample:x"), known: ["a", "b"]),
                "sample:x: no such sample; there are a, b."
            ),
            (.noSuchFile(path: "/a/b"), "/a/b: no such file."),
            (.unreadableFile(path: "/a", reason: "it is a directory"), "/a: cannot be read: it is a directory."),
            (
                .httpStatus(web, code: 404),
                "https://example.org/feed: the server answered HTTP status 404 (not found)."
            ),
            (.httpStatus(web, code: 418), "https://example.org/feed: the server answered HTTP status 418."),
            (.timedOut(web, seconds: 20), "https://example.org/feed: no complete answer within 20 s."),
            (.timedOut(web, seconds: 0.5), "https://example.org/feed: no complete answer within 0.5 s."),
            (
                .connectionFailed(web, reason: "nothing answers there"),
                "https://example.org/feed: the connection failed: nothing answers there."
            ),
            (.tooLarge(web, limit: 10), "https://example.org/feed: larger than the limit of 10 bytes."),
            (.notAFeed(web, found: "it is a web page"), "https://example.org/feed: not a feed: it is a web page."),
            (
                .malformedXML(web, line: 7, reason: "it breaks off"),
                "https://example.org/feed: broken XML in line 7: it breaks off."
            ),
            (
                .malformedJSON(web, line: 2, reason: "it breaks off"),
                "https://example.org/feed: broken JSON in line 2: it breaks off."
            ),
            (
                .malformedJSON(web, line: nil, reason: "it breaks off"),
                "https://example.org/feed: broken JSON: it breaks off."
            ),
            (
                .incompleteFeed(web, reason: "there is no <channel>"),
                "https://example.org/feed: not a complete feed: there is no <channel>."
            ),
            (
                .sqliteMissing(names: ["a.so", "b.so"], reason: "no such file"),
                "The SQLite library (a.so, b.so) cannot be loaded: no such file."
            ),
            (.notADatabase(path: "/db"), "/db: not a database; the file was left as it is."),
            (.foreignDatabase(path: "/db"), "/db: a database of another program; the file was left as it is."),
            (
                .databaseTooNew(path: "/db", version: 3, supported: 1),
                "/db: written by a newer version of this reader (format 3, this one knows 1)."
            ),
            (.databaseFailed(path: "/db", reason: "disk full"), "/db: the database failed: disk full."),
            (.unknownItem("17"), "17: no item of this number; the list shows the numbers there are."),
            (.unknownFeed(web), "https://example.org/feed: no such feed; add it first."),
        ]
        for (error, message) in golden {
            #expect(error.description == message)
            #expect(error.localizedDescription == message)
            #expect(!message.contains("\n"))
        }
    }

    @Test("is what a typed text gets that is no number of an item", arguments: ["", "x", "-1", "0", "1.5"])
    func itemNumbers(text: String) {
        #expect(throws: FeedError.unknownItem(text)) { try FeedItem.ID(text) }
    }

    @Test("is not needed for a number")
    func itemNumber() throws {
        #expect(try FeedItem.ID("17").rawValue == 17)
    }
}
