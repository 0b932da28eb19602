/// What is wrong with the wiring of a container: all problems at once, as values.
public struct WiringReport: Sendable {
    /// What kind of problem it is.
    public enum Kind: String, Sendable, CaseIterable, Codable {
        /// A service that is asked for is not registered.
        case missing
        /// A service that is asked for is registered for other runtime arguments.
        case argumentsMismatch
        /// Services need each other to be built.
        case cycle
        /// An instance that lives longer holds one that lives shorter.
        case captive
        /// An instance that lives longer asks later, through a `Lazy`, a `Provider` or a callback, for one that lives shorter.
        case deferredCaptive
        /// A registration has replaced another one of the same container.
        case duplicate
        /// Two registrations claimed a key of which at least one forwards a type; which one answers depends on their order.
        case ambiguousForwarding
        /// A registration that nothing asks for and that is no root.
        case unused
        /// A closure that does not say what it asks for.
        case notAnalysable

        /// Whether the wiring works all the same.
        public var isAdvice: Bool {
            switch self {
            case .missing, .argumentsMismatch, .cycle, .captive, .ambiguousForwarding: false
            case .deferredCaptive, .duplicate, .unused, .notAnalysable: true
            }
        }
    }

    /// A registration that a problem names.
    public struct Registration: Sendable, Hashable {
        /// What it is found by.
        public let key: ServiceKey
        /// Where it was written.
        public let location: SourceLocation
        /// Who registered it, such as an assembly, where that is known.
        public let origin: String?
        /// Its node in the graph that was checked; nil for one that was replaced.
        public let node: Int?

        /// The module that it was written in.
        public var module: String { location.module }
    }

    /// Who asks for what a problem is about.
    public struct Requester: Sendable, Hashable {
        /// The registration that asks.
        public let key: ServiceKey
        /// Where it was written.
        public let location: SourceLocation
        /// Who registered it, where that is known.
        public let origin: String?
        /// How it is known that it asks.
        public let source: DependencyGraph.Edge.Source
        /// The containers that build the registration in this way, as in ``DependencyGraph/Node/builtBy``.
        public let builtBy: [Int]
        /// Its node in the graph that was checked.
        public let node: Int
    }

    /// One problem, with everybody whom it concerns.
    public struct Problem: Sendable {
        /// What kind of problem it is.
        public let kind: Kind
        /// The key that it is about: of the missing service, of the one that lives too long, of the first in the cycle.
        public let key: ServiceKey
        /// Where that key is registered; nil for a missing one.
        public let location: SourceLocation?
        /// Who registered it, where that is known.
        public let origin: String?
        /// Its nodes in the graph that was checked; a missing one has none.
        public let nodes: [Int]
        /// Who asks for it.
        public let requesters: [Requester]
        /// The other registrations that belong to it: the way round a cycle, the captives, what is registered instead of
        /// what is missing, what was replaced.
        public let related: [Registration]
        /// For captives, the way to each of ``related``: from the registration that holds or asks, through what is made for
        /// it, to the captive, both ends included. Of other problems there is none.
        public let ways: [[Registration]]
        /// A half sentence that says more.
        public let detail: String?
    }

    /// All problems, the kinds in their order, each kind in the order of registration.
    public let problems: [Problem]

    /// How many edges of each source the checks could use.
    public let usedEdges: UsedEdges

    /// The edges that were known to the checks, by how they were known.
    public struct UsedEdges: Sendable, Hashable {
        /// From initializers.
        public let parameters: Int
        /// Declared by registrations.
        public let declared: Int
        /// Seen while resolving.
        public let observed: Int
        /// From forwarded types.
        public let forwarding: Int
    }

    /// Whether nothing is wrong. What is only advice, see ``Kind/isAdvice``, does not count.
    public var isValid: Bool { problems.allSatisfy(\.kind.isAdvice) }

    /// The problems of a kind.
    public func problems(_ kind: Kind) -> [Problem] { problems.filter { $0.kind == kind } }

    /// Throws the report as an error unless the wiring is valid.
    public func check() throws(WiringError) {
        if !isValid { throw WiringError(report: self) }
    }
}

/// A wiring that is not valid.
public struct WiringError: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let report: WiringReport

    /// The text of the report.
    public var description: String { report.description }
}
