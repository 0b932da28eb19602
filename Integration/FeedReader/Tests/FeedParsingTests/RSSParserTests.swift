import FeedModel
import FeedParsing
import Foundation
import Testing

@Suite("The RSS parser")
struct RSSParserTests {
    @Test("reads the parts of a channel and an item")
    func plain() throws {
        let feed = try Documents.parseRSS(
            """
            <link>https://example.org/</link>
            <item>
              <title>One</title><link>https://example.org/1</link><guid>id-1</guid>
              <author>ann@example.org</author><pubDate>Thu, 01 Jan 1970 00:01:00 GMT</pubDate>
              <description>First &lt;b&gt;words&lt;/b&gt;.</description>
            </item>
            """
        )
        #expect(feed.title == "Channel")
        #expect(feed.homePage == Documents.url("https://example.org/"))
        #expect(
            feed.items == [
                ParsedItem(
                    identifier: "id-1",
                    title: "One",
                    link: Documents.url("https://example.org/1"),
                    author: "ann@example.org",
                    summary: "First words.",
                    body: "First words.",
                    published: Date(timeIntervalSince1970: 60)
                )
            ]
        )
    }

    @Test("prefers content:encoded for the text and the description for the summary")
    func contentEncoded() throws {
        let feed = try Documents.parseRSS(
            """
            <item><guid>1</guid><description>Short.</description>
            <content:encoded><![CDATA[<p>Long</p><p>text &amp; more</p>]]></content:encoded></item>
            """,
            namespaces: #"xmlns:content="http://purl.org/rss/1.0/modules/content/""#
        )
        #expect(feed.items.first?.summary == "Short.")
        #expect(feed.items.first?.body == "Long\n\ntext & more")
    }

    @Test("reads author and date of Dublin Core, under any prefix and under an undeclared dc")
    func dublinCore() throws {
        let item = "<guid>1</guid><x:creator>Ann</x:creator><x:date>1970-01-01T00:01:00Z</x:date>"
        let declared = try Documents.parseRSS(
            "<item>\(item)</item>",
            namespaces: #"xmlns:x="http://purl.org/dc/elements/1.1/""#
        )
        let undeclared = try Documents.parseRSS("<item>\(item.replacingOccurrences(of: "x:", with: "dc:"))</item>")
        for feed in [declared, undeclared] {
            #expect(feed.items.first?.author == "Ann")
            #expect(feed.items.first?.published == Date(timeIntervalSince1970: 60))
        }
    }

    @Test("does not take the elements of extensions for its own")
    func foreignElements() throws {
        let feed = try Documents.parseRSS(
            """
            <atom:link rel="self" href="https://example.org/self"/><link>https://example.org/</link>
            <image><title>Logo</title><link>https://example.org/logo</link></image>
            <item><guid isPermaLink="false">1</guid><media:title>Wrong</media:title><title>Right</title></item>
            """,
            namespaces: #"xmlns:atom="http://www.w3.org/2005/Atom""#
        )
        #expect(feed.homePage == Documents.url("https://example.org/"))
        #expect(feed.items.first?.title == "Right")
    }

    @Test("takes the link of Atom where RSS's own is missing")
    func atomLink() throws {
        let feed = try Documents.parseRSS(
            #"<atom:link rel="alternate" href="/home"/><item><title>A</title><atom:link href="/a"/></item>"#,
            namespaces: #"xmlns:atom="http://www.w3.org/2005/Atom""#
        )
        #expect(feed.homePage == Documents.url("https://example.org/home"))
        #expect(feed.items.first?.link == Documents.url("https://example.org/a"))
    }

    @Test("resolves relative links against xml:base, else the channel's link, else the source")
    func relativeLinks() throws {
        let item = "<item><title>A</title><link>a.html</link></item>"
        let source = try Documents.parseRSS(item)
        let channel = try Documents.parseRSS("<link>https://other.example/blog/</link>\(item)")
        let base = try Documents.parseRSS(
            #"<link>https://other.example/</link><item xml:base="https://base.example/x/"><link>a.html</link></item>"#
        )
        let nested = try Documents.parseRSS(
            #"<item xml:base="sub/"><title>A</title><link xml:base="deep/">a.html</link></item>"#
        )
        #expect(source.items.first?.link == Documents.url("https://example.org/news/a.html"))
        #expect(channel.items.first?.link == Documents.url("https://other.example/blog/a.html"))
        #expect(base.items.first?.link == Documents.url("https://base.example/x/a.html"))
        #expect(nested.items.first?.link == Documents.url("https://example.org/news/sub/deep/a.html"))
    }

    @Test("resolves relative links against where the document was found, not where it was asked for")
    func redirectedBase() throws {
        var document = try Documents.document(Documents.rss("<item><title>A</title><link>a</link></item>"))
        document.baseURL = try #require(Documents.url("https://moved.example/there/feed"))
        #expect(try RSSParser().parse(document).items.first?.link == Documents.url("https://moved.example/there/a"))
    }

    @Test(
        "drops links that are not of the web",
        arguments: ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"]
    )
    func hostileLinks(link: String) throws {
        let feed = try Documents.parseRSS("<item><title>A</title><link>\(link)</link></item>")
        #expect(feed.items.map(\.link) == [nil])
    }

    @Test("lets a feed from a file point at files")
    func fileLinks() throws {
        let feed = try Documents.parseRSS("<item><title>A</title><link>a.html</link></item>", at: "/tmp/feed.xml")
        #expect(feed.items.first?.link == Documents.url("file:///tmp/a.html"))
    }

    @Test("uses a guid as the link only where it is one")
    func permalink() throws {
        let feed = try Documents.parseRSS(
            """
            <item><guid>https://example.org/p</guid></item>
            <item><guid isPermaLink="false">https://example.org/q</guid></item>
            <item><guid>khl-7</guid></item>
            """
        )
        #expect(feed.items.map(\.link) == [Documents.url("https://example.org/p"), nil, nil])
    }

    @Test("derives the same identifier each time where the guid is missing")
    func derivedIdentifier() throws {
        let items = "<item><title>A</title><link>/a</link></item><item><title>B</title><link>/a</link></item>"
        let first = try Documents.parseRSS(items + "<item><description>No title</description></item>")
        let second = try Documents.parseRSS(items + "<item><description>No title</description></item>")
        #expect(first.items.map(\.identifier) == second.items.map(\.identifier))
        #expect(Set(first.items.map(\.identifier)).count == 3)
        #expect(first.items.first?.identifier == "derived:ccb346cd7045d38d")
    }

    @Test("keeps the newest of several items with one guid")
    func duplicates() throws {
        let feed = try Documents.parseRSS(
            """
            <item><guid>1</guid><title>new</title><pubDate>02 Jan 2026 00:00 GMT</pubDate></item>
            <item><guid>1</guid><title>old</title><pubDate>01 Jan 2026 00:00 GMT</pubDate></item>
            """
        )
        #expect(feed.items.map(\.title) == ["new"])
    }

    @Test("shows the first words of an item without a title, else its link")
    func missingTitle() throws {
        let words = String(repeating: "word ", count: 40)
        let feed = try Documents.parseRSS(
            """
            <item><guid>1</guid><description>\(words)</description></item>
            <item><guid>2</guid><link>https://example.org/2</link></item>
            <item><guid>3</guid></item>
            """
        )
        #expect(feed.items.first?.title == words.prefix(79) + "…")
        #expect(feed.items.dropFirst().map(\.title) == ["https://example.org/2", "Untitled"])
    }

    @Test("leaves out an item with nothing in it")
    func emptyItem() throws {
        #expect(try Documents.parseRSS("<item/><item><title> </title></item>").items.isEmpty)
    }

    @Test("leaves the date open where there is none that can be read")
    func missingDate() throws {
        let feed = try Documents.parseRSS(
            "<item><guid>1</guid></item><item><guid>2</guid><pubDate>last Tuesday</pubDate></item>"
        )
        #expect(feed.items.map(\.published) == [nil, nil])
    }

    @Test("reads a channel without a title and without items")
    func emptyChannel() throws {
        let feed = try RSSParser().parse(Documents.document("<rss><channel/></rss>"))
        #expect(feed.title == Documents.address)
        #expect(feed.items.isEmpty)
    }

    @Test("reads a feed whose own elements are in a namespace")
    func ownNamespace() throws {
        let feed = try RSSParser().parse(
            Documents.document(
                #"<rss xmlns="http://backend.userland.com/rss2"><channel><item><title>A</title></item></channel></rss>"#
            )
        )
        #expect(feed.items.map(\.title) == ["A"])
    }

    @Test("explains that there is no channel")
    func noChannel() throws {
        let document = try Documents.document("<rss version='2.0'/>")
        #expect(throws: FeedError.incompleteFeed(document.source, reason: "there is no <channel>")) {
            try RSSParser().parse(document)
        }
    }
}
