import Foundation

/// Chooses among the `link` elements of Atom, which RSS feeds borrow.
enum AtomLink {
    /// The page an element is about: a link that is an alternate or says nothing, HTML before any other type.
    static func alternate(of element: MarkupElement, links: LinkResolver) -> URL? {
        let alternates = element.all("link", in: Namespace.atom).filter { isAlternate($0.attributes["rel"]) }
        let preferred = alternates.first { isPage($0.attributes["type"]) }
        return (preferred ?? alternates.first).flatMap { links.resolve($0.attributes["href"], base: $0.base) }
    }

    private static func isAlternate(_ relation: String?) -> Bool {
        switch relation?.lowercased() {
        case nil, "", "alternate", "http://www.iana.org/assignments/relation/alternate": true
        default: false
        }
    }

    private static func isPage(_ type: String?) -> Bool {
        guard let type = type?.lowercased() else { return true }
        return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml+xml")
    }
}
