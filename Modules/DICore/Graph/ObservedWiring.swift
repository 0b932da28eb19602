/// What was seen while resolving, to complete a ``DependencyGraph`` where registrations are closures.
///
/// Recorded by an observer such as `DependencyRecorder` of DILogging.
public struct ObservedWiring: Sendable {
    /// An edge that was seen.
    public struct Edge: Sendable, Hashable {
        /// What asked.
        public let from: ServiceKey
        /// What was asked for.
        public let to: ServiceKey
        /// Whether it was asked for later: by a callback, when the instance was complete, or by something that the factory
        /// was given for that, such as a `Lazy`.
        public let isDeferred: Bool
        /// The location of the registration that asked. Without it the registration that a request finds first is meant.
        public let fromLocation: SourceLocation?
        /// The location of the registration that answered, which tells those of a container and its parents apart.
        public let toLocation: SourceLocation?

        /// Makes an edge.
        public init(
            from: ServiceKey,
            to: ServiceKey,
            isDeferred: Bool = false,
            fromLocation: SourceLocation? = nil,
            toLocation: SourceLocation? = nil
        ) {
            self.from = from
            self.to = to
            self.isDeferred = isDeferred
            self.fromLocation = fromLocation
            self.toLocation = toLocation
        }
    }

    /// What asked for what, each edge once, in the order in which they were seen.
    public private(set) var edges: [Edge] = []

    /// What was built.
    public var constructed: Set<ServiceKey> { Set(places.keys) }

    /// The locations of the registrations that were built.
    private(set) var places: [ServiceKey: Set<SourceLocation>] = [:]

    private var known: Set<Edge> = []

    /// Makes a record of nothing.
    public init() {}

    /// Adds what an event says; events that say nothing of the wiring are passed over.
    public mutating func add(_ event: ResolutionEvent) {
        switch event.kind {
        case .created:
            if let key = event.key, let location = event.location { places[key, default: []].insert(location) }
        case .began, .reused:
            if let key = event.key { addEdge(to: key, event, isDeferred: event.isFromCallback) }
        case .deferred:
            if let key = event.key { addEdge(to: key, event, isDeferred: true) }
        case .failed(let error) where error.code == .notRegistered || error.code == .argumentsMismatch:
            addEdge(to: error.key, event, isDeferred: event.isFromCallback)
        default: break
        }
    }

    /// Adds what was seen elsewhere.
    public mutating func merge(_ other: ObservedWiring) {
        places.merge(other.places) { $0.union($1) }
        for edge in other.edges where known.insert(edge).inserted { edges.append(edge) }
    }

    private mutating func addEdge(to key: ServiceKey, _ event: ResolutionEvent, isDeferred: Bool) {
        guard let requester = event.path.last else { return }
        let edge = Edge(
            from: requester,
            to: key,
            isDeferred: isDeferred,
            fromLocation: event.requesterLocation,
            toLocation: event.location
        )
        if known.insert(edge).inserted { edges.append(edge) }
    }
}
