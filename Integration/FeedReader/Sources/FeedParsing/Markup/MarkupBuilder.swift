import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Listens to `XMLParser` and builds the tree.
///
/// Stops at the first mistake: what comes after it was not written by the author of the feed.
final class MarkupBuilder: NSObject {
    /// The first mistake, in a line of the prepared document.
    struct Failure: Error {
        var line: Int
        var reason: String
        /// The innermost element that was open.
        var element: String?
    }

    private struct Level {
        var element: MarkupElement
        var scope: NamespaceScope
    }

    /// Deeper nesting is an attack on the stack, not a feed.
    private static let depthLimit = 200

    private let baseURL: URL
    private var levels: [Level] = []
    private var root: MarkupElement?
    private var failure: Failure?

    /// The URL that relative values of `xml:base` start from.
    init(baseURL: URL) {
        self.baseURL = baseURL
    }

    /// What was built, asked after the parser is done.
    func outcome(endingInLine line: Int) -> Result<MarkupElement, Failure> {
        if let failure { return .failure(failure) }
        guard let root, levels.isEmpty else {
            let reason = XMLMistake.breaksOff(inside: openElement)
            return .failure(Failure(line: max(line, 1), reason: reason, element: openElement))
        }
        return .success(root)
    }

    private var openElement: String? { levels.last?.element.name }

    private func fail(at parser: XMLParser, reason: String) {
        failure = Failure(line: max(parser.lineNumber, 1), reason: reason, element: openElement)
    }

    private func append(text: String) {
        guard failure == nil, !levels.isEmpty else { return }
        levels[levels.count - 1].element.children.append(.text(text))
    }
}

extension MarkupBuilder: XMLParserDelegate {
    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        guard root == nil, failure == nil else { return }
        guard levels.count < Self.depthLimit else {
            fail(at: parser, reason: "more than \(Self.depthLimit) elements inside each other")
            return parser.abortParsing()
        }
        let scope = (levels.last?.scope ?? NamespaceScope()).entering(attributes)
        let (name, namespace) = scope.resolve(elementName)
        let outerBase = levels.last?.element.base
        let base = attributes["xml:base"].flatMap { URL(string: $0, relativeTo: outerBase ?? baseURL)?.absoluteURL }
        let element = MarkupElement(
            name: name,
            namespace: namespace,
            attributes: attributes,
            base: base ?? outerBase
        )
        levels.append(Level(element: element, scope: scope))
    }

    func parser(_ parser: XMLParser, didEndElement: String, namespaceURI: String?, qualifiedName: String?) {
        guard failure == nil, let level = levels.popLast() else { return }
        if levels.isEmpty {
            root = level.element
        } else {
            levels[levels.count - 1].element.children.append(.element(level.element))
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        append(text: string)
    }

    func parser(_ parser: XMLParser, foundCDATA CDATABlock: Data) {
        append(text: String(decoding: CDATABlock, as: UTF8.self))
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        // Behind the root element hosts put what they like; it is not part of the feed.
        guard root == nil, failure == nil else { return }
        guard let reason = XMLMistake.reason(parseError, inside: openElement) else { return }
        fail(at: parser, reason: reason)
    }
}
