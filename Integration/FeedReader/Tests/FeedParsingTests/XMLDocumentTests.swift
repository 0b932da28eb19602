import FeedModel
import FeedParsing
import Foundation
import Testing

@Suite("An XML document")
struct XMLDocumentTests {
    private let item = "<rss><channel><item><title>Café – naïve</title></item></channel></rss>"

    private func titles(_ data: Data) throws -> [String] {
        let document = try Documents.document(data)
        #expect(RSSParser().canParse(document))
        return try RSSParser().parse(document).items.map(\.title)
    }

    @Test("may be followed by what does not belong to it")
    func junk() throws {
        for junk in ["<!-- 0.3 s -->", "<script>x</script>", "<junk", "\u{0}", "words & <b>more</b>"] {
            #expect(try titles(Data((item + junk).utf8)) == ["Café – naïve"])
        }
    }

    @Test("may start with a byte order mark, white space and comments")
    func beginnings() throws {
        let declared = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- <feed> --><?style x?>\n" + item
        for start in ["", "\u{FEFF}", "\n\n  ", "\u{FEFF}\r\n"] {
            #expect(try titles(Data((start + declared).utf8)) == ["Café – naïve"])
        }
    }

    @Test(
        "may be in another encoding",
        arguments: [
            ("ISO-8859-1", String.Encoding.isoLatin1), ("windows-1252", .windowsCP1252), ("UTF-16", .utf16),
            ("UTF-16", .utf16LittleEndian), ("UTF-16", .utf16BigEndian), ("utf-8", .utf8),
        ]
    )
    func encodings(name: String, encoding: String.Encoding) throws {
        let body = item.replacingOccurrences(of: "–", with: "&ndash;")
        let text = "<?xml version='1.0' encoding='\(name)'?>\(body)"
        #expect(try titles(#require(text.data(using: encoding))) == ["Café – naïve"])
    }

    @Test("that is not quite UTF-8 is read, with marks where the mistakes are")
    func brokenUTF8() throws {
        let data = Data("<rss><channel><item><title>caf".utf8) + [0xE9] + Data("!</title></item></channel></rss>".utf8)
        #expect(try titles(data) == ["caf\u{FFFD}!"])
    }

    @Test("may contain control characters, which become spaces")
    func controlCharacters() throws {
        #expect(try titles(Data("<rss><channel><item><title>a\u{0B}b</title></item></channel></rss>".utf8)) == ["a b"])
    }

    @Test("never makes the reader open a file or a connection")
    func externalEntities() throws {
        let secret = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID().uuidString)")
        try Data("SECRET".utf8).write(to: secret)
        defer { try? FileManager.default.removeItem(at: secret) }
        let text = """
            <?xml version="1.0"?>
            <!DOCTYPE rss [
              <!ENTITY leak SYSTEM "\(secret.absoluteString)"> <!ENTITY % more SYSTEM "http://127.0.0.1:1/x.dtd"> %more;
            ]>
            <rss><channel><item><title>[&leak;]</title></item></channel></rss>
            """
        #expect(try titles(Data(text.utf8)) == ["[&leak;]"])
    }

    @Test("never unfolds its own entities, so it cannot grow")
    func entityBomb() throws {
        let text = """
            <!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>
            <rss><channel><item><title>&c;</title></item></channel></rss>
            """
        #expect(try titles(Data(text.utf8)) == ["&c;"])
    }

    @Test("may have a document type, closed or not")
    func documentType() throws {
        let type = #"<!DOCTYPE rss PUBLIC "-//X//DTD RSS 0.91//EN" "http://x.example/rss.dtd">"#
        #expect(try titles(Data((type + item).utf8)) == ["Café – naïve"])
        let document = try Documents.document("<!DOCTYPE rss [ <rss>")
        #expect(throws: FeedError.self) { try RSSParser().parse(document) }
    }

    @Test(
        "that breaks off or breaks the rules says where",
        arguments: [
            ("<rss>\n<channel>\n<item><title>Hal", 3, "it breaks off inside <title>"),
            ("\n\n<rss>\n<channel>\n", 4, "it breaks off inside <channel>"),
            ("<rss>\n<channel>\n</item></channel></rss>", 3, "the end tag does not belong to <channel>"),
            ("<rss>\n<channel>\n<item", 3, "it breaks off inside <item>"),
            ("<rss>\n<channel a='1' a='2'/></rss>", 2, "an attribute is not written as it must be"),
            (
                "<?xml version='1.0' encoding='x-nowhere'?>\n<rss/>", 1, "the character encoding is not supported"
            ),
            ("<rss>\n<channel a='1'\n b", 3, "it breaks off inside <rss>"),
            ("<rss>\n<channel>\n<item><a b=c/></item></channel></rss>", 3, "an attribute is not written as it must be"),
        ]
    )
    func mistakes(text: String, line: Int, reason: String) throws {
        let document = try Documents.document(text)
        #expect(throws: FeedError.malformedXML(document.source, line: line, reason: reason)) {
            try RSSParser().parse(document)
        }
    }

    @Test("cut at any byte is an error or a feed, and never a crash")
    func everyPrefix() throws {
        let whole = Data(Documents.rss("<item><title>caf&eacute; <![CDATA[é]]></title><guid>1</guid></item>").utf8)
        for length in 0..<whole.count {
            let document = try Documents.document(whole.prefix(length))
            _ = RSSParser().canParse(document)
            #expect(throws: FeedError.self) { try RSSParser().parse(document) }
        }
    }

    @Test("nested too deeply is refused")
    func depth() throws {
        let text = "<rss><channel>" + String(repeating: "<a>", count: 5000)
        let document = try Documents.document(text)
        let reason = "more than 200 elements inside each other"
        #expect(throws: FeedError.malformedXML(document.source, line: 1, reason: reason)) {
            try RSSParser().parse(document)
        }
    }
}
