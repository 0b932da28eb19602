/// Reads one format of feeds.
///
/// An implementation holds no state of a document: one instance is asked from several tasks at once.
public protocol FeedParser: Sendable {
    /// The name a person knows the format by, such as `RSS`.
    var formatName: String { get }

    /// Says whether a document looks like this format, broken or not.
    ///
    /// Asked of every parser for every document, so look at the beginning only. A truncated feed still is of
    /// its format: say yes, and let `parse` explain what is wrong with it.
    func canParse(_ document: FeedDocument) -> Bool

    /// Reads a document that `canParse` said yes to.
    ///
    /// Throws a `FeedError` that names the document's source. Leave out what cannot be understood, such as a
    /// date in no known form; fail only when the document as a whole cannot be read. Never fetch anything a
    /// document refers to.
    func parse(_ document: FeedDocument) throws -> ParsedFeed
}
