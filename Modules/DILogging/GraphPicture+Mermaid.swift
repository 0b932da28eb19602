internal import DICore

extension GraphPicture {
    /// The picture as a Mermaid flowchart.
    public var mermaid: String {
        var lines = ["flowchart LR"]
        for (index, module) in modules.enumerated() {
            lines.append("  subgraph m\(index)[\"\(escape(module.name))\"]")
            for node in module.nodes {
                let text = self.lines(of: node)
                let label = "\(escape(text.title))<br/>\(escape(text.detail))"
                lines.append("    n\(node.id)[\"\(label)\"]:::\(style(node))")
            }
            lines.append("  end")
        }
        let unregistered = unregistered
        if !unregistered.external.isEmpty {
            lines.append("  subgraph external[\"given at run time\"]")
            for (number, key) in unregistered.external {
                lines.append("    x\(number)[\"\(escape(key.description))\"]:::external")
            }
            lines.append("  end")
        }
        for (number, key) in unregistered.missing {
            let style = part.markedMissing.contains(key) ? "cause" : "missing"
            lines.append("  x\(number)[\"\(escape(key.description))<br/>not registered\"]:::\(style)")
        }
        let numbers = Dictionary(uniqueKeysWithValues: part.missing.enumerated().map { ($1, $0) })
        for edge in part.edges {
            let target =
                switch edge.to {
                case .node(let node): "n\(node)"
                case .missing(let key): "x\(numbers[key] ?? 0)"
                }
            let label = label(of: edge).map { "|\"\($0)\"|" } ?? ""
            lines.append("  n\(edge.from) \(edge.isDeferred || isDotted(edge) ? "-.->" : "-->")\(label) \(target)")
        }
        if !scopes.isEmpty {
            lines.append("  subgraph legend[\"scopes\"]")
            for (index, scope) in scopes.enumerated() {
                lines.append("    l\(index)[\"\(escape(scope.name))\"]:::\(scope.style.className)")
            }
            lines.append("  end")
        }
        for style in GraphStyle.allCases {
            lines.append("  classDef \(style.className) fill:\(style.fill),stroke:#5b6b7b,color:#1b2733")
        }
        lines.append("  classDef external fill:#ffffff,stroke:#5b6b7b,color:#1b2733,stroke-dasharray:4 3")
        lines.append("  classDef missing fill:#ffffff,stroke:#b3261e,color:#b3261e,stroke-dasharray:4 3")
        lines.append("  classDef cause fill:#f9dedc,stroke:#b3261e,color:#410e0b,stroke-width:3px")
        lines.append("  classDef consequence fill:#fff4e5,stroke:#b06000,color:#3c2a00")
        return lines.joined(separator: "\n") + "\n"
    }

    private func style(_ node: DependencyGraph.Node) -> String {
        switch part.marks[node.id] {
        case .cause?: "cause"
        case .consequence?: "consequence"
        case nil: GraphStyle(of: node.lifetimeRank).className
        }
    }

    /// Mermaid reads HTML in labels, so what would be markup is written as entities.
    private func escape(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "#": escaped += "#35;"
            case "\n", "\r", "\r\n": escaped += " "
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
