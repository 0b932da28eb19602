/// Collects running text and turns tags into the white space a reader sees.
///
/// White space never accumulates: what was asked for between two words is remembered, and the largest gap is written
/// when the next word arrives. Characters that would steer a terminal or reorder a line are dropped on the way.
struct PlainTextBuilder {
    private enum Gap: Int, Comparable {
        case none, space, line, paragraph

        static func < (left: Gap, right: Gap) -> Bool { left.rawValue < right.rawValue }
    }

    private var text = String.UnicodeScalarView()
    private var gap = Gap.none

    /// Adds text of the document; its white space counts as one space.
    mutating func append(_ string: some StringProtocol) {
        for scalar in string.unicodeScalars {
            if Self.isSpace(scalar) {
                gap = max(gap, .space)
            } else if !Self.isInvisible(scalar) {
                writeGap()
                text.append(scalar)
            }
        }
    }

    /// Notes that an element begins or ends here; the name is compared without case.
    mutating func mark(tag name: some StringProtocol) {
        let name = name.lowercased()
        if Self.paragraphTags.contains(name) {
            gap = .paragraph
        } else if name == "br", gap >= .line {
            gap = .paragraph
        } else if Self.lineTags.contains(name) {
            gap = max(gap, .line)
        } else if Self.cellTags.contains(name) {
            gap = max(gap, .space)
        }
    }

    /// The text so far, without white space at either end.
    var result: String { String(text) }

    private mutating func writeGap() {
        defer { gap = .none }
        guard !text.isEmpty else { return }
        switch gap {
        case .none: break
        case .space: text.append(" ")
        case .line: text.append("\n")
        case .paragraph: text.append(contentsOf: "\n\n".unicodeScalars)
        }
    }

    /// White space and control characters. Almost all text is ASCII, where the number says it without a look-up.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return scalar.value <= 0x20 || scalar.value == 0x7F }
        return scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }

    /// Byte order marks, soft hyphens, and the marks that reorder text. Joiners stay: emoji need them.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xAD, 0x200B, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    private static let paragraphTags: Set<String> = [
        "address", "article", "aside", "blockquote", "div", "dl", "figure", "footer", "h1", "h2", "h3", "h4", "h5",
        "h6", "header", "hr", "main", "ol", "p", "pre", "section", "table", "ul",
    ]
    private static let lineTags: Set<String> = ["br", "dd", "dt", "figcaption", "li", "tr"]
    private static let cellTags: Set<String> = ["td", "th"]
}
