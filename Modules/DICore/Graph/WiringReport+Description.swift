extension WiringReport: CustomStringConvertible {
    /// All problems as text with the ways out of each kind, and what the checks could see.
    public var description: String {
        let names = TypeNames(of: problems.flatMap(\.keys))
        var lines = [summary]
        var kinds: [Kind] = []
        for problem in problems where !kinds.contains(problem.kind) { kinds.append(problem.kind) }
        for kind in kinds {
            let problems = problems(kind)
            if kind == .notAnalysable {
                lines += opaque(problems, names)
            } else {
                lines += problems.flatMap { $0.lines(names) }
            }
            lines += kind.waysOut.map { "  → \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    private var summary: String {
        let faults = problems.count { !$0.kind.isAdvice }
        let edges = [
            count(usedEdges.parameters, "edge") + " from initializers", "\(usedEdges.declared) declared",
            "\(usedEdges.observed) observed", "\(usedEdges.forwarding) forwarded",
        ]
        return "wiring: \(count(faults, "problem")), \(count(problems.count - faults, "remark")); checked "
            + edges.joined(separator: ", ")
    }

    private func opaque(_ problems: [Problem], _ names: TypeNames) -> [String] {
        let verb = problems.count == 1 ? "does" : "do"
        return ["[notAnalysable] \(count(problems.count, "closure")) \(verb) not say what is asked for:"]
            + problems.map { "  - \(names.text($0.key))\(place($0.location, $0.origin))" }
    }
}

private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

private func place(_ location: SourceLocation?, _ origin: String? = nil) -> String {
    guard let location else { return "" }
    return origin.map { "  (\(location), \($0))" } ?? "  (\(location))"
}

extension TypeNames {
    fileprivate func way(_ registrations: [WiringReport.Registration]) -> String {
        registrations.map { text($0.key) }.joined(separator: " → ")
    }

    fileprivate func item(_ registration: WiringReport.Registration) -> String {
        "  - \(text(registration.key))\(place(registration.location, registration.origin))"
    }
}

extension WiringReport.Problem {
    /// All keys that the text names.
    fileprivate var keys: [ServiceKey] {
        [key] + requesters.map(\.key) + related.map(\.key) + ways.joined().map(\.key)
    }

    fileprivate func lines(_ names: TypeNames) -> [String] {
        let fact = fact(names) + (detail.map { ": \($0)" } ?? "")
        // A cycle says the place of each of its services.
        var lines = ["[\(kind)] \(fact)" + (kind == .cycle ? "" : place(location, origin))]
        for requester in requesters {
            let place = place(requester.location, requester.origin)
            lines.append("  - needed by \(names.text(requester.key))\(how(requester))\(builder(requester))\(place)")
        }
        switch kind {
        case .missing, .argumentsMismatch:
            lines += related.map { other in
                let whereabouts = other.key == key ? "in another container" : "instead"
                return "  registered \(whereabouts): \(names.text(other.key))\(place(other.location, other.origin))"
            }
        case .cycle:
            lines.append("  cycle: " + names.way(related))
            lines += related.dropLast().map(names.item)
        case .captive, .deferredCaptive:
            let isDirect = ways.allSatisfy { $0.count == 2 }
            for way in ways {
                if !isDirect { lines.append("  way: " + names.way(way)) }
                lines += way.dropFirst().map(names.item)
            }
        case .duplicate, .ambiguousForwarding:
            lines += related.map { "  - in place of the one at \($0.location)" + ($0.origin.map { ", \($0)" } ?? "") }
        case .unused, .notAnalysable: break
        }
        return lines
    }

    private func fact(_ names: TypeNames) -> String {
        let subject = names.text(key)
        return switch kind {
        case .missing: "\(subject) is not registered"
        case .argumentsMismatch: "\(subject) is registered for other runtime arguments only"
        case .cycle: "\(subject) needs itself in order to be built"
        case .captive: "\(subject) holds what lives shorter"
        case .deferredCaptive: "\(subject) asks later for what lives shorter"
        case .duplicate: "\(subject) is registered twice"
        case .ambiguousForwarding: "\(subject) is claimed by a forwarded type and by another registration"
        case .unused: "\(subject) is asked for by nobody"
        case .notAnalysable: "\(subject) does not say what it asks for"
        }
    }

    private func how(_ requester: WiringReport.Requester) -> String {
        switch requester.source {
        case .parameter(let index): ", parameter \(index + 1)"
        case .declared: ", as declared"
        case .declaredOfParent: ", asked of the parent as declared"
        case .observed: ", as observed"
        case .forwarding: ", as forwarded"
        }
    }

    /// Names the container that builds the requester, where another container has the missing key.
    private func builder(_ requester: WiringReport.Requester) -> String {
        guard related.contains(where: { $0.key == key }) else { return "" }
        return switch requester.builtBy.first ?? 0 {
        case 0: ""
        case 1: ", built by the parent"
        case 2: ", built by the parent's parent"
        case let level: ", built by the parent \(level) levels up"
        }
    }
}

extension WiringReport.Kind {
    /// What can be done about problems of the kind, said once for all of them.
    fileprivate var waysOut: [String] {
        switch self {
        case .missing:
            ["register it, correct its type or name where it is asked for, or say that it is external"]
        case .argumentsMismatch:
            ["ask for it with these arguments in a factory and say so by dependsOn, or register it without arguments"]
        case .cycle:
            [
                "set one side as a property in initCompleted, in a scope that shares the instance",
                "or give one side a Lazy or Provider of the other",
            ]
        case .captive:
            [
                "let it live shorter or what it holds longer, or let it hold a Provider",
                "or grant it with allowsCaptives(because:)",
            ]
        case .deferredCaptive:
            [
                "ask a Provider at each use and keep nothing of it; a Lazy or a callback keeps what it was given",
                "or grant it with allowsCaptives(because:)",
            ]
        case .ambiguousForwarding:
            ["remove one of the two, or give one a name: now the later registration answers"]
        case .duplicate: ["remove one of the two, or give one a name: now the later registration answers"]
        case .unused: ["remove it, or name it among the roots"]
        case .notAnalysable: ["register an initializer, say dependsOn, or record a run"]
        }
    }
}
