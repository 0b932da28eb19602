public import DICore

/// When an assembler checks the wiring after it has loaded assemblies.
public enum WiringValidation: Sendable {
    /// Where this module was built for debugging.
    case inDebug
    /// Always.
    case always
    /// Only when ``Assembler/validate(roots:)`` is called.
    case byHand

    var isOn: Bool {
        switch self {
        case .always: true
        case .byHand: false
        case .inDebug:
            #if DEBUG
            true
            #else
            false
            #endif
        }
    }
}

extension Assembler {
    /// Checks the wiring of everything that this assembler and its parents have registered. Constructs nothing.
    ///
    /// The problems name the assembly that registered what they are about. What assemblies list as provided by others is
    /// taken as given.
    ///
    /// - Parameter roots: the keys that the program itself asks for; with none, nothing is reported as unused.
    public func validate(roots: [ServiceKey] = []) -> WiringReport {
        dependencyGraph().validate(roots: roots, external: externalKeys)
    }

    /// The wiring of everything that this assembler and its parents have registered, with the assemblies as origins.
    public func dependencyGraph(observed: ObservedWiring = ObservedWiring()) -> DependencyGraph {
        container.dependencyGraph(observed: observed) { key, location in
            self.origin(of: key, at: location)
        }
    }
}
