/// The namespaces whose elements the parsers read.
enum Namespace {
    static let atom = "http://www.w3.org/2005/Atom"
    static let content = "http://purl.org/rss/1.0/modules/content/"
    static let dublinCore = "http://purl.org/dc/elements/1.1/"
    static let xhtml = "http://www.w3.org/1999/xhtml"

    /// What a prefix means in practice, for the feeds that use it without declaring it.
    static let conventional = ["atom": atom, "content": content, "dc": dublinCore, "xhtml": xhtml]
}
