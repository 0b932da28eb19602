extension ResolutionError: CustomStringConvertible {
    /// What failed in one sentence, the path, and the ways out.
    public var description: String {
        var lines = [headline]
        if code == .circular {
            lines.append("  cycle: " + path.map(\.key.description).joined(separator: " → "))
        }
        for step in path.reversed() {
            let place = step.location.map { "registered at \($0)" } ?? "not registered"
            lines.append("  - \(step.key)  (\(place))")
        }
        if !candidates.isEmpty {
            lines.append("  registered instead:")
            for candidate in candidates { lines.append("    \(candidate.key)  (\(candidate.location))") }
        }
        lines += waysOut.map { "  → \($0)" }
        return lines.joined(separator: "\n")
    }

    private var headline: String {
        let fact =
            switch code {
            case .notRegistered: "\(key) is not registered"
            case .argumentsMismatch: "\(key) is not registered for these runtime arguments"
            case .circular: "\(key) needs itself in order to be built"
            case .depthExceeded: "\(key) is being built inside itself more often than the depth limit allows"
            case .typeMismatch: "\(key) got an instance of another type"
            case .factoryThrew: "the factory of \(key) threw"
            case .containerGone: "\(key) cannot be resolved, since its container is gone"
            case .scopeChanged: "the scope of \(key) was changed after it had produced an instance"
            default: "\(key) could not be resolved"
            }
        var line = "[\(code)] \(fact)"
        if let detail { line += ": \(detail)" }
        if let underlying { line += ": \(underlying)" }
        return line
    }

    private var waysOut: [String] {
        switch code {
        case .circular:
            [
                "set one side as a property in initCompleted, in a scope that shares the instance",
                "or give one side a Lazy or Provider of the other, and open it after construction",
            ]
        case .argumentsMismatch: ["pass arguments of exactly the registered static types"]
        case .depthExceeded: ["end the recursion, or raise depthLimit of the container"]
        case .scopeChanged: ["pass scope: to register"]
        case .containerGone: ["keep the container, or open the wrapper before it ends"]
        default: []
        }
    }
}
