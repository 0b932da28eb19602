public import DICore

/// Writes the wiring of a container as a picture in the language of a drawing tool, or as data.
///
///     let picture = GraphPicture(container.dependencyGraph())
///     print(picture.mermaid)      // for Markdown
///     print(picture.dot)          // for Graphviz
///     print(picture.json)         // for programs
///
/// Registrations are grouped by the module that they were written in, and their scopes told apart. A dashed arrow is one
/// that is resolved later, a dotted one was seen while resolving or is optional. What is asked for and not registered
/// stands out, unless it is said to be given at run time.
public struct GraphPicture: Sendable {
    let part: GraphPart
    let external: Set<ServiceKey>

    /// A picture of everything.
    ///
    /// - Parameters:
    ///   - graph: the wiring.
    ///   - external: keys that somebody else registers at run time; they are not drawn as missing.
    public init(_ graph: DependencyGraph, external: some Sequence<ServiceKey> = EmptyCollection()) {
        part = GraphPart(graph)
        self.external = Set(external)
    }

    /// A picture of what the registration of a key needs, directly and indirectly.
    ///
    /// - Parameters:
    ///   - graph: the wiring.
    ///   - key: where the picture begins.
    ///   - depth: how many steps are shown; nil for all.
    ///   - external: keys that somebody else registers at run time; they are not drawn as missing.
    public init(
        _ graph: DependencyGraph,
        below key: ServiceKey,
        depth: Int? = nil,
        external: some Sequence<ServiceKey> = EmptyCollection()
    ) {
        part = GraphPart(graph, below: key, depth: depth)
        self.external = Set(external)
    }

    /// A picture that explains a problem: its root cause and what cannot be built because of it are marked, the rest is
    /// left out.
    public init(_ graph: DependencyGraph, explaining problem: WiringReport.Problem) {
        part = GraphPart(graph, explaining: problem)
        external = []
    }

    /// The nodes of each module, the modules in alphabetical order.
    var modules: [(name: String, nodes: [DependencyGraph.Node])] {
        Dictionary(grouping: part.nodes, by: \.module)
            .sorted { $0.key < $1.key }
            .map { (name: $0.key, nodes: $0.value) }
    }

    /// The scopes in the picture, shortest-living first, each once.
    var scopes: [(name: String, style: GraphStyle)] {
        var seen: Set<String> = []
        return part.nodes.sorted { ($0.lifetimeRank, $0.scope) < ($1.lifetimeRank, $1.scope) }
            .filter { seen.insert($0.scope).inserted }
            .map { (name: $0.scope, style: GraphStyle(of: $0.lifetimeRank)) }
    }

    /// The keys of the picture that nobody has registered, with their numbers, in two groups.
    var unregistered: (missing: [(number: Int, key: ServiceKey)], external: [(number: Int, key: ServiceKey)]) {
        let all = part.missing.enumerated().map { (number: $0, key: $1) }
        return (all.filter { !external.contains($0.key) }, all.filter { external.contains($0.key) })
    }

    /// The two lines in the box of a registration. The word for a contribution would make the first one long.
    func lines(of node: DependencyGraph.Node) -> (title: String, detail: String) {
        let detail = node.scope + builder(of: node)
        guard node.key.option is Contribution else { return (node.key.description, detail) }
        let key = ServiceKey(
            serviceType: node.key.serviceType,
            argumentsType: node.key.argumentsType,
            name: node.key.name
        )
        return (key.description, "\(detail), contributed")
    }

    /// Names the container that builds a registration in this way, where another one builds it in another way.
    private func builder(of node: DependencyGraph.Node) -> String {
        if node.isHidden { return ", overridden" }
        let others = [node.id - 1, node.id + 1].filter(part.graph.nodes.indices.contains)
        guard others.contains(where: { part.graph.nodes[$0].registration == node.registration }) else { return "" }
        return switch node.builtBy.first {
        case nil: ""
        case 0?: ", built here"
        case let level?: ", built by parent \(level)"
        }
    }

    /// Whether an arrow is one of several to all contributions of a type.
    func isCollecting(_ edge: DependencyGraph.Edge) -> Bool {
        guard edge.isOptional, case .node(let target) = edge.to else { return false }
        return part.graph.nodes[target].key.option is Contribution
    }

    /// Whether an arrow is dotted.
    func isDotted(_ edge: DependencyGraph.Edge) -> Bool {
        edge.source == .observed || edge.isOptional && !isCollecting(edge)
    }

    /// The words at an arrow, if any.
    func label(of edge: DependencyGraph.Edge) -> String? {
        var words: [String] = []
        if edge.isDeferred { words.append("later") }
        if isCollecting(edge) {
            words.append("each")
        } else if edge.isOptional {
            words.append("optional")
        }
        if edge.source == .forwarding { words.append("is") }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

/// How registrations of a scope are drawn.
enum GraphStyle: String, CaseIterable {
    case transient
    case graph
    case perContainer
    case expiring
    case weak
    case container

    init(of rank: LifetimeRank) {
        switch rank.value {
        case ...LifetimeRank.transient.value: self = .transient
        case ...LifetimeRank.graph.value: self = .graph
        case ...LifetimeRank.perContainer.value: self = .perContainer
        case ...LifetimeRank.expiring.value: self = .expiring
        case ...LifetimeRank.weak.value: self = .weak
        default: self = .container
        }
    }

    /// The name of the class in Mermaid, where `graph` alone would be a keyword.
    var className: String { "scope_\(rawValue)" }

    var fill: String {
        switch self {
        case .transient: "#ffffff"
        case .graph: "#eef3f8"
        case .perContainer: "#e3f1e1"
        case .expiring: "#fdf1d6"
        case .weak: "#f3e6f5"
        case .container: "#d6e4f5"
        }
    }
}
