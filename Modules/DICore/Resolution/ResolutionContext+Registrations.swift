extension ResolutionContext {
    /// The answer to a key: its registration here or, failing that, in the nearest parent that has it.
    ///
    /// What the `locate(_:)` of a resolver gives that has its registrations here.
    public func locate(_ key: ServiceKey) -> LocatedEntry {
        LocatedEntry(locate(key, session))
    }

    /// The entry that is registered here under exactly this key.
    public func entry(for key: ServiceKey) -> AnyServiceEntry? { registry.entry(for: key) }

    /// The entries that are registered here, in the order of registration.
    public var entries: [AnyServiceEntry] { registry.entries }

    /// The contributions to the collection of a type, the parents' first.
    public func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] {
        (parent?.contributions(to: serviceType) ?? []) + registry.contributions(to: serviceType)
    }

    /// Everything that can be found from here, the parents' first, without what is overridden.
    public var visibleEntries: [AnyServiceEntry] {
        (parent?.visibleEntries ?? []).filter { registry.entry(for: $0.key) == nil } + registry.entries
    }
}

extension ResolutionContext: CustomStringConvertible {
    /// The registrations in words, one a line.
    public var description: String {
        let lines = entries.map { "  \($0.key): \($0.forwardTarget.map { "as \($0.key)" } ?? "\($0.scope)")" }
        let count = lines.count == 1 ? "1 registration" : "\(lines.count) registrations"
        return (["Container with \(count)"] + lines).joined(separator: "\n")
    }
}
