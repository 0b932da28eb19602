/// Turns the texts of feeds, which are HTML more often than they say, into text for a terminal.
enum PlainText {
    /// A title in one line.
    ///
    /// Titles are often escaped once too often, so references are decoded twice: `Fish &amp;amp; Chips`, read
    /// from XML as `Fish &amp; Chips` or worse, comes out as `Fish & Chips`.
    static func title(html: String) -> String {
        var builder = PlainTextBuilder()
        HTMLScanner.scan(unescapedMarkup(html), into: &builder) { run in
            EntityDecoder.decode(EntityDecoder.decode(run))
        }
        return line(builder.result)
    }

    /// A text of any length; paragraphs are separated by an empty line.
    static func paragraphs(html: String) -> String {
        var builder = PlainTextBuilder()
        HTMLScanner.scan(unescapedMarkup(html), into: &builder) { EntityDecoder.decode($0) }
        return builder.result
    }

    /// A text that is no HTML: only its empty lines mean something.
    static func paragraphs(plain: String) -> String {
        var builder = PlainTextBuilder()
        for line in plain.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            builder.append(line)
            builder.mark(tag: "br")
        }
        return builder.result
    }

    /// The content of an element that holds XHTML.
    static func paragraphs(xhtml element: MarkupElement) -> String {
        var builder = PlainTextBuilder()
        walk(element, into: &builder)
        return builder.result
    }

    /// Any of the above in one line.
    static func line(_ text: String) -> String {
        var builder = PlainTextBuilder()
        builder.append(text)
        return builder.result
    }

    /// The start of a text in one line, cut between words with an ellipsis. A word longer than the limit is cut.
    static func excerpt(_ text: String, limit: Int) -> String {
        // A gap of two line ends becomes one space, so twice the limit is enough to look at.
        let text = line(String(text.prefix(2 * limit + 2)))
        guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex), end < text.endIndex
        else { return text }
        let head = text[..<end]
        let cut = text[end] == " " ? end : head.lastIndex(of: " ") ?? end
        return head[..<cut] + "…"
    }

    /// Text without a single tag that has escaped ones was HTML escaped twice.
    ///
    /// Only an end tag or a paragraph counts as such: `The &lt;b&gt; tag` is a text about HTML and stays one.
    private static func unescapedMarkup(_ html: String) -> String {
        hidesMarkup(html) && !HTMLScanner.hasTags(html) ? EntityDecoder.decode(html) : html
    }

    private static func hidesMarkup(_ html: String) -> Bool {
        var rest = html.utf8[...]
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            rest = rest[ampersand...]
            if ["&lt;/", "&lt;p&gt;", "&lt;br"].contains(where: { rest.starts(with: $0.utf8) }) { return true }
            rest = rest.dropFirst()
        }
        return false
    }

    private static func walk(_ element: MarkupElement, into builder: inout PlainTextBuilder) {
        for node in element.children {
            switch node {
            case .text(let text):
                builder.append(text)
            case .element(let child) where HTMLScanner.hiddenTags.contains(child.name.lowercased()):
                continue
            case .element(let child):
                builder.mark(tag: child.name)
                walk(child, into: &builder)
                // An element without content ends where it begins; marking it twice would make two breaks of one.
                if !child.children.isEmpty { builder.mark(tag: child.name) }
            }
        }
    }
}
