public import DICore
internal import Synchronization

extension ContainerLogger {
    /// Makes a logger for a container that several threads use.
    ///
    ///     container.addObserver(ContainerLogger.forThreads(level: .trace))
    ///
    /// Each thread has a tree of its own, which goes to the sink in one piece. The sink is called on the thread on which
    /// something happens, by several at a time.
    public static func forThreads(
        level: LogLevel = .standard,
        sink: @escaping @Sendable (_ level: LogLevel, _ text: String) -> Void = { LogSinks.standardError($0, $1) }
    ) -> any ResolutionObserver & Sendable {
        ThreadsLogger(level, sink)
    }
}

private final class ThreadsLogger: ResolutionObserver, Sendable {
    let interests: ResolutionInterests

    private let level: LogLevel
    private let sink: @Sendable (LogLevel, String) -> Void

    /// What is open on each thread.
    private let logs = Mutex<[ResolutionSession.ID: EventLog]>([:])

    init(_ level: LogLevel, _ sink: @escaping @Sendable (LogLevel, String) -> Void) {
        interests = level.interests
        self.level = level
        self.sink = sink
    }

    func observe(_ event: ResolutionEvent) {
        // Taken out, since the texts of keys and errors may be a user's. No other thread looks for it.
        var log = logs.withLock { $0.removeValue(forKey: event.session) } ?? EventLog(level)
        let entries = log.entries(for: event)
        if log.isOpen { logs.withLock { [log] in $0[event.session] = log } }
        for entry in entries { sink(entry.level, entry.text) }
    }
}
