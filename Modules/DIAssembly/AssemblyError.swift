public import DICore

/// Why assemblies were not loaded.
public enum AssemblyError: Error, Sendable, CustomStringConvertible {
    /// Assemblies need each other: their types, and identities where they state some, from one back to the same one.
    case needEachOther([String])

    /// What the assemblies have registered does not fit together.
    case invalidWiring(WiringReport)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .needEachOther(let names):
            """
            [assemblyCycle] assemblies need each other: \(names.joined(separator: " → "))
              → move what both need into an assembly of its own
            """
        case .invalidWiring(let report): "\(report)"
        }
    }

    /// The way round, for assemblies that need each other; otherwise empty.
    public var cycle: [String] {
        if case .needEachOther(let names) = self { names } else { [] }
    }
}
