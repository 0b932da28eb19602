/// Which picture of the wiring is asked for.
package struct GraphRequest: Hashable {
    /// The language of the picture.
    package var format: GraphFormat

    /// The text of the key where the picture begins; nil for all of the wiring.
    package var root: String?

    /// How many steps are shown from there; nil for all.
    package var depth: Int?

    /// Takes every field.
    package init(format: GraphFormat = .mermaid, root: String? = nil, depth: Int? = nil) {
        self.format = format
        self.root = root
        self.depth = depth
    }
}

/// The languages that a picture of the wiring can be written in.
package enum GraphFormat: String, CaseIterable {
    /// For Markdown.
    case mermaid
    /// For Graphviz.
    case dot
    /// For programs.
    case json
}
