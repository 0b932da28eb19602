internal import DICore

/// Collects the events of one resolve into a tree of lines, the outermost request first:
///
///     Screen  1.2 ms
///     ├─ Store (reused)
///     └─ Client  0.3 ms
struct ResolutionTree: Sendable {
    private struct Node: Sendable {
        let name: String
        var outcome: String
        var children: [Node] = []

        init(_ name: String, outcome: String = "") {
            self.name = name
            self.outcome = outcome
        }
    }

    /// The constructions that have not ended, outermost first.
    private var open: [Node] = []
    private var finished: Node?

    /// Whether something is being built.
    var isOpen: Bool { !open.isEmpty }

    mutating func begin(_ event: ResolutionEvent) {
        open.append(Node(name(event)))
    }

    mutating func reuse(_ event: ResolutionEvent) {
        attach(Node(name(event), outcome: " (reused)"))
    }

    /// Something was made that asks later. Where nothing is being built there is nothing to show.
    mutating func postpone(_ event: ResolutionEvent) {
        if !open.isEmpty { attach(Node(name(event), outcome: " (later)")) }
    }

    mutating func finish(_ event: ResolutionEvent) {
        close(outcome: event.duration.map { "  \(text($0))" } ?? "")
    }

    mutating func abort(_ event: ResolutionEvent) {
        close(outcome: " (failed)")
    }

    /// A request that failed before anything was built.
    mutating func fail(_ event: ResolutionEvent, _ error: ResolutionError) {
        attach(Node(name(event), outcome: " (\(error.code))"))
    }

    /// The tree of the outermost request, once it has ended.
    mutating func takeFinished() -> String? {
        guard let root = finished else { return nil }
        finished = nil
        var lines: [String] = []
        write(root, first: "", rest: "", to: &lines)
        return lines.joined(separator: "\n")
    }

    private mutating func close(outcome: String) {
        guard var node = open.popLast() else { return }
        node.outcome = outcome
        attach(node)
    }

    private mutating func attach(_ node: Node) {
        if open.isEmpty {
            finished = node
        } else {
            open[open.count - 1].children.append(node)
        }
    }

    private func name(_ event: ResolutionEvent) -> String {
        event.key.map { "\($0)" } ?? "-"
    }

    private func write(_ node: Node, first: String, rest: String, to lines: inout [String]) {
        lines.append(first + node.name + node.outcome)
        for (index, child) in node.children.enumerated() {
            let isLast = index == node.children.count - 1
            write(child, first: rest + (isLast ? "└─ " : "├─ "), rest: rest + (isLast ? "   " : "│  "), to: &lines)
        }
    }

    private func text(_ duration: Duration) -> String {
        let parts = duration.components
        let attosecondsPerMicrosecond: Int64 = 1_000_000_000_000
        let microseconds = parts.seconds * 1_000_000 + parts.attoseconds / attosecondsPerMicrosecond
        if microseconds == 0 { return "<1 µs" }
        if microseconds < 1_000 { return "\(microseconds) µs" }
        return "\(microseconds / 1_000).\(microseconds % 1_000 / 100) ms"
    }
}
