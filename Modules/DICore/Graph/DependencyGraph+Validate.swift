extension DependencyGraph {
    /// Checks the wiring and reports all problems at once. Constructs nothing.
    ///
    /// - Parameters:
    ///   - roots: the keys that the program itself asks for. With none, no registration is reported as unused.
    ///   - external: keys that somebody else provides at run time; they are taken as given.
    /// - Complexity: linear in the number of registrations and edges, and in the length of the ways that are reported.
    public func validate(
        roots: some Sequence<ServiceKey> = EmptyCollection(),
        external: some Sequence<ServiceKey> = EmptyCollection()
    ) -> WiringReport {
        let external = Set(external)
        let roots = Array(roots)
        let problems =
            MissingValidator.problems(in: self, external: external, roots: roots)
            + CycleValidator.problems(in: self)
            + CaptiveValidator.problems(in: self)
            + ReplacementValidator.problems(in: self)
            + UnusedValidator.problems(in: self, roots: roots)
            + OpaqueValidator.problems(in: self)
        return WiringReport(
            problems: problems.map(\.kind.order).placesInOrder.map { problems[$0] },
            usedEdges: usedEdges
        )
    }

    private var usedEdges: WiringReport.UsedEdges {
        var parameters = 0
        var declared = 0
        var observed = 0
        var forwarding = 0
        for edge in edges {
            switch edge.source {
            case .parameter: parameters += 1
            case .declared, .declaredOfParent: declared += 1
            case .observed: observed += 1
            case .forwarding: forwarding += 1
            }
        }
        return .init(parameters: parameters, declared: declared, observed: observed, forwarding: forwarding)
    }

    func registration(_ node: Int) -> WiringReport.Registration {
        .init(key: nodes[node].key, location: nodes[node].location, origin: nodes[node].origin, node: node)
    }

    func requester(_ edge: Edge) -> WiringReport.Requester {
        .init(
            key: nodes[edge.from].key,
            location: nodes[edge.from].location,
            origin: nodes[edge.from].origin,
            source: edge.source,
            builtBy: nodes[edge.from].builtBy,
            node: edge.from
        )
    }
}

extension WiringReport.Problem {
    /// Creates the problem of a registration, with all nodes of it that have the problem.
    init(
        _ kind: WiringReport.Kind,
        of node: DependencyGraph.Node,
        nodes: [Int]? = nil,
        related: [WiringReport.Registration] = [],
        ways: [[WiringReport.Registration]] = [],
        detail: String? = nil
    ) {
        self.init(
            kind: kind,
            key: node.key,
            location: node.location,
            origin: node.origin,
            nodes: nodes ?? [node.id],
            requesters: [],
            related: related,
            ways: ways,
            detail: detail
        )
    }
}

extension WiringReport.Kind {
    fileprivate var order: Int {
        switch self {
        case .missing: 0
        case .argumentsMismatch: 1
        case .cycle: 2
        case .captive: 3
        case .ambiguousForwarding: 4
        case .deferredCaptive: 5
        case .duplicate: 6
        case .unused: 7
        case .notAnalysable: 8
        }
    }
}
