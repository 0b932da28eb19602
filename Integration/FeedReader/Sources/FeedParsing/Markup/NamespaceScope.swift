/// Which prefix stands for which namespace inside one element.
///
/// Kept here and not left to `XMLParser`, which counts a prefix that was never declared among the errors.
struct NamespaceScope {
    private var namespaces = Namespace.conventional

    /// The scope inside an element with these attributes.
    func entering(_ attributes: [String: String]) -> NamespaceScope {
        var inner = self
        for (name, value) in attributes {
            if name == "xmlns" {
                inner.namespaces[""] = value
            } else if name.hasPrefix("xmlns:") {
                inner.namespaces[String(name.dropFirst("xmlns:".count))] = value
            }
        }
        return inner
    }

    /// The name without its prefix, and the namespace; empty if there is none.
    func resolve(_ qualifiedName: String) -> (name: String, namespace: String) {
        guard let colon = qualifiedName.firstIndex(of: ":") else {
            return (qualifiedName, namespaces["", default: ""])
        }
        let prefix = String(qualifiedName[..<colon])
        return (String(qualifiedName[qualifiedName.index(after: colon)...]), namespaces[prefix, default: prefix])
    }
}
