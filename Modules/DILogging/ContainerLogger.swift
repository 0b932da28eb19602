public import DICore

/// Logs what a container does.
///
///     container.addObserver(ContainerLogger(level: .trace))
///
/// Writes to standard error unless it is given a sink. Without a level it logs warnings where this module was built for
/// debugging, and nothing in release. At ``LogLevel/trace`` every resolve of the container tree is followed, which costs
/// it its fast path; the other levels cost a resolve nothing.
///
/// For a container that several threads use there is ``forThreads(level:sink:)``.
public final class ContainerLogger: ResolutionObserver {
    /// How much is logged.
    public var level: LogLevel { log.level }

    private let sink: LogSink
    private var log: EventLog

    /// Makes a logger, to be added to a container as an observer.
    ///
    /// - Parameters:
    ///   - level: how much is logged.
    ///   - sink: takes what is logged; by default standard error.
    public init(level: LogLevel = .standard, sink: @escaping LogSink = LogSinks.standardError) {
        log = EventLog(level)
        self.sink = sink
    }

    /// What the level asks for.
    public var interests: ResolutionInterests { level.interests }

    /// Logs an event.
    public func observe(_ event: ResolutionEvent) {
        for entry in log.entries(for: event) { sink(entry.level, entry.text) }
    }
}
