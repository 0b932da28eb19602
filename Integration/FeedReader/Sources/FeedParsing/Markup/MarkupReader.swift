import FeedModel
import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads an XML document into a tree.
enum MarkupReader {
    /// The root element. Throws `FeedError.malformedXML` with the line of the first mistake.
    ///
    /// References to other documents are not followed; see `PreparedXML`.
    static func read(_ document: FeedDocument) throws -> MarkupElement {
        let prepared = PreparedXML(document.data)
        let parser = XMLParser(data: prepared.data)
        // `PreparedXML` removed what these would act on; said again for whoever changes that.
        parser.shouldResolveExternalEntities = false
        parser.externalEntityResolvingPolicy = .never
        let builder = MarkupBuilder(baseURL: document.baseURL)
        parser.delegate = builder
        // The result is not asked: it is true for a document that breaks off in the middle.
        _ = parser.parse()
        switch builder.outcome(endingInLine: parser.lineNumber) {
        case .success(let root):
            return root
        case .failure(let failure):
            // A document cut in the middle of a tag is reported as a tag that is wrong.
            let isCutOff = prepared.isCutOff && failure.line >= prepared.lineCount
            throw FeedError.malformedXML(
                document.source,
                line: failure.line + prepared.skippedLines,
                reason: isCutOff ? XMLMistake.breaksOff(inside: failure.element) : failure.reason
            )
        }
    }

    /// The name of the root element without its prefix, from the beginning of a document; nil if it is not XML.
    static func rootName(of data: Data) -> String? {
        // Nobody writes longer introductions, and each parser asks.
        let bytes = PreparedXML(data.prefix(65_536)).data
        var rest = Substring(String(decoding: bytes, as: UTF8.self))
        while true {
            rest = rest.drop(while: \.isWhitespace)
            if rest.hasPrefix("<?") {
                guard let end = rest.range(of: "?>") else { return nil }
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("<!--") {
                guard let end = rest.range(of: "-->") else { return nil }
                rest = rest[end.upperBound...]
            } else {
                break
            }
        }
        guard rest.first == "<" else { return nil }
        let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || ":_-.".contains($0) }
        guard let last = name.split(separator: ":").last else { return nil }
        return String(last)
    }
}
