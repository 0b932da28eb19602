internal import DICore

/// Turns the events of one thread of control into what is logged of them.
struct EventLog: Sendable {
    let level: LogLevel
    private var tree = ResolutionTree()

    struct Entry: Sendable {
        let level: LogLevel
        let text: String
    }

    init(_ level: LogLevel) {
        self.level = level
    }

    /// Whether the events that are still to come complete something.
    var isOpen: Bool { tree.isOpen }

    /// What is logged when an event comes.
    mutating func entries(for event: ResolutionEvent) -> [Entry] {
        var entries: [Entry] = []
        if let entry = entry(for: event), entry.level <= level { entries.append(entry) }
        if level == .trace { follow(event) }
        if let finished = tree.takeFinished() { entries.append(Entry(level: .trace, text: finished)) }
        return entries
    }

    private func entry(for event: ResolutionEvent) -> Entry? {
        switch event.kind {
        case .failed(let error):
            Entry(level: .error, text: "\(error)")
        case .replaced(let previous):
            Entry(level: .warning, text: "\(subject(event)) replaces the registration at \(previous)")
        case .overridePassedOver(let override):
            Entry(
                level: .warning,
                text: "\(subject(event)) is kept by a parent, which does not see the registration at \(override)"
            )
        case .waiting(let report):
            Entry(
                level: .warning,
                text: "\(subject(event)) is built by another thread, which takes long: \(report)"
            )
        case .registered:
            Entry(level: .info, text: "\(subject(event)) is registered in scope \(event.scope ?? "-")")
        case .removed:
            Entry(level: .info, text: "\(subject(event)) is removed")
        case .scopeReset(let scope):
            Entry(level: .info, text: "scope \(scope) is reset")
        case .began, .reused, .deferred, .created, .aborted: nil
        }
    }

    private mutating func follow(_ event: ResolutionEvent) {
        switch event.kind {
        case .failed(let error):
            if error.code == .notRegistered || error.code == .argumentsMismatch { tree.fail(event, error) }
        case .began: tree.begin(event)
        case .reused: tree.reuse(event)
        case .deferred: tree.postpone(event)
        case .created: tree.finish(event)
        case .aborted: tree.abort(event)
        case .replaced, .overridePassedOver, .waiting, .registered, .removed, .scopeReset: break
        }
    }

    private func subject(_ event: ResolutionEvent) -> String {
        let key = event.key.map { "\($0)" } ?? "-"
        return event.location.map { "\(key) (\($0))" } ?? key
    }
}

extension LogLevel {
    /// What a logger of this level has to be told.
    var interests: ResolutionInterests {
        switch self {
        case .off: []
        case .error: .failures
        case .warning, .info: [.failures, .registrations]
        case .trace: .all
        }
    }
}
