/// Reads the part of the Mermaid flowchart language that the pictures use, and nothing else.
///
///     flowchart  = "flowchart LR" { subgraph | node | edge | style }
///     subgraph   = "subgraph" id "[" label "]" { node } "end"
///     node       = id "[" label "]" ":::" id
///     edge       = id ( "-->" | "-.->" ) [ "|" label "|" ] id
///     style      = "classDef" id property { "," property }
///     label      = a quote, text without quotes, markup and line breaks but for `<br/>` and entities, a quote
struct MermaidReader {
    struct Node: Equatable {
        let label: String
        let style: String
        let subgraph: String?
    }

    struct Edge: Equatable {
        let from: String
        let to: String
        let isDotted: Bool
        let label: String?
    }

    struct Unreadable: Error, CustomStringConvertible {
        let line: Int
        let text: String

        var description: String { "line \(line) is no line of the language: \(text)" }
    }

    private(set) var nodes: [String: Node] = [:]
    private(set) var edges: [Edge] = []
    /// The labels of the subgraphs by their identifiers.
    private(set) var subgraphs: [String: String] = [:]
    private(set) var styles: Set<String> = []
    private var openSubgraph: String?

    init(_ text: String) throws {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.first == "flowchart LR", lines.last == "" else {
            throw Unreadable(line: 1, text: lines.first ?? "")
        }
        lines.removeLast()
        for (index, line) in lines.enumerated().dropFirst() {
            guard try read(line) else { throw Unreadable(line: index + 1, text: line) }
        }
        guard openSubgraph == nil else { throw Unreadable(line: lines.count, text: "a subgraph has no end") }
    }

    private mutating func read(_ line: String) throws -> Bool {
        if line == "  end" {
            defer { openSubgraph = nil }
            return openSubgraph != nil
        }
        if let match = line.wholeMatch(of: #/  subgraph (\w+)\["(.+)"\]/#) {
            guard openSubgraph == nil, let label = text(match.output.2) else { return false }
            openSubgraph = String(match.output.1)
            return subgraphs.updateValue(label, forKey: String(match.output.1)) == nil
        }
        if let match = line.wholeMatch(of: #/ {2,4}(\w+)\["(.+)"\]:::(\w+)/#) {
            guard let label = text(match.output.2) else { return false }
            let node = Node(
                label: label,
                style: String(match.output.3),
                subgraph: openSubgraph.flatMap { subgraphs[$0] }
            )
            return nodes.updateValue(node, forKey: String(match.output.1)) == nil
        }
        if let match = line.wholeMatch(of: #/  (\w+) (-->|-\.->)(?:\|"(.+)"\|)? (\w+)/#) {
            var label: String?
            if let written = match.output.3 {
                guard let read = text(written) else { return false }
                label = read
            }
            edges.append(
                Edge(
                    from: String(match.output.1),
                    to: String(match.output.4),
                    isDotted: match.output.2 == "-.->",
                    label: label
                )
            )
            return openSubgraph == nil
        }
        if let match = line.wholeMatch(of: #/  classDef (\w+) ([\w-]+:[#\w ]+(?:,[\w-]+:[#\w ]+)*)/#) {
            // Names of classes that are words of the language end the parser of Mermaid.
            guard !["graph", "end", "class", "style", "default", "flowchart"].contains(match.output.1) else {
                return false
            }
            return styles.insert(String(match.output.1)).inserted
        }
        return false
    }

    /// What a label shows, a line break as such, or nil when it is not written as the language wants it.
    private func text(_ label: Substring) -> String? {
        var shown = label.replacing("<br/>", with: "\n")
        // In this order: the first form of the hash contains the second one.
        let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#35;", "#"), ("#35;", "#")]
        guard shown.allSatisfy({ !"<>\"\r".contains($0) && $0 != "\r\n" }) else { return nil }
        let hasStrayMark = shown.replacing(#/&(?:lt|gt|quot|amp|#35);|#35;/#, with: "").contains { "&#".contains($0) }
        if hasStrayMark { return nil }
        for (entity, character) in entities { shown = shown.replacing(entity, with: character) }
        return String(shown.replacing("&amp;", with: "&"))
    }

    /// The identifiers that edges name and nobody declares, and the styles that nodes have and nobody defines.
    var undeclared: [String] {
        edges.flatMap { [$0.from, $0.to] }.filter { nodes[$0] == nil }
            + nodes.values.map(\.style).filter { !styles.contains($0) }
    }

    /// The nodes of registrations and of missing services: all but those of the legend.
    var drawn: [Node] { nodes.values.filter { $0.subgraph != "scopes" } }

    func node(labelled start: String) -> Node? { drawn.first { $0.label.hasPrefix(start) } }
}
