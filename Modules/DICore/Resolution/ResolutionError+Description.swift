extension ResolutionError: CustomStringConvertible, CustomDebugStringConvertible {
    /// What failed in one sentence, who asked for it, and what to do.
    public var description: String {
        lines(TypeNames(of: path.map(\.key) + suggestions.map(\.key))).joined(separator: "\n")
    }

    /// The same with types in full, which containers were searched, and where the code is explained.
    public var debugDescription: String {
        var lines = lines(TypeNames(of: EmptyCollection(), alwaysFull: true))
        if !searched.isEmpty {
            let containers = searched.map {
                let unit = $0.registrations == 1 ? "registration" : "registrations"
                return "\(SearchedContainer.name(of: $0.level)) (\($0.registrations) \(unit))"
            }
            lines.append("  searched: \(containers.joined(separator: ", "))")
        }
        lines.append("  explained in Docs/Errors/\(code).md")
        return lines.joined(separator: "\n")
    }

    private func lines(_ names: TypeNames) -> [String] {
        var lines = [headline(names)]
        if code == .circular {
            lines.append("  cycle: " + path[cycle].map { names.text($0.key) }.joined(separator: " → "))
        }
        lines += requesters(names)
        for suggestion in suggestions {
            let place = suggestion.kind == .otherContainer ? "in another container" : "instead"
            lines.append("  registered \(place): \(names.text(suggestion.key))  (\(suggestion.location))")
        }
        lines += (suggestions.map(\.text) + waysOut(names)).prefix(3).map { "  → \($0)" }
        return lines
    }

    /// The part of the path from the innermost earlier occurrence of the key to its repeat; nothing where there is none.
    private var cycle: Range<Int> {
        guard code == .circular else { return path.endIndex..<path.endIndex }
        let start = path.dropLast().lastIndex { $0.key == key } ?? path.startIndex
        return start..<path.endIndex
    }

    /// Who asked, innermost first. What a recursion repeats is written once, with how often.
    private func requesters(_ names: TypeNames) -> [String] {
        // The last step is what the headline is about.
        let steps = path.dropLast().indices.reversed().map { index in
            let step = path[index]
            let parameter = step.parameter.map { ", parameter \($0 + 1)" } ?? ""
            let place = step.location.map { "  (\($0))" } ?? ""
            let verb = code == .circular && index < cycle.lowerBound ? "entered from" : "needed by"
            return "  \(verb) \(names.text(step.key))\(parameter)\(place)"
        }
        if steps.isEmpty {
            switch code {
            // Nobody asked: what is wrong was found out when something was registered or checked.
            case .scopeChanged, .invalidWiring, .alreadyBootstrapped: return []
            case .containerGone: return ["  asked for by a wrapper that was made while the container was there"]
            default: return ["  asked for directly"]
            }
        }
        return ResolutionError.folded(steps)
    }

    /// The lines with each run of three or more equal blocks of up to four lines written once.
    private static func folded(_ lines: [String]) -> [String] {
        var folded: [String] = []
        var next = 0
        while next < lines.count {
            let (period, times) = repetition(in: lines[next...])
            folded += lines[next..<next + period]
            if times > 1 {
                folded.append(period == 1 ? "  … \(times) times" : "  … these \(period) lines \(times) times")
            }
            next += period * times
        }
        return folded
    }

    /// The block that lines begin with, and how often it stands there. A block that is there twice is no recursion yet.
    private static func repetition(in lines: ArraySlice<String>) -> (period: Int, times: Int) {
        for period in 1...4 {
            var end = lines.startIndex + period
            while end < lines.endIndex, lines[end] == lines[end - period] { end += 1 }
            let times = (end - lines.startIndex) / period
            if times > 2 { return (period, times) }
        }
        return (1, 1)
    }

    private func headline(_ names: TypeNames) -> String {
        let subject = names.text(key)
        let fact =
            switch code {
            case .notRegistered: "\(subject) is not registered"
            case .argumentsMismatch: "\(subject) is not registered for these runtime arguments"
            case .circular: "\(subject) needs itself in order to be built"
            case .depthExceeded: "\(subject) is being built inside itself more often than the depth limit allows"
            case .typeMismatch: "\(subject) got an instance of another type"
            case .factoryThrew: "\(thrownBy.map { "\($0)" } ?? "the factory or a callback") of \(subject) threw"
            case .containerGone: "\(subject) cannot be resolved, since its container is gone"
            case .crossThreadCycle: "\(subject) is needed by threads that wait for each other"
            case .notSendable: "\(subject) cannot be wrapped for several threads"
            case .waitLimitExceeded: "\(subject) is being built by another thread for longer than the limit"
            case .noCurrentResolver: "\(subject) is wanted, and there is no current resolver"
            case .alreadyBootstrapped: "the current resolver of the process is set already"
            case .invalidWiring: "the wiring of \(subject) is not valid"
            case .scopeChanged: "the scope of \(subject) was changed after it had produced an instance"
            default: "\(subject) could not be resolved"
            }
        var line = "[\(code)] \(fact)"
        // A report of the wiring has lines of its own.
        if let detail { line += detail.contains("\n") ? ":\n" + ResolutionError.indented(detail) : ": \(detail)" }
        if let underlying { line += ": \(underlying)" }
        if let location = path.last?.location, path.last?.key == key { line += "  (\(location))" }
        return line
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
    }

    /// What can be done about a failure of this kind, where nothing more fitting was found.
    private func waysOut(_ names: TypeNames) -> [String] {
        switch code {
        case .notRegistered:
            missingWaysOut(names)
        case .circular:
            [
                "set one side as a property in initCompleted, in a scope that shares the instance",
                "or give one side a Lazy or Provider of the other, and open it after construction",
            ]
        case .argumentsMismatch:
            suggestions.isEmpty ? ["pass arguments of exactly the registered static types"] : []
        case .typeMismatch:
            [
                "where it was forwarded: use the form with a closure, which lets the compiler prove the type",
                "where a storage was filled from outside: put in an instance of exactly this type",
            ]
        case .depthExceeded: ["end the recursion, or raise depthLimit of the container"]
        case .scopeChanged: ["pass scope: to register"]
        case .crossThreadCycle:
            [
                "break the cycle as within one thread: a property set in initCompleted, or a Lazy or Provider",
                "or ask for these services in one order on all threads",
            ]
        case .notSendable:
            [
                "register it in a container that several threads may use, and pass arguments with requireSendable",
                "or ask for a Lazy or Provider, which stays in the isolation domain of its container",
            ]
        case .waitLimitExceeded: ["find out what the factory waits for, or raise waitLimit of the container"]
        case .noCurrentResolver:
            [
                "call CurrentResolver.bootstrap(_:) at the start of the program",
                "or CurrentResolver.withValue(_:operation:) around the code that needs it, as tests do",
                "or say where it comes from: @Injected(from: resolver)",
            ]
        case .alreadyBootstrapped: ["set it once, and use CurrentResolver.withValue(_:operation:) for another one"]
        case .containerGone: ["keep the container, or open the wrapper before it ends"]
        default: []
        }
    }

    /// Another name, arguments or container is most often the whole answer; a similar type may have nothing to do with it.
    private func missingWaysOut(_ names: TypeNames) -> [String] {
        guard suggestions.allSatisfy({ $0.kind == .similarType }) else { return [] }
        let register = "register \(names.text(key)) in the container that was asked, or in a parent of it"
        if !suggestions.isEmpty { return [register] }
        return [
            register, "or ask for the type that it is registered as: a protocol and its implementation are two keys",
        ]
    }
}

extension ResolutionError.SearchedContainer {
    /// The container as seen from the one that was asked.
    fileprivate static func name(of level: Int) -> String {
        switch level {
        case 0: "the container"
        case 1: "its parent"
        default: "the parent \(level) levels up"
        }
    }
}
