/// Copies XML and corrects it on the way; see `PreparedXML` for what and why.
///
/// Works on bytes, because the encoding may be any in which the characters of markup are ASCII bytes.
struct XMLRewriter {
    private let input: ArraySlice<UInt8>
    private var position: Int
    private var output: [UInt8] = []

    init(input: ArraySlice<UInt8>) {
        self.input = input
        position = input.startIndex
        output.reserveCapacity(input.count)
    }

    /// The corrected document; called once.
    mutating func rewritten() -> [UInt8] {
        while position < input.endIndex {
            switch input[position] {
            case UInt8(ascii: "<"): copyMarkup()
            case UInt8(ascii: "&"): copyReference()
            default: copy(upToAnyOf: UInt8(ascii: "<"), UInt8(ascii: "&"))
            }
        }
        return output
    }

    private mutating func copyMarkup() {
        if isAt("<![CDATA[") {
            copy(through: "]]>")
        } else if isAt("<!--") {
            copy(through: "-->")
        } else if isAt("<?") {
            copy(through: "?>")
        } else if isAt("<!DOCTYPE") || isAt("<!doctype"), let end = endOfDocumentType() {
            // Its line ends stay, so that the lines after it keep their numbers.
            output.append(contentsOf: input[position..<end].filter { $0 == 0xA })
            position = end
        } else {
            copy(1)
        }
    }

    private mutating func copyReference() {
        let body = input[(position + 1)...].prefix(12)
        guard let semicolon = body.firstIndex(of: UInt8(ascii: ";")) else { return escapeAmpersand() }
        let name = String(decoding: body[..<semicolon], as: UTF8.self)
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) {
            return copy(semicolon + 1 - position)
        }
        let reference = "&\(name);"
        guard let scalar = EntityDecoder.decode(reference).unicodeScalars.first,
            EntityDecoder.decode(reference) != reference
        else { return escapeAmpersand() }
        output.append(contentsOf: "&#\(scalar.value);".utf8)
        position = semicolon + 1
    }

    private mutating func escapeAmpersand() {
        output.append(contentsOf: "&amp;".utf8)
        position += 1
    }

    private mutating func copy(_ count: Int) {
        let end = position + count
        output.append(contentsOf: input[position..<end].lazy.map { Self.isForbidden($0) ? 0x20 : $0 })
        position = end
    }

    /// Copies everything before the next of two bytes.
    private mutating func copy(upToAnyOf first: UInt8, _ second: UInt8) {
        let end = input[position...].firstIndex { $0 == first || $0 == second } ?? input.endIndex
        copy(end - position)
    }

    /// Copies up to and including the end mark, or everything if it never comes.
    private mutating func copy(through end: StaticString) {
        let first = end.utf8Start.pointee
        while position < input.endIndex {
            copy(upToAnyOf: first, first)
            if isAt(end) { return copy(end.utf8CodeUnitCount) }
            if position < input.endIndex { copy(1) }
        }
    }

    private func isAt(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { input[position...].starts(with: $0) }
    }

    /// Behind the `>` that closes the document type; nil if it is not there.
    private func endOfDocumentType() -> Int? {
        var brackets = 0
        var quote: UInt8?
        for index in position..<input.endIndex {
            let byte = input[index]
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "]"): brackets -= 1
            case UInt8(ascii: ">") where brackets <= 0: return index + 1
            default: break
            }
        }
        return nil
    }

    /// Control characters that XML has no place for.
    private static func isForbidden(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x9 && byte != 0xA && byte != 0xD
    }
}
