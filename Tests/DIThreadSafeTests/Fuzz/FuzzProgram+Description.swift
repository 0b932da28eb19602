extension FuzzProgram: CustomStringConvertible {
    var description: String {
        var lines = [
            "program \(seed), \(isPlain ? "plain" : "shared"), \(services) services, \(features.sorted().joined(separator: " "))"
        ]
        lines[0] += waitLimit.map { ", waitLimit \($0) µs" } ?? ""
        lines[0] += waitWarning.map { ", waitWarning \($0) µs" } ?? ""
        lines[0] += holdsAll ? ", holds all" : ""
        for (index, plan) in containers.enumerated() {
            let parent = plan.parent.map { " child of \($0)" } ?? ""
            let thread = plan.thread.map { " confined to \($0)" } ?? ""
            lines.append("  container \(index):\(parent)\(plan.isAlone ? " sharing none" : "")\(thread)")
        }
        for (index, entry) in entries.enumerated() {
            let kind = entry.isContribution ? " contribution" : ""
            let later = entry.isThereAtFirst ? "" : " later"
            lines.append(
                "  entry \(index): service \(entry.service) in \(entry.container), \(entry.scope)\(kind)\(later)"
            )
            if !entry.constructor.isEmpty { lines.append("    constructor: \(entry.constructor.map(Self.text))") }
            for callback in entry.callbacks { lines.append("    callback: \(callback.map(Self.text))") }
            if let farewell = entry.farewell { lines.append("    deinit: \(farewell)") }
        }
        for observer in observers {
            lines.append("  observer of .\(observer.event) in \(observer.container): \(observer.action)")
        }
        for (index, script) in scripts.enumerated() {
            lines.append("  thread \(index): \(script.map { "\($0)" }.joined(separator: "; "))")
        }
        return lines.joined(separator: "\n")
    }

    private static func text(_ step: FuzzStep) -> String {
        switch step {
        case .ask(let service, let form): "\(form) \(service)"
        case .act(let action): "\(action)"
        case .fail(let failing): "fail \(failing)"
        case .pause: "pause"
        case .openKept: "open kept"
        }
    }
}
