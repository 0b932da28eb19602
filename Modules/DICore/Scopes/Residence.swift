/// Which container builds a service and which one keeps it, when a child asks for what a parent registered.
public enum Residence: Sendable, Hashable {
    /// Built by the container that asks, so that its own registrations apply; kept no longer than the resolve.
    case resolve

    /// Built and kept by the container that asks: each has an instance of its own, dropped with the container.
    case askingContainer

    /// Built by the container that registered it, from that container's registrations, and kept there.
    ///
    /// An instance that outlives the child that asked first can therefore never hold something of that child.
    case owner
}

/// How long the instances of a scope live, as a number that can be compared.
///
/// An entry that lives longer should not hold one that lives shorter; the ranks of the standard scopes leave room for
/// others between them.
public struct LifetimeRank: Comparable, Hashable, Sendable {
    /// The number that is compared.
    public let value: Int

    /// Makes a rank; see the standard ones for where it belongs.
    public init(_ value: Int) {
        self.value = value
    }

    /// A new instance each time.
    public static let transient = LifetimeRank(0)
    /// One instance for each object graph.
    public static let graph = LifetimeRank(100)
    /// One instance for each container that asks.
    public static let perContainer = LifetimeRank(200)
    /// One instance for a span of time.
    public static let expiring = LifetimeRank(300)
    /// One instance while somebody holds it.
    public static let weak = LifetimeRank(400)
    /// One instance for the life of the container.
    public static let container = LifetimeRank(500)

    /// Whether the left one lives shorter.
    public static func < (left: LifetimeRank, right: LifetimeRank) -> Bool { left.value < right.value }
}
