public import DICore

/// Why assemblies were not loaded.
public enum AssemblyError: Error, Sendable, CustomStringConvertible {
    /// Assemblies need each other: their types, and identities where they state some, from one back to the same one.
    case needEachOther([String])

    /// An assembly that registers in plain containers alone is needed in a container that several threads use.
    case confined(String)

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
        case .confined(let name):
            """
            [confinedAssembly] \(name) registers in plain containers alone
              → make it a SendableAssembly
            """
        case .invalidWiring(let report): "\(report)"
        }
    }

    /// The way round, for assemblies that need each other; otherwise empty.
    public var cycle: [String] {
        if case .needEachOther(let names) = self { names } else { [] }
    }
}
