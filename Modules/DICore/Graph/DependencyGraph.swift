/// The wiring of a container as a value: what is registered, and what needs what.
///
///     let graph = container.dependencyGraph()
///     let report = graph.validate()
///     #expect(report.isValid, "\(report)")
///
/// Made without constructing anything. It holds what the container and its parents register, in a fixed order, and the
/// edges that are known: from initializers, from what registrations declare, and from what an observer has recorded.
/// Closures that say nothing of what they ask for are listed as not analysable by ``validate(roots:external:)``.
public struct DependencyGraph: Sendable {
    /// A registration.
    public struct Node: Sendable, Identifiable {
        /// The place in ``DependencyGraph/nodes``.
        public let id: Int
        /// What it is found by.
        public let key: ServiceKey
        /// The scope in words.
        public let scope: String
        /// How long its instances live.
        public let lifetimeRank: LifetimeRank
        /// Which container builds and keeps its instances.
        public let residence: Residence
        /// Where the registration was written.
        public let location: SourceLocation
        /// How many parents up from the container it is registered: zero for the container itself.
        public let level: Int
        /// The node that answers in place of this one, for a forwarded type.
        public let forwardsTo: Int?
        /// Whether all that its factory asks for is known: the registration says so, or the factory was seen to run.
        public let isAnalysable: Bool
        /// Whether the factory was seen to run.
        public let wasObserved: Bool
        /// Why it may hold an instance that lives shorter, if that was granted.
        public let captiveReason: String?
        /// Where the registration was written that it has replaced, if it has replaced one.
        public let replacedLocation: SourceLocation?
        /// Who registered that one, where that is known.
        public let replacedOrigin: String?
        /// Whether it replaced a registration and one of the two forwards a type.
        public let replacesForwarding: Bool
        /// Who registered it, such as an assembly, where that is known.
        public let origin: String?

        /// The module that the registration was written in.
        public var module: String { location.module }
    }

    /// Something that a registration asks for.
    public struct Edge: Sendable, Hashable {
        /// How the edge is known.
        public enum Source: Sendable, Hashable {
            /// A parameter of the registered initializer, counted from zero.
            case parameter(Int)
            /// The registration says so.
            case declared
            /// Seen while resolving.
            case observed
            /// A forwarded type and the entry that answers for it.
            case forwarding
        }

        /// Where an edge leads.
        public enum Target: Sendable, Hashable {
            /// To a registration.
            case node(Int)
            /// To a key that nobody has registered.
            case missing(ServiceKey)
        }

        /// The node that asks.
        public let from: Int
        /// What is asked for.
        public let to: Target
        /// How it is known.
        public let source: Source
        /// Whether the request is one that does without the service: an Optional, or a collection.
        public let isOptional: Bool
        /// Whether the service is resolved only later, by a `Lazy` or a `Provider`, or by a callback.
        public let isDeferred: Bool
    }

    /// The registrations, those of the outermost parent first, each container's in the order of registration.
    public let nodes: [Node]

    /// What is asked for, in the order of the nodes that ask and, for each, of its parameters.
    public let edges: [Edge]

    /// The edges that begin at each node, as ranges of ``edges``.
    let edgeRanges: [Range<Int>]

    /// The node that a request for a key would find, from the container that the graph is of.
    public func node(for key: ServiceKey) -> Node? {
        index.find(key, from: 0).map { nodes[$0] }
    }

    /// The edges that begin at a node.
    public func edges(from node: Node) -> ArraySlice<Edge> { edges[edgeRanges[node.id]] }

    let index: NodeIndex

    init(nodes: [Node], edges: [Edge], index: NodeIndex) {
        self.nodes = nodes
        self.edges = edges
        self.index = index
        var ranges: [Range<Int>] = []
        var start = 0
        for node in nodes.indices {
            var end = start
            while end < edges.count, edges[end].from == node { end += 1 }
            ranges.append(start..<end)
            start = end
        }
        edgeRanges = ranges
    }

    /// Finds nodes by key, level by level.
    struct NodeIndex: Sendable {
        /// For each level from the container upwards.
        var levels: [[ServiceKey: Int]]
        /// The contributions to each type, the parents' first.
        var contributions: [ObjectIdentifier: [Contribution]]

        struct Contribution: Sendable {
            let node: Int
            let level: Int
            let name: String?
        }

        func find(_ key: ServiceKey, from level: Int) -> Int? {
            for nodes in levels[min(level, levels.count)...] {
                if let node = nodes[key] { return node }
            }
            return nil
        }

        /// Follows a requested type through wrappers to what is registered.
        func follow(_ requested: ServiceKey, from level: Int) -> (targets: [Edge.Target], traits: WrapperTraits) {
            var key = requested
            var traits: WrapperTraits = []
            while true {
                if let target = find(key, from: level) { return ([.node(target)], traits) }
                guard let wrapper = WrappedType(of: key.serviceType) else { break }
                traits.formUnion(wrapper.traits)
                if wrapper.traits.contains(.gathersContributions) {
                    let gathered = (contributions[ObjectIdentifier(wrapper.type)] ?? []).filter {
                        $0.level >= level && (key.name == nil || $0.name == key.name)
                    }
                    // Without a name there may be none; by a name some are meant.
                    if gathered.isEmpty, key.name != nil {
                        return ([.missing(key)], traits.subtracting(.toleratesAbsence))
                    }
                    return (gathered.map { .node($0.node) }, traits)
                }
                key = key.with(serviceType: wrapper.type)
            }
            return (key.serviceType == GraphIdentifier.self ? [] : [.missing(key)], traits)
        }
    }
}
