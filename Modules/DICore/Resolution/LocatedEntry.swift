/// The answer of a ``Resolver`` to a key: the registration, and the container that was asked.
///
/// A resolver passes one on from another resolver, or makes one from an entry and its own context:
///
///     func locate(_ key: ServiceKey) -> LocatedEntry {
///         LocatedEntry(entries[key], context: context)
///     }
///
/// It holds both, so that an answer may be made of an entry that nobody else holds, and may be kept. The request that it
/// answers checks that the registration is one of the types that were asked for.
public struct LocatedEntry {
    /// The registration, or nil when there is none.
    public let entry: AnyServiceEntry?

    /// The context of the container that was asked.
    // Not public: who has a context acts on behalf of its container.
    let context: ResolutionContext

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - entry: the registration, or nil when there is none. One that is not registered anywhere belongs to the context
    ///     from here on.
    ///   - context: that of the resolver that is asked.
    public init(_ entry: AnyServiceEntry?, context: ResolutionContext) {
        if let entry, entry.ownerID == 0 { context.adopt(entry) }
        self.entry = entry
        self.context = context
    }

    /// Takes over the answer of a container.
    init(_ located: UnsafeLocatedEntry) {
        defer { located.endReading() }
        context = located.context.takeUnretainedValue()
        entry = located.entry
    }

    /// Whether there is a registration.
    public var isFound: Bool { entry != nil }
}
