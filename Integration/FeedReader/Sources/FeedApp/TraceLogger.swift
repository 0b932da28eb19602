import DICore
import DILogging

extension ContainerLogger {
    /// Shows how each service is found: what `--trace` asks for.
    ///
    /// The news of registrations are left out: there are too many of them to be of use here.
    static func trace(to output: any TextOutput) -> any ResolutionObserver & Sendable {
        ContainerLogger.forThreads(level: .trace) { level, text in
            guard level != .info else { return }
            // Nothing can be done about an output that fails at this.
            try? output.write("\(level): \(text)")
        }
    }
}
