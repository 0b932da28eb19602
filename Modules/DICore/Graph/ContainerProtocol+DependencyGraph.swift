extension ContainerProtocol {
    /// Gives the wiring of this container and its parents as a value. Constructs nothing.
    ///
    /// - Parameters:
    ///   - observed: what was recorded while resolving. It completes what initializers and declarations say.
    ///   - origin: who registered a key at a location, where the caller knows; shown with the problems.
    /// - Complexity: linear in the number of registrations and edges.
    public func dependencyGraph(
        observed: ObservedWiring = ObservedWiring(),
        origin: (ServiceKey, SourceLocation) -> String? = { _, _ in nil }
    ) -> DependencyGraph {
        var builder = DependencyGraphBuilder(levels: levels.map { $0.registry.entries })
        return builder.build(observed: observed, origin: origin)
    }
}

/// Turns the registrations of a container and its parents into nodes, and what they ask for into edges.
struct DependencyGraphBuilder {
    private let entries: [[AnyServiceEntry]]
    private var nodes: [DependencyGraph.Node] = []
    private var edges: [DependencyGraph.Edge] = []
    private var index: DependencyGraph.NodeIndex
    private var nodeIDs: [UInt: Int] = [:]

    init(levels: [[AnyServiceEntry]]) {
        entries = levels
        index = .init(levels: levels.map { _ in [:] }, contributions: [:])
    }

    mutating func build(
        observed: ObservedWiring,
        origin: (ServiceKey, SourceLocation) -> String?
    ) -> DependencyGraph {
        addIdentities()
        for level in entries.indices.reversed() {
            for entry in entries[level] { addNode(entry, level, observed, origin) }
        }
        let seen = Dictionary(grouping: observed.edges, by: \.from)
        for level in entries.indices.reversed() {
            for entry in entries[level] {
                addEdges(entry, level, observed: isFoundFirst(entry) ? seen[entry.key] ?? [] : [])
            }
        }
        return DependencyGraph(nodes: nodes, edges: edges, index: index)
    }

    private mutating func addIdentities() {
        for level in entries.indices.reversed() {
            for entry in entries[level] {
                let id = nodeIDs.count
                nodeIDs[entry.id] = id
                index.levels[level][entry.key] = id
                if entry.isContribution {
                    index.contributions[ObjectIdentifier(entry.serviceType), default: []]
                        .append(.init(node: id, level: level, name: entry.key.name))
                }
            }
        }
    }

    private mutating func addNode(
        _ entry: AnyServiceEntry,
        _ level: Int,
        _ observed: ObservedWiring,
        _ origin: (ServiceKey, SourceLocation) -> String?
    ) {
        // What a forwarding entry stands for may have been replaced under its own key; it then has no node.
        let target = entry.forwardTarget
        let keeping = target ?? entry
        // Of two registrations of one line the later one alone is known.
        let replaced = entry.wiringState?.replaced.flatMap { $0.location == entry.location ? nil : $0.location }
        let wasObserved = observed.constructed.contains(entry.key) && isFoundFirst(entry)
        nodes.append(
            DependencyGraph.Node(
                id: nodes.count,
                key: entry.key,
                scope: "\(keeping.scope)",
                lifetimeRank: keeping.scope.lifetimeRank,
                residence: keeping.scope.residence,
                location: entry.location,
                level: level,
                forwardsTo: target.flatMap { nodeIDs[$0.id] },
                isAnalysable: target.map { nodeIDs[$0.id] != nil || $0.isAnalysable } ?? entry.isAnalysable
                    || wasObserved,
                wasObserved: wasObserved,
                captiveReason: entry.captiveReason,
                replacedLocation: entry.wiringState?.replaced?.location,
                replacedOrigin: replaced.flatMap { origin(entry.key, $0) },
                replacesForwarding: entry.wiringState?.replaced?.isForwarding ?? false,
                origin: origin(entry.key, entry.location)
            )
        )
    }

    /// An observation tells the key; the registration that a request finds first is the one that ran.
    private func isFoundFirst(_ entry: AnyServiceEntry) -> Bool {
        index.find(entry.key, from: 0) == nodeIDs[entry.id]
    }

    private mutating func addEdges(_ entry: AnyServiceEntry, _ level: Int, observed: [ObservedWiring.Edge]) {
        guard let node = nodeIDs[entry.id] else { return }
        if let target = nodes[node].forwardsTo {
            edges.append(
                .init(from: node, to: .node(target), source: .forwarding, isOptional: false, isDeferred: false)
            )
            return
        }
        let first = edges.count
        // What its owner builds sees the owner's registrations; all else sees those of the container that asks.
        let view = (entry.forwardTarget ?? entry).scope.residence == .owner ? level : 0
        // A forwarding whose base is registered no more under its own key stands for it here.
        for dependency in (entry.forwardTarget ?? entry).dependencies {
            let source: DependencyGraph.Edge.Source =
                switch dependency.source {
                case .parameter(let index): .parameter(index)
                case .declared: .declared
                }
            let (targets, traits) = index.follow(dependency.key, from: view)
            for target in targets { edges.append(edge(node, target, source, traits)) }
        }
        // What is asked for at once need not be told again, also when it is asked for later as well.
        var immediate = Set(edges[first...].filter { !$0.isDeferred }.map(\.to))
        var deferred = Set(edges[first...].filter(\.isDeferred).map(\.to))
        for seen in observed {
            let (targets, traits) = index.follow(seen.to, from: view)
            for target in targets where !immediate.contains(target) {
                let edge = edge(node, target, .observed, seen.isDeferred ? traits.union(.defersConstruction) : traits)
                let isNew = edge.isDeferred ? deferred.insert(target) : immediate.insert(target)
                if isNew.inserted { edges.append(edge) }
            }
        }
    }

    private func edge(
        _ node: Int,
        _ target: DependencyGraph.Edge.Target,
        _ source: DependencyGraph.Edge.Source,
        _ traits: WrapperTraits
    ) -> DependencyGraph.Edge {
        .init(
            from: node,
            to: target,
            source: source,
            isOptional: traits.contains(.toleratesAbsence),
            isDeferred: traits.contains(.defersConstruction)
        )
    }
}
