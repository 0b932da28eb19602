public import DICore
internal import Synchronization

/// Records what is resolved, what is created, in what order and for whom, to be asserted by intent.
///
///     let recorder = ResolutionRecorder()
///     try recorder.record(container) {
///         _ = try container.require(Importer.self)
///     }
///     recorder.expectRequested((any HTTPClient).self, by: Importer.self)
///     recorder.expectCreated(Database.self, before: Importer.self)
///     recorder.expectNotRequested((any Keychain).self)
///
/// The expectations fail the test at the line where they stand and show the whole record. What they do not cover can be
/// read from ``requests`` and ``created``.
///
/// It may be installed in several containers, and be told from several threads at a time: the order is then that in which
/// it was told. While it is installed it follows every resolve of the container tree, which costs that its fast path.
public final class ResolutionRecorder: ResolutionObserver, Sendable {
    /// One request, as it ended.
    public struct Request: Sendable, CustomStringConvertible {
        /// What came of a request.
        public enum Outcome: Sendable, CustomStringConvertible {
            /// A factory made an instance.
            case created
            /// There was an instance already.
            case reused
            /// Something was made that asks later, such as a `Lazy`.
            case deferred
            /// Nothing, for the reason that the error says. Told where a failure starts; those that it causes are not.
            case failed(ResolutionError)

            /// The outcome in a word.
            public var description: String {
                switch self {
                case .created: "created"
                case .reused: "reused"
                case .deferred: "asked for later"
                case .failed(let error): "failed (\(error.code))"
                }
            }
        }

        /// What was asked for.
        public let key: ServiceKey
        /// The service whose factory or callback asked; nil for a request from outside.
        public let requester: ServiceKey?
        /// Whether a callback of that service asked, not its factory.
        public let isFromCallback: Bool
        /// What came of it.
        public let outcome: Outcome

        /// The request in words: `Clock created for Watch`.
        public var description: String {
            guard let requester else { return "\(key) \(outcome)" }
            return "\(key) \(outcome) for \(isFromCallback ? "a callback of " : "")\(requester)"
        }
    }

    private let recorded = Mutex<[Request]>([])

    /// Makes a recorder, to be used with `record(_:while:)` or added to a container as an observer.
    public init() {}

    /// Resolutions and failures.
    public var interests: ResolutionInterests { [.resolutions, .failures] }

    /// The requests in the order in which they ended: what a service needs comes before the service.
    public var requests: [Request] { recorded.withLock { $0 } }

    /// The keys of what was created, in the order in which it was complete.
    public var created: [ServiceKey] {
        requests.compactMap { if case .created = $0.outcome { $0.key } else { nil } }
    }

    /// Forgets what was recorded.
    public func reset() {
        let forgotten = recorded.withLock { requests in
            defer { requests = [] }
            return requests
        }
        withExtendedLifetime(forgotten) {}
    }

    /// Records what the event says. Called by containers.
    public func observe(_ event: ResolutionEvent) {
        let outcome: Request.Outcome
        switch event.kind {
        case .created: outcome = .created
        case .reused: outcome = .reused
        case .deferred: outcome = .deferred
        case .failed(let error): outcome = .failed(error)
        case .registered, .replaced, .removed, .began, .aborted, .scopeReset, .overridePassedOver, .waiting: return
        }
        guard let key = event.key else { return }
        let request = Request(
            key: key,
            requester: event.path.last,
            isFromCallback: event.isFromCallback,
            outcome: outcome
        )
        recorded.withLock { $0.append(request) }
    }

    /// Records what a container and its children do while something is done.
    public func record<Result>(
        _ container: any ContainerProtocol,
        while body: () throws -> Result
    ) rethrows -> Result {
        container.addObserver(self)
        defer { container.removeObserver(self) }
        return try body()
    }

    /// Records what a container and its children do while something asynchronous is done.
    nonisolated(nonsending) public func record<Result>(
        _ container: any ContainerProtocol,
        while body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        container.addObserver(self)
        defer { container.removeObserver(self) }
        return try await body()
    }
}

extension ResolutionRecorder: CustomStringConvertible {
    /// The requests, one a line.
    public var description: String {
        let requests = requests
        return requests.isEmpty ? "nothing was requested" : requests.map { "\($0)" }.joined(separator: "\n")
    }
}
