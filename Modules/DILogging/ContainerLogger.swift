public import DICore

/// Logs what a container does.
///
///     container.addObserver(ContainerLogger(level: .trace))
///
/// Writes to standard error unless it is given a sink. Without a level it logs warnings where this module was built for
/// debugging, and nothing in release. At ``LogLevel/trace`` every resolve of the container tree is followed, which costs
/// it its fast path; the other levels cost a resolve nothing.
public final class ContainerLogger: ResolutionObserver {
    /// How much is logged.
    public let level: LogLevel

    private let sink: LogSink
    private var tree = ResolutionTree()

    /// Makes a logger, to be added to a container as an observer.
    ///
    /// - Parameters:
    ///   - level: how much is logged.
    ///   - sink: takes what is logged; by default standard error.
    public init(level: LogLevel = .standard, sink: @escaping LogSink = LogSinks.standardError) {
        self.level = level
        self.sink = sink
    }

    /// What the level asks for.
    public var interests: ResolutionInterests {
        switch level {
        case .off: []
        case .error: .failures
        case .warning, .info: [.failures, .registrations]
        case .trace: .all
        }
    }

    /// Logs an event.
    public func observe(_ event: ResolutionEvent) {
        switch event.kind {
        case .failed(let error):
            log(.error, "\(error)")
            if level == .trace, error.code == .notRegistered || error.code == .argumentsMismatch {
                tree.fail(event, error)
            }
        case .replaced(let previous):
            log(.warning, "\(subject(event)) replaces the registration at \(previous)")
        case .overridePassedOver(let override):
            log(.warning, "\(subject(event)) is kept by a parent, which does not see the registration at \(override)")
        case .waiting(let report):
            log(.warning, "\(subject(event)) is built by another thread, which takes long: \(report)")
        case .registered:
            log(.info, "\(subject(event)) is registered in scope \(event.scope ?? "-")")
        case .removed:
            log(.info, "\(subject(event)) is removed")
        case .scopeReset(let scope):
            log(.info, "scope \(scope) is reset")
        case .began: tree.begin(event)
        case .reused: tree.reuse(event)
        case .deferred: tree.postpone(event)
        case .created: tree.finish(event)
        case .aborted: tree.abort(event)
        }
        if let finished = tree.takeFinished() { log(.trace, finished) }
    }

    private func subject(_ event: ResolutionEvent) -> String {
        let key = event.key.map { "\($0)" } ?? "-"
        return event.location.map { "\(key) (\($0))" } ?? key
    }

    private func log(_ eventLevel: LogLevel, _ text: String) {
        if eventLevel <= level { sink(eventLevel, text) }
    }
}
