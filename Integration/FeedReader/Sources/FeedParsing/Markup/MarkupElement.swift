import Foundation

/// One element of an XML document with everything in it, as a value.
///
/// Feeds are small, so the parsers look things up in a tree instead of each keeping track of where in a stream it is.
struct MarkupElement: Sendable {
    /// What an element contains, in order.
    enum Node: Sendable {
        case text(String)
        case element(MarkupElement)
    }

    /// Without its prefix.
    var name: String

    /// Empty if there is none.
    var namespace: String

    /// By their names as written, prefix included.
    var attributes: [String: String]

    /// What `xml:base` here or further out says; nil if it is said nowhere.
    var base: URL?

    var children: [Node] = []
}

extension MarkupElement {
    /// The elements directly inside.
    var elements: [MarkupElement] {
        children.compactMap { node in
            guard case .element(let element) = node else { return nil }
            return element
        }
    }

    /// The elements directly inside of one name; a namespace of another element or a constant of `Namespace`.
    func all(_ name: String, in namespace: String) -> [MarkupElement] {
        elements.filter { $0.name == name && $0.namespace == namespace }
    }

    /// The first of them.
    func first(_ name: String, in namespace: String) -> MarkupElement? {
        elements.first { $0.name == name && $0.namespace == namespace }
    }

    /// All text inside, that of inner elements included.
    var text: String {
        children.reduce(into: "") { text, node in
            switch node {
            case .text(let piece): text += piece
            case .element(let element): text += element.text
            }
        }
    }

    /// The text without white space around it; nil if nothing is left.
    var trimmedText: String? {
        let text = text
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return nil }
        return String(text[start...end])
    }
}
