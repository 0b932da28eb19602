import Foundation

/// The bytes of an XML document with the mistakes taken out that feeds are known for, and with the dangerous
/// part removed.
///
/// White space and a byte order mark before the document, HTML's named characters, lone ampersands, control
/// characters and broken UTF-8 would each stop a parser. The document type goes altogether: without it no
/// entity can be declared, so there is none that reads a file, calls a server or unfolds into gigabytes. Lines
/// keep their numbers. Costs one pass.
struct PreparedXML {
    /// What to give to the parser.
    var data: Data

    /// How many lines in front of it were cut off.
    var skippedLines: Int

    /// Reads a whole document or only its beginning.
    init(_ original: Data) {
        var bytes = Self.asciiCompatible(original)
        skippedLines = Self.cutLeadingSpace(from: &bytes)
        var rewriter = XMLRewriter(input: bytes)
        data = Data(rewriter.rewritten())
    }

    /// Whether the end is not that of a tag: every whole document ends with one.
    var isCutOff: Bool {
        data.last { $0 > 0x20 } != UInt8(ascii: ">")
    }

    /// How many lines there are without the empty ones at the end.
    var lineCount: Int {
        let end = data.lastIndex { $0 > 0x20 } ?? data.startIndex
        return data[..<end].count { $0 == 0xA } + 1
    }

    private static func cutLeadingSpace(from bytes: inout ArraySlice<UInt8>) -> Int {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        let space = bytes.prefix { $0 == 0x20 || (0x9...0xD).contains($0) || $0 == 0 }
        bytes = bytes.dropFirst(space.count)
        return space.count { $0 == 0xA }
    }

    /// The document in an encoding whose ASCII characters are ASCII bytes: UTF-16 becomes UTF-8, anything else stays.
    private static func asciiCompatible(_ data: Data) -> ArraySlice<UInt8> {
        let head = Array(data.prefix(4))
        let utf16: String.Encoding? =
            switch (head.first, head.dropFirst().first) {
            case (0xFE, 0xFF), (0xFF, 0xFE): .utf16
            case (0, UInt8(ascii: "<")): .utf16BigEndian
            case (UInt8(ascii: "<"), 0): .utf16LittleEndian
            default: nil
            }
        if let utf16, let text = String(data: data.prefix(data.count & ~1), encoding: utf16) {
            return ArraySlice(withoutDeclaration(text).utf8)
        }
        let bytes = Array(data)[...]
        guard declaresUTF8(bytes), !isValidUTF8(bytes) else { return bytes }
        return ArraySlice(String(decoding: bytes, as: UTF8.self).utf8)
    }

    /// The declaration names the encoding the text no longer has.
    private static func withoutDeclaration(_ text: String) -> Substring {
        guard let start = text.range(of: "<?xml "), let end = text.range(of: "?>"), start.lowerBound < end.lowerBound
        else { return text[...] }
        return text[end.upperBound...]
    }

    /// Whether the document is UTF-8 by its declaration or for want of one.
    private static func declaresUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        let head = String(decoding: bytes.prefix(200), as: UTF8.self)
        guard let end = head.range(of: "?>"), let name = head[..<end.lowerBound].range(of: "encoding") else {
            return true
        }
        return head[name.upperBound..<end.lowerBound].lowercased().contains("utf-8")
    }

    private static func isValidUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }
}
