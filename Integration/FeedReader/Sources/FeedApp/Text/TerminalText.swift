/// Text in the columns of a terminal.
package enum TerminalText {
    /// The text without what would move the cursor, change its direction or worse: what a feed says is shown, not done.
    package static func clean(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !isActive($0) }))
    }

    /// How many columns it takes.
    package static func width(of text: String) -> Int {
        text.reduce(0) { $0 + width(of: $1) }
    }

    /// The text in exactly so many columns: filled up with spaces, or cut with an ellipsis.
    package static func fitted(_ text: String, to columns: Int) -> String {
        let text = cut(text, to: columns)
        return text + String(repeating: " ", count: max(0, columns - width(of: text)))
    }

    /// The text in at most so many columns.
    package static func cut(_ text: String, to columns: Int) -> String {
        let text = clean(text)
        guard width(of: text) > columns else { return text }
        var kept = ""
        var used = 1
        for character in text {
            used += width(of: character)
            if used > columns { break }
            kept.append(character)
        }
        while kept.last == " " { kept.removeLast() }
        return kept + "…"
    }

    /// The text in lines of at most so many columns, broken between words. A longer word has a line of its own.
    package static func wrapped(_ text: String, to columns: Int) -> [String] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { paragraph in
            var lines = [""]
            for word in clean(String(paragraph)).split(separator: " ") {
                let line = lines[lines.count - 1]
                if line.isEmpty {
                    lines[lines.count - 1] = String(word)
                } else if width(of: line) + 1 + width(of: String(word)) <= columns {
                    lines[lines.count - 1] += " " + word
                } else {
                    lines.append(String(word))
                }
            }
            return lines
        }
    }

    private static func isActive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: scalar.properties.generalCategory == .control
        }
    }

    /// East Asian characters and emoji take two columns.
    private static func width(of character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation { return 2 }
        return switch first.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
