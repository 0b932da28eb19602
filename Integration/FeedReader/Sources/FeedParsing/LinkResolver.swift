import Foundation

/// Makes the links of a feed absolute and leaves out those a reader must not follow.
struct LinkResolver {
    /// What a relative link starts from if its element says nothing else.
    var base: URL

    /// Nil for an empty text, for what is no URL, and for any scheme but those of the web.
    ///
    /// A feed read from a file may point at files, as its relative links do; a feed of the web may not.
    func resolve(_ text: String?, base innerBase: URL? = nil) -> URL? {
        let base = innerBase ?? base
        guard let text = text?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty,
            let url = URL(string: text, relativeTo: base)?.absoluteURL
        else { return nil }
        switch url.scheme?.lowercased() {
        case "http", "https": return url
        case "file" where self.base.isFileURL: return url
        default: return nil
        }
    }
}
