extension DependencyGraph {
    /// Creates the graph of registrations: a node for each way in which containers build one, an edge for each request.
    init(
        _ wiring: RegisteredWiring,
        observed: ObservedWiring,
        origin: (ServiceKey, SourceLocation) -> String?
    ) {
        let observed = ObservedRequests(observed, in: wiring)
        let plan = NodePlan(of: BuildSearch.builds(in: wiring, observed), in: wiring)
        var nodes: [Node] = []
        nodes.reserveCapacity(plan.nodes.count)
        for planned in plan.nodes {
            let registration = wiring.registrations[planned.registration]
            nodes.append(
                Node(
                    registration,
                    planned,
                    id: nodes.count,
                    forwardsTo: plan.target(of: planned, registration),
                    wasObserved: observed.wasBuilt(planned.registration),
                    origin: origin(registration.key, registration.location),
                    replacedOrigin: registration.replaced?.location.known(beside: registration.location)
                        .flatMap { origin(registration.key, $0) }
                )
            )
        }
        var edges: [Edge] = []
        for (id, planned) in plan.nodes.enumerated() { plan.addEdges(of: planned, id, to: &edges) }
        self.init(nodes: nodes, edges: edges, wiring: wiring, found: plan.found)
    }
}

extension SourceLocation {
    /// Of two registrations of one line the later one alone is known.
    fileprivate func known(beside later: SourceLocation) -> SourceLocation? { self == later ? nil : self }
}

/// Which builds each node stands for.
private struct NodePlan {
    struct Node {
        let registration: Int
        /// The first of the builds that look the same. Where nothing leads to it a registration has a node without any.
        let build: Int?
        var builtBy: [Int]
    }

    private(set) var nodes: [Node] = []
    /// The node of each registration that a request to the container finds; the first one where none does.
    private(set) var found: [Int] = []
    private let builds: [Build]
    private var nodeOfBuild: [Int]

    init(of builds: [Build], in wiring: RegisteredWiring) {
        self.builds = builds
        nodeOfBuild = Array(repeating: 0, count: builds.count)
        nodes.reserveCapacity(wiring.registrations.count)
        found.reserveCapacity(wiring.registrations.count)
        // Nearly all are built by one container: these arrays are shared.
        let builders = (0...wiring.elsewhere).map { $0 == wiring.elsewhere ? [] : [$0] }
        let comparison = BuildComparison(builds, in: wiring)
        for registration in wiring.registrations.indices {
            found.append(nodes.count)
            var next = comparison.first[registration]
            if next == nil { nodes.append(Node(registration: registration, build: nil, builtBy: [])) }
            var isNew = true
            while let build = next {
                if isNew {
                    let builtBy = builders[builds[build].builder]
                    nodes.append(Node(registration: registration, build: build, builtBy: builtBy))
                } else {
                    nodes[nodes.count - 1].builtBy.append(builds[build].builder)
                }
                nodeOfBuild[build] = nodes.count - 1
                if builds[build].isFound { found[registration] = nodes.count - 1 }
                isNew = comparison.isLastOfItsKind(build)
                next = comparison.following[build]
            }
        }
    }

    /// Returns the node that answers in place of one.
    func target(of node: Node, _ registration: RegisteredWiring.Registration) -> Int? {
        guard let target = registration.forwardsTo else { return nil }
        if let build = node.build, case .build(let answering)? = builds[build].requests.first?.target {
            return nodeOfBuild[answering]
        }
        return found[target]
    }

    /// Adds the edges of a node: those of one of its builds, since the requests of the others lead to the same nodes.
    func addEdges(of node: Node, _ id: Int, to edges: inout [DependencyGraph.Edge]) {
        guard let build = node.build else { return }
        for request in builds[build].requests {
            let target: DependencyGraph.Edge.Target =
                switch request.target {
                case .build(let build): .node(nodeOfBuild[build])
                case .missing(let key): .missing(key)
                }
            edges.append(
                DependencyGraph.Edge(
                    from: id,
                    to: target,
                    source: request.source,
                    isOptional: request.traits.contains(.toleratesAbsence),
                    isDeferred: request.isDeferred
                )
            )
        }
    }
}

extension DependencyGraph.Node {
    fileprivate init(
        _ registration: RegisteredWiring.Registration,
        _ planned: NodePlan.Node,
        id: Int,
        forwardsTo: Int?,
        wasObserved: Bool,
        origin: String?,
        replacedOrigin: String?
    ) {
        let isHidden = planned.build == nil
        self.init(
            id: id,
            registration: planned.registration,
            key: registration.key,
            scope: registration.scope,
            lifetimeRank: registration.lifetimeRank,
            residence: registration.residence,
            location: registration.location,
            level: registration.level,
            builtBy: planned.builtBy,
            isHidden: isHidden,
            forwardsTo: forwardsTo,
            // The container that builds it is no parent, and its registrations are not known here.
            isAnalysable: registration.isAnalysable && (isHidden || !planned.builtBy.isEmpty) || wasObserved,
            wasObserved: wasObserved,
            captiveReason: registration.captiveReason,
            replacedLocation: registration.replaced?.location,
            replacedOrigin: replacedOrigin,
            replacesForwarding: registration.replaced?.isForwarding ?? false,
            origin: origin
        )
    }
}
