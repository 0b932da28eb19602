public import DICore

/// Takes registrations on behalf of a resolver that takes entries: what ``ResolverConformance`` needs of one with a
/// registry of its own.
///
///     ResolverConformance { register in
///         let resolver = ModuleResolver()
///         register(EntryRegistrar { resolver.add($0) })
///         return resolver
///     }
public final class EntryRegistrar: SendableRegistrar {
    /// The scope of registrations that say nothing of one: `graph`.
    public let defaultObjectScope: any ObjectScopeProtocol = ObjectScope.graph

    private let addEntry: (AnyServiceEntry) -> Void

    /// Makes a registrar that hands on each entry.
    public init(_ addEntry: @escaping (AnyServiceEntry) -> Void) {
        self.addEntry = addEntry
    }

    /// Hands the entry on.
    public func add(_ entry: AnySendableEntry) {
        addEntry(entry.anyEntry)
    }
}
