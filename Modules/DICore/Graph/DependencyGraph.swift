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
    /// A registration, as containers build it.
    ///
    /// A registration has one node where all containers build it alike. A transient or graph service is built by the container
    /// that asks, from that container's registrations; where a child overrides a dependency, the service has one node for the
    /// child and one for its parent.
    public struct Node: Sendable, Identifiable {
        /// The place in ``DependencyGraph/nodes``.
        public let id: Int
        /// The number of the registration, which the nodes of one registration share.
        public let registration: Int
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
        /// The containers that build it in this way, as numbers like ``level``. For a forwarded type, those that build the
        /// entry which answers.
        public let builtBy: [Int]
        /// Whether no request to the container can lead to it, since its key is registered nearer. It has no edges.
        public let isHidden: Bool
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
            /// The registration says that it asks the parent of its container.
            case declaredOfParent
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

    /// The registrations, those of the outermost parent first, each container's in the order of registration. Of several
    /// nodes of one registration that of the nearest container comes first.
    public let nodes: [Node]

    /// What is asked for, in the order of the nodes that ask and, for each, of its parameters.
    public let edges: [Edge]

    /// The edges that begin at each node, as ranges of ``edges``.
    let edgeRanges: [Range<Int>]

    /// The node that a request for a key would find, from the container that the graph is of.
    public func node(for key: ServiceKey) -> Node? {
        wiring.find(key, from: 0).map { nodes[found[$0]] }
    }

    /// The edges that begin at a node.
    public func edges(from node: Node) -> ArraySlice<Edge> { edges[edgeRanges[node.id]] }

    /// The registrations that the graph was made from.
    let wiring: RegisteredWiring

    /// The node of each registration that a request to the container finds; of one that none finds, its first node.
    private let found: [Int]

    init(nodes: [Node], edges: [Edge], wiring: RegisteredWiring, found: [Int]) {
        self.nodes = nodes
        self.edges = edges
        self.wiring = wiring
        self.found = found
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
}

extension DependencyGraph {
    /// Returns the nodes that a request to the container finds, or the key that is missing.
    func answer(_ key: ServiceKey) -> (nodes: [Int], missing: ServiceKey?, isOptional: Bool) {
        let answer = wiring.answer(key, from: 0)
        let isOptional = answer.traits.contains(.toleratesAbsence)
        return switch answer.found {
        case .registration(let registration): ([found[registration]], nil, isOptional)
        case .contributions(let contributions): (contributions.map { found[$0] }, nil, isOptional)
        case .missing(let key): ([], key, isOptional)
        case .nothing: ([], nil, isOptional)
        }
    }

    /// Returns the level of the container that an edge asks.
    func level(askedBy edge: Edge) -> Int {
        let node = nodes[edge.from]
        if edge.source == .declaredOfParent { return wiring.registrations[node.registration].parentOfOwner }
        return node.builtBy.first ?? node.level
    }

    /// One node of each registration.
    var registered: LazyFilterSequence<[Node]> {
        nodes.lazy.filter { $0.id == 0 || nodes[$0.id - 1].registration != $0.registration }
    }
}
