import Foundation

/// Puts the numbers of the XML parser's errors into words.
///
/// The numbers are those of libxml2, which is behind `XMLParser` on every platform; on Linux they come without
/// a text.
enum XMLMistake {
    /// Nil for a complaint that does not keep a document from being read. `element` is the innermost one that
    /// was open.
    static func reason(_ error: any Error, inside element: String?) -> String? {
        let code = (error as NSError).code
        return switch code {
        case 201...205: nil  // Namespaces that were not declared: `NamespaceScope` knows what to do.
        case 5, 74, 77, 63, 45, 47: breaksOff(inside: element)
        case 76: "the end tag does not belong to <\(element ?? "?")>"
        case 31, 32, 81: "the character encoding is not supported"
        case 9: "there is a character that is not allowed, or not in the declared encoding"
        case 38, 39, 40, 41, 42, 65: "an attribute is not written as it must be"
        case 68, 73: "a tag is not written as it must be"
        case 4: "there is no element at all"
        default: "the rules of XML are broken (libxml2 error \(code))"
        }
    }

    /// The text for a document that ends too early.
    static func breaksOff(inside element: String?) -> String {
        element.map { "it breaks off inside <\($0)>" } ?? "it breaks off"
    }
}
