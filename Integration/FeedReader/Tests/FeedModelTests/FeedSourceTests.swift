import FeedModel
import Foundation
import Testing

@Suite("A feed source")
struct FeedSourceTests {
    @Test(
        "takes web addresses, files and samples",
        arguments: [
            ("https://example.org/feed.xml", FeedSource.Kind.web, "https://example.org/feed.xml"),
            ("  http://example.org  ", .web, "http://example.org"),
            ("file:///tmp/feed.xml", .file, "/tmp/feed.xml"),
            ("/tmp/my feeds/a.xml", .file, "/tmp/my feeds/a.xml"),
            ("/tmp/x/../a.xml", .file, "/tmp/a.xml"),
            ("sample:bakery", .sample, "sample:bakery"),
        ]
    )
    func kinds(text: String, kind: FeedSource.Kind, description: String) throws {
        let source = try FeedSource(text)
        #expect(source.kind == kind)
        #expect(source.description == description)
    }

    @Test("takes a path from where the program runs")
    func relativePath() throws {
        let source = try FeedSource("feeds/a.xml")
        #expect(source.kind == .file)
        #expect(source.description == FileManager.default.currentDirectoryPath + "/feeds/a.xml")
    }

    @Test("is the same in another spelling of the host, and with a fragment")
    func normalForm() throws {
        #expect(try FeedSource("HTTPS://Example.ORG/Feed#top") == FeedSource("https://example.org/Feed"))
        #expect(try FeedSource("https://example.org/feed") != FeedSource("https://example.org/Feed"))
    }

    @Test(
        "can be made again from its address",
        arguments: ["https://example.org/a?b=c", "/tmp/a b.xml", "sample:tides"]
    )
    func roundTrip(text: String) throws {
        let source = try FeedSource(text)
        #expect(try FeedSource(url: source.url) == source)
        #expect(try FeedSource(url: #require(URL(string: source.url.absoluteString))) == source)
    }

    @Test(
        "refuses what nobody can fetch",
        arguments: ["", "ftp://example.org/feed", "gopher://example.org", "https://"]
    )
    func unsupported(text: String) {
        #expect(throws: FeedError.unsupportedAddress(text)) { try FeedSource(text) }
    }
}
