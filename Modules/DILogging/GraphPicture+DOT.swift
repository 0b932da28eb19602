internal import DICore

extension GraphPicture {
    /// The picture in the DOT language of Graphviz.
    public var dot: String {
        var lines = [
            "digraph wiring {",
            "  rankdir=LR; nodesep=0.16; ranksep=0.8;",
            "  fontname=\"Helvetica\";",
            "  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11, color=\"#5b6b7b\"];",
            "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#5b6b7b\"];",
        ]
        for (index, module) in modules.enumerated() {
            lines.append("  subgraph cluster_\(index) {")
            lines.append("    label=\(quote(module.name)); color=\"#c4ccd4\"; style=rounded;")
            for node in module.nodes { lines.append("    n\(node.id) [\(attributes(of: node))];") }
            lines.append("  }")
        }
        let unregistered = unregistered
        if !unregistered.external.isEmpty {
            lines.append("  subgraph cluster_external {")
            lines.append("    label=\"given at run time\"; color=\"#c4ccd4\"; style=\"rounded,dashed\";")
            for (number, key) in unregistered.external {
                let label = quote(key.description)
                lines.append("    x\(number) [label=\(label), fillcolor=\"#ffffff\", style=\"rounded,filled,dashed\"];")
            }
            lines.append("  }")
        }
        for (number, key) in unregistered.missing {
            let fill = part.markedMissing.contains(key) ? "#f9dedc" : "#ffffff"
            let label = quote("\(key)\nnot registered")
            lines.append(
                "  x\(number) [label=\(label), color=\"#b3261e\", fontcolor=\"#b3261e\", fillcolor=\"\(fill)\", "
                    + "style=\"rounded,filled,dashed\"];"
            )
        }
        let numbers = Dictionary(uniqueKeysWithValues: part.missing.enumerated().map { ($1, $0) })
        for edge in part.edges { lines.append("  \(arrow(edge, numbers));") }
        lines += legend
        lines.append("}")
        return lines.joined(separator: "\n") + "\n"
    }

    private func attributes(of node: DependencyGraph.Node) -> String {
        let text = lines(of: node)
        let label = quote("\(text.title)\n\(text.detail)")
        switch part.marks[node.id] {
        case .cause?: return "label=\(label), fillcolor=\"#f9dedc\", color=\"#b3261e\", penwidth=2"
        case .consequence?: return "label=\(label), fillcolor=\"#fff4e5\", color=\"#b06000\""
        case nil: return "label=\(label), fillcolor=\"\(GraphStyle(of: node.lifetimeRank).fill)\""
        }
    }

    private func arrow(_ edge: DependencyGraph.Edge, _ missing: [ServiceKey: Int]) -> String {
        let target =
            switch edge.to {
            case .node(let node): "n\(node)"
            case .missing(let key): "x\(missing[key] ?? 0)"
            }
        var attributes: [String] = []
        if edge.isDeferred {
            attributes.append("style=dashed")
        } else if isDotted(edge) {
            attributes.append("style=dotted")
        }
        if let label = label(of: edge) { attributes.append("label=\(quote(label))") }
        let suffix = attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
        return "n\(edge.from) -> \(target)\(suffix)"
    }

    private var legend: [String] {
        if scopes.isEmpty { return [] }
        var lines = ["  subgraph cluster_legend {", "    label=\"scopes\"; color=\"#c4ccd4\"; style=rounded;"]
        for (index, scope) in scopes.enumerated() {
            lines.append("    l\(index) [label=\(quote(scope.name)), fillcolor=\"\(scope.style.fill)\"];")
        }
        lines.append("  }")
        return lines
    }

    /// A string of the language: quotes and backslashes are escaped, and a line break is written as one.
    private func quote(_ text: String) -> String {
        var quoted = "\""
        for character in text {
            switch character {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n", "\r", "\r\n": quoted += "\\n"
            default: quoted.append(character)
            }
        }
        return quoted + "\""
    }
}
