/// What the threads hold and want that wait for each other's instances.
public struct WaitReport: Sendable, CustomStringConvertible {
    /// One of the threads.
    public struct Party: Sendable {
        /// What it is building, outermost first.
        public let holds: [ServiceKey]
        /// What it waits for; nil when it does not wait in the framework.
        public let wants: ServiceKey?

        /// Makes the part of one thread.
        public init(holds: [ServiceKey], wants: ServiceKey?) {
            self.holds = holds
            self.wants = wants
        }
    }

    /// The thread that reports, then those that it waits for, each for the next.
    public let parties: [Party]

    /// Makes a report.
    public init(parties: [Party]) {
        self.parties = parties
    }

    /// The parties in words.
    public var description: String {
        parties.map { party in
            let holds = party.holds.map { "\($0)" }.joined(separator: ", ")
            let wants = party.wants.map { "wants \($0)" } ?? "runs"
            return holds.isEmpty ? "a thread \(wants)" : "a thread that builds \(holds) \(wants)"
        }
        .joined(separator: "; ")
    }
}
