public import Foundation

/// Says what time it is. A test replaces it to see items age without waiting.
public protocol DateProvider: Sendable {
    /// The present moment; asked anew each time it is needed, from any task.
    var now: Date { get }
}

/// The time of this machine.
public struct SystemDateProvider: DateProvider {
    /// There is nothing to set.
    public init() {}

    /// The present moment by the system clock.
    public var now: Date { Date() }
}
