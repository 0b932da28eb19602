import FeedModel
import FeedParsing
import Foundation
import Testing

@Suite("The Atom parser")
struct AtomParserTests {
    @Test("reads the parts of a feed and an entry")
    func plain() throws {
        let feed = try Documents.parseAtom(
            """
            <link rel="self" href="/self"/><link href="https://example.org/"/><author><name>Ann</name></author>
            <entry>
              <id>urn:1</id><title>One</title><link href="https://example.org/1"/>
              <published>1970-01-01T00:01:00Z</published><updated>1970-01-02T00:00:00Z</updated>
              <summary>Short.</summary><content type="html">&lt;p&gt;Long&lt;/p&gt;</content>
            </entry>
            """
        )
        #expect(feed.title == "Feed")
        #expect(feed.homePage == Documents.url("https://example.org/"))
        #expect(
            feed.items == [
                ParsedItem(
                    identifier: "urn:1",
                    title: "One",
                    link: Documents.url("https://example.org/1"),
                    author: "Ann",
                    summary: "Short.",
                    body: "Long",
                    published: Date(timeIntervalSince1970: 60)
                )
            ]
        )
    }

    @Test("chooses the alternate link, HTML before other types, and never another relation")
    func links() throws {
        func link(_ links: String) throws -> URL? {
            try Documents.parseAtom("<entry><id>1</id>\(links)</entry>").items.first?.link
        }
        #expect(
            try link(
                """
                <link rel="enclosure" href="/e"/><link rel="alternate" type="application/json" href="/j"/>
                <link rel="alternate" type="text/html" href="/h"/><link href="/later"/>
                """
            ) == Documents.url("https://example.org/h")
        )
        #expect(
            try link(#"<link rel="alternate" type="application/pdf" href="/p"/>"#)
                == Documents.url("https://example.org/p")
        )
        #expect(
            try link(#"<link rel="http://www.iana.org/assignments/relation/alternate" href="/i"/>"#)
                == Documents.url("https://example.org/i")
        )
        #expect(try link(#"<link rel="edit" href="/edit"/><link rel="self" href="/self"/>"#) == nil)
        #expect(try link(#"<content type="video/ogg" src="/v"/>"#) == Documents.url("https://example.org/v"))
    }

    @Test("resolves links against the nearest xml:base")
    func base() throws {
        let feed = try Documents.parseAtom(
            """
            <link href="./"/>
            <entry><id>1</id><link href="a"/></entry>
            <entry xml:base="https://two.example/x/"><id>2</id><link href="a"/></entry>
            <entry xml:base="sub/"><id>3</id><link href="a"/></entry>
            """,
            attributes: #"xml:base="https://one.example/blog/""#
        )
        #expect(feed.homePage == Documents.url("https://one.example/blog/"))
        #expect(
            feed.items.map(\.link?.absoluteString) == [
                "https://one.example/blog/a", "https://two.example/x/a", "https://one.example/blog/sub/a",
            ]
        )
    }

    @Test(
        "reads texts as what they say they are",
        arguments: [
            (#"<title>1 &lt; 2 &amp; &amp;lt;b></title>"#, "1 < 2 & &lt;b>"),
            (#"<title type="text"> A  title </title>"#, "A title"),
            (#"<title type="html">The &lt;b>bold&lt;/b> caf&amp;eacute;</title>"#, "The bold café"),
            (#"<title type="html">Fish &amp;amp;amp; Chips</title>"#, "Fish & Chips"),
            (
                #"<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <i>very</i> flat &lt;b></div></title>"#,
                "A very flat <b>"
            ),
            (#"<title><![CDATA[In CDATA & plain]]></title>"#, "In CDATA & plain"),
        ]
    )
    func titles(xml: String, expected: String) throws {
        #expect(try Documents.parseAtom("<entry><id>1</id>\(xml)</entry>").items.first?.title == expected)
    }

    @Test("keeps the paragraphs of XHTML content and leaves out its scripts")
    func xhtml() throws {
        let feed = try Documents.parseAtom(
            """
            <entry><id>1</id><content type="xhtml"><h:div xmlns:h="http://www.w3.org/1999/xhtml">
              <h:p>One<h:br/>two</h:p><h:script>no</h:script><h:p>Three &amp; four</h:p>
            </h:div></content></entry>
            """
        )
        #expect(feed.items.first?.body == "One\ntwo\n\nThree & four")
        #expect(feed.items.first?.summary == "One two Three & four")
    }

    @Test("keeps the lines of plain content")
    func plainContent() throws {
        let feed = try Documents.parseAtom("<entry><id>1</id><content>One\ntwo\n\nthree</content></entry>")
        #expect(feed.items.first?.body == "One\ntwo\n\nthree")
    }

    @Test("does not show data as text")
    func binary() throws {
        let feed = try Documents.parseAtom(
            #"<entry><id>1</id><title>T</title><content type="image/png">aGVsbG8=</content></entry>"#
        )
        #expect(feed.items.first?.body == "")
    }

    @Test("uses the date of the update where that of publication is missing")
    func updated() throws {
        let feed = try Documents.parseAtom(
            "<entry><id>1</id><updated>1970-01-01T00:01:00Z</updated></entry><entry><id>2</id></entry>"
        )
        #expect(feed.items.map(\.published) == [Date(timeIntervalSince1970: 60), nil])
    }

    @Test("names all authors, the feed's where an entry has none")
    func authors() throws {
        let feed = try Documents.parseAtom(
            """
            <author><name>Feed</name></author><entry><id>1</id></entry>
            <entry><id>2</id><author><name>A</name></author><author><name>B</name></author></entry>
            """
        )
        #expect(feed.items.map(\.author) == ["Feed", "A, B"])
    }

    @Test("derives an identifier where there is none, and keeps the newest of a repeated one")
    func identifiers() throws {
        let feed = try Documents.parseAtom(
            """
            <entry><title>A</title><link href="/a"/></entry>
            <entry><id>x</id><title>new</title><updated>2026-02-02</updated></entry>
            <entry><id>x</id><title>old</title><updated>2026-01-01</updated></entry>
            """
        )
        #expect(feed.items.map(\.title) == ["A", "new"])
        #expect(feed.items.first?.identifier.hasPrefix("derived:") == true)
    }

    @Test("reads a feed that writes Atom with a prefix")
    func prefixed() throws {
        let feed = try AtomParser().parse(
            Documents.document(
                """
                <a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>P</a:title>
                <a:entry><a:id>1</a:id><a:title>One</a:title></a:entry></a:feed>
                """
            )
        )
        #expect(feed.title == "P")
        #expect(feed.items.map(\.title) == ["One"])
    }

    @Test("explains that a feed element of another vocabulary is not its own")
    func otherNamespace() throws {
        let document = try Documents.document("<feed xmlns='urn:other'/>")
        let reason = "<feed> is not in the namespace of Atom"
        #expect(throws: FeedError.incompleteFeed(document.source, reason: reason)) {
            try AtomParser().parse(document)
        }
    }
}
