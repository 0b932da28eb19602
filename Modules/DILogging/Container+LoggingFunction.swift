public import DICore
internal import Synchronization

extension Container {
    /// Is given the text of each failure of any container in the process; nil, the default, for none.
    ///
    ///     Container.loggingFunction = { print($0) }
    ///
    /// May be set from any thread. For one container, or for more than failures, use a ``ContainerLogger``.
    public static var loggingFunction: (@Sendable (String) -> Void)? {
        get { LoggingFunction.current.withLock { $0?.log } }
        set { LoggingFunction.replace(with: newValue) }
    }
}

private enum LoggingFunction {
    struct Installed: Sendable {
        let token: UInt
        let log: @Sendable (String) -> Void
    }

    static let current = Mutex<Installed?>(nil)

    static func replace(with log: (@Sendable (String) -> Void)?) {
        let installed = log.map { log in Installed(token: FailureObservers.add { log("\($0)") }, log: log) }
        let previous = current.withLock { current in
            defer { current = installed }
            return current
        }
        if let previous { FailureObservers.remove(previous.token) }
    }
}
