import FeedModel
import Foundation
import Testing

@Suite("The text of an RSS title and description")
struct TitleTextTests {
    @Test(
        "is plain whatever it was wrapped in",
        arguments: [
            ("Fish &amp; Chips", "Fish & Chips"),
            ("Fish &amp;amp; Chips", "Fish & Chips"),
            ("Fish &amp;amp;amp; Chips", "Fish & Chips"),
            ("Fish & Chips", "Fish & Chips"),
            ("AT&T; ?a=1&copy=2", "AT&T; ?a=1&copy=2"),
            ("caf&eacute; &mdash; na&iuml;ve", "café — naïve"),
            ("caf&amp;eacute;", "café"),
            ("It&#8217;s &#x2019;ere, isn&#146;t it", "It’s ’ere, isn’t it"),
            ("It&amp;#8217;s", "It’s"),
            ("&lt;b&gt;Bold&lt;/b&gt; news", "Bold news"),
            ("&amp;lt;b&amp;gt;Bold&amp;lt;/b&amp;gt; news", "Bold news"),
            ("The &amp;lt;b&amp;gt; tag", "The <b> tag"),
            ("<![CDATA[<i>One</i> &amp; two]]>", "One & two"),
            ("<![CDATA[Raw &eacute; and & and <]]>", "Raw é and & and <"),
            ("1 &lt; 2 and 3 > 2, I &lt;3 it", "1 < 2 and 3 > 2, I <3 it"),
            ("  spread\n   over\tlines ", "spread over lines"),
            ("a&nbsp;b", "a b"),
            ("&bogus; stays", "&bogus; stays"),
            ("&#0;&#xFFFFFFFF;&#xG;", "\u{FFFD}\u{FFFD}&#xG;"),
            ("half <b>bold</b> unescaped", "half bold unescaped"),
            ("soft&shy;hyphen\u{202E}reversed", "softhyphenreversed"),
            ("family 👩‍👩‍👧", "family 👩‍👩‍👧"),
        ]
    )
    func titles(xml: String, expected: String) throws {
        let feed = try Documents.parseRSS("<item><guid>1</guid><title>\(xml)</title></item>")
        #expect(feed.items.first?.title == expected)
    }

    @Test(
        "keeps the shape of HTML and none of its tags",
        arguments: [
            ("<p>One</p><p>Two</p>", "One\n\nTwo"),
            ("One<br>Two<br/><br/>Three", "One\nTwo\n\nThree"),
            ("<ul><li>One</li><li>Two</li></ul>after", "One\nTwo\n\nafter"),
            ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
            ("a<script>if (1<2) { x = '</p>'; }</script>b", "ab"),
            ("a<style>p > a { }</style>b<!-- no > -- not yet -->c", "abc"),
            ("<a title='x > y' href=\"/q\">link</a>!", "link!"),
            ("cut in a <a href=\"https://exam", "cut in a"),
            ("<a title='never closed>text</a> end", "text end"),
            ("x < y && y > z", "x < y && y > z"),
            ("&amp;lt;kept&amp;gt;", "&lt;kept&gt;"),
            ("tab\u{1B}[31mred", "tab [31mred"),
        ]
    )
    func descriptions(html: String, expected: String) throws {
        let feed = try Documents.parseRSS(
            "<item><guid>1</guid><description><![CDATA[\(html)]]></description></item>"
        )
        #expect(feed.items.first?.body == expected)
    }

    @Test("is cut for the summary between words, and left whole in the body")
    func excerpt() throws {
        let long = String(repeating: "seven77 ", count: 60).trimmingCharacters(in: .whitespaces)
        let feed = try Documents.parseRSS("<item><guid>1</guid><description>\(long)</description></item>")
        let item = try #require(feed.items.first)
        #expect(item.body == long)
        #expect(item.summary == long.prefix(199) + "…")
    }

    @Test("is read in linear time, however hostile")
    func hostile() throws {
        for piece in ["<", "<a ", "<!--", "&amp;lt;", "<script>", "<a '"] {
            let text = String(repeating: piece, count: 20_000)
            let feed = try Documents.parseRSS(
                "<item><guid>1</guid><description><![CDATA[\(text)]]></description></item>"
            )
            #expect(feed.items.count == 1)
        }
    }
}
