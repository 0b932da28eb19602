public import DICore

/// Keeps one instance for a span of time, counted from when it was built.
///
/// The first request after that builds anew; whoever holds the old instance keeps it.
public final class ExpiringStorage<Time: Clock>: InstanceStorage {
    private let lifetime: Time.Duration
    private let clock: Time
    private var kept: (instance: Any, end: Time.Instant)?

    /// Makes an empty storage.
    public init(lifetime: Time.Duration, clock: Time) {
        self.lifetime = lifetime
        self.clock = clock
    }

    /// The instance, until its time is over. Setting one starts its time.
    public var instance: Any? {
        get {
            guard let kept, clock.now < kept.end else { return nil }
            return kept.instance
        }
        set {
            let end = clock.now.advanced(by: lifetime)
            let expired = kept
            kept = newValue.map { ($0, end) }
            // Released only now: its deinit may resolve, and come here.
            withExtendedLifetime(expired) {}
        }
    }
}

extension ObjectScope {
    /// One instance for a span of time, counted from when it was built.
    ///
    ///     static let session = ObjectScope.expiring(after: .seconds(600))
    ///
    /// Each call makes a scope of its own; keep it in a constant to reset it.
    ///
    /// - Parameters:
    ///   - lifetime: how long an instance is given out.
    ///   - clock: tells the time; a test passes one that it drives.
    public static func expiring<Time: Clock>(
        after lifetime: Time.Duration,
        clock: Time = ContinuousClock()
    ) -> ObjectScope where Time.Duration: Sendable {
        ObjectScope(
            storageFactory: { ExpiringStorage(lifetime: lifetime, clock: clock) },
            description: "expiring after \(lifetime)",
            residence: .owner,
            lifetimeRank: .expiring
        )
    }
}

extension ObjectScopeProtocol where Self == ObjectScope {
    /// One instance for a span of time, counted from when it was built.
    public static func expiring<Time: Clock>(
        after lifetime: Time.Duration,
        clock: Time = ContinuousClock()
    ) -> ObjectScope where Time.Duration: Sendable {
        ObjectScope.expiring(after: lifetime, clock: clock)
    }
}
