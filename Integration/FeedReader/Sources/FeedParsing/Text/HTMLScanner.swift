/// Walks over HTML as feeds carry it, which is rarely well-formed, and hands text and tags to a builder.
///
/// Time is linear in the length of the text.
enum HTMLScanner {
    /// Text in these is for a machine, and what looks like a tag in them is not one.
    static let hiddenTags: Set<String> = ["script", "style"]

    /// Reads the whole text. `decode` is applied to each run between two tags.
    static func scan(_ html: String, into builder: inout PlainTextBuilder, decode: (Substring) -> String) {
        var rest = html[...]
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "<")) {
            builder.append(decode(rest[..<open]))
            rest = rest[open...]
            guard let tag = Tag(atStartOf: rest) else {
                builder.append("<")
                rest = rest[rest.utf8.index(after: open)...]
                continue
            }
            rest = tag.rest
            builder.mark(tag: tag.name)
            if hiddenTags.contains(tag.name), !tag.isClosing {
                rest = afterHiddenText(rest, of: tag.name)
            }
        }
        builder.append(decode(rest))
    }

    /// Whether there is anything in the text that `scan` would take for a tag.
    static func hasTags(_ text: String) -> Bool {
        var rest = text[...]
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[open...]
            if Tag(atStartOf: rest) != nil { return true }
            rest = rest[rest.utf8.index(after: open)...]
        }
        return false
    }

    private static func afterHiddenText(_ text: Substring, of name: String) -> Substring {
        var rest = text
        while let open = rest.utf8.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[open...]
            let after = rest.utf8.dropFirst()
            if after.first == UInt8(ascii: "/"), rest.dropFirst(2).prefix(name.count).lowercased() == name {
                return rest
            }
            rest = rest[rest.utf8.index(after: open)...]
        }
        return ""
    }
}

extension HTMLScanner {
    /// One tag, comment or declaration.
    private struct Tag {
        /// In lower case; empty for a comment or a declaration.
        var name: String
        var isClosing: Bool
        var rest: Substring

        /// Nil if the `<` at the start of the text is only a character, as in `a < b`.
        init?(atStartOf text: Substring) {
            let bytes = text.utf8.dropFirst()
            guard let first = bytes.first else { return nil }
            switch first {
            case UInt8(ascii: "!") where text.hasPrefix("<!--"):
                self.init(name: "", isClosing: false, rest: Self.afterComment(text))
            case UInt8(ascii: "!"), UInt8(ascii: "?"):
                self.init(name: "", isClosing: false, rest: Self.afterTag(text))
            default:
                let isClosing = first == UInt8(ascii: "/")
                let nameBytes = (isClosing ? bytes.dropFirst() : bytes).prefix(while: Self.isNameByte)
                guard let letter = nameBytes.first, letter >= UInt8(ascii: "A") else { return nil }
                let name = String(decoding: nameBytes, as: UTF8.self).lowercased()
                self.init(name: name, isClosing: isClosing, rest: Self.afterTag(text))
            }
        }

        private init(name: String, isClosing: Bool, rest: Substring) {
            self.name = name
            self.isClosing = isClosing
            self.rest = rest
        }

        private static func isNameByte(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: false
            }
        }

        /// Excerpts are cut anywhere: a tag without an end reaches to the end of the text.
        private static func afterTag(_ text: Substring) -> Substring {
            var quote: UInt8?
            var index = text.startIndex
            while index < text.endIndex {
                let byte = text.utf8[index]
                index = text.utf8.index(after: index)
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else if byte == UInt8(ascii: ">") {
                    return text[index...]
                }
            }
            // A quote that is never closed hid the end: take the first end there is.
            guard quote != nil, let close = text.utf8.firstIndex(of: UInt8(ascii: ">")) else { return "" }
            return text[text.utf8.index(after: close)...]
        }

        private static func afterComment(_ text: Substring) -> Substring {
            var dashes = 0
            var index = text.utf8.index(text.startIndex, offsetBy: 4)
            while index < text.endIndex {
                let byte = text.utf8[index]
                index = text.utf8.index(after: index)
                if byte == UInt8(ascii: ">"), dashes >= 2 { return text[index...] }
                dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
            }
            return ""
        }
    }
}
