/// Reads the texts of Atom, which say what they are: plain, HTML or XHTML.
enum AtomText {
    private enum Kind {
        case plain, html, xhtml
        /// An image, a sound, data in Base64.
        case unreadable
    }

    /// A title in one line; empty if there is none.
    static func line(_ element: MarkupElement?) -> String {
        guard let element else { return "" }
        return switch kind(of: element) {
        case .html: PlainText.title(html: element.text)
        case .xhtml: PlainText.line(PlainText.paragraphs(xhtml: element))
        case .plain: PlainText.line(element.text)
        case .unreadable: ""
        }
    }

    /// A text of any length; empty if there is none.
    static func paragraphs(_ element: MarkupElement?) -> String {
        guard let element else { return "" }
        return switch kind(of: element) {
        case .html: PlainText.paragraphs(html: element.text)
        case .xhtml: PlainText.paragraphs(xhtml: element)
        case .plain: PlainText.paragraphs(plain: element.text)
        case .unreadable: ""
        }
    }

    /// `type` is one of three words or, in a content, a media type.
    private static func kind(of element: MarkupElement) -> Kind {
        switch element.attributes["type"]?.lowercased() {
        case nil, "", "text", "text/plain": .plain
        case "html", "text/html": .html
        case "xhtml", "application/xhtml+xml": .xhtml
        case .some(let type): type.hasPrefix("text/") ? .plain : .unreadable
        }
    }
}
