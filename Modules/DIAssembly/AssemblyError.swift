/// Assemblies that cannot be put in an order.
public struct AssemblyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The assemblies that need each other, by their types, from one back to the same one.
    public let cycle: [String]

    /// What is wrong, with the way round, and what to do.
    public var description: String {
        """
        [assemblyCycle] assemblies need each other: \(cycle.joined(separator: " → "))
          → move what both need into an assembly of its own
        """
    }
}
