import FeedModel
import Foundation

/// Reads JSON as it comes over the net.
enum JSONText {
    /// The text of a document in UTF-8 or UTF-16, without a byte order mark.
    static func decode(_ data: Data) -> String {
        let head = Array(data.prefix(2))
        if head == [0xFE, 0xFF] || head == [0xFF, 0xFE], let text = String(data: data, encoding: .utf16) {
            return text
        }
        let text = String(decoding: data, as: UTF8.self)
        return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// The object a document consists of. Throws `FeedError.malformedJSON`.
    static func object(_ document: FeedDocument) throws -> [String: Any] {
        let text = decode(document.data)
        let value: Any
        do {
            value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        } catch {
            throw mistake(error, in: text, of: document.source)
        }
        guard let object = value as? [String: Any] else {
            throw FeedError.malformedJSON(document.source, line: 1, reason: "it is not an object")
        }
        return object
    }

    /// Foundation says where in a sentence for developers; the place is taken from it, and the words are our own.
    private static func mistake(_ error: any Error, in text: String, of source: FeedSource) -> FeedError {
        let hint = (error as NSError).userInfo["NSDebugDescription"] as? String ?? ""
        if hint.contains("end of file") {
            let line = text.utf8.count { $0 == 0xA } + 1
            return .malformedJSON(source, line: line, reason: "it breaks off")
        }
        let line = offset(in: hint).map { text.utf8.prefix($0).count { $0 == 0xA } + 1 }
        return .malformedJSON(source, line: line, reason: "there is something that does not belong there")
    }

    /// The number after `character` in the hint; nil if it is worded otherwise.
    private static func offset(in hint: String) -> Int? {
        guard let word = hint.range(of: "character ") else { return nil }
        return Int(hint[word.upperBound...].prefix { $0.isNumber })
    }
}
