internal import DICore
internal import Synchronization

/// A property that fills itself when it is first read, once, from whatever thread.
///
///     final class FeedScreen {
///         @LazyInjected var search: any SearchIndex
///     }
///
/// It asks the resolver that was current when its owner was made or, if there was none, the one that is current at the
/// first use. Traps with the text of the error when the service cannot be resolved. Copies of the owner share the
/// instance. The projected value says whether it was built, and replaces it.
@propertyWrapper
public struct LazyInjected<Service>: InjectedProperty {
    private let state: LazyInjectedState<Service>

    /// The instance, built now if this is the first use.
    public var wrappedValue: Service { injected(state.get) }

    /// This wrapper, to look at the instance or to replace it.
    public var projectedValue: LazyInjected { self }

    /// Keeps the request for the first use.
    public init(_ request: InjectionRequest<Service>) {
        state = LazyInjectedState(request.bound())
    }

    /// Asks for the service of the property's type.
    public init() {
        self.init(name: nil, from: nil)
    }

    /// Whether the instance is there.
    public var isResolved: Bool { state.lazy?.isOpened ?? false }

    /// Puts an instance in place of the one that was or would be resolved.
    public func replace(with instance: Service) {
        state.lazy = Lazy(instance)
    }
}

// Unchecked: the state is behind a lock, and the instance is `Sendable`; as with `Lazy`, the resolver must be one that may
// be asked where the property is first read.
extension LazyInjected: @unchecked Sendable where Service: Sendable {}

/// What the copies of a lazy property share.
private final class LazyInjectedState<Service> {
    private let request: InjectionRequest<Service>

    // Unchecked: see `LazyInjected`.
    private struct Kept: @unchecked Sendable {
        var lazy: Lazy<Service>?
    }

    private let kept = Mutex(Kept())

    init(_ request: InjectionRequest<Service>) {
        self.request = request
    }

    var lazy: Lazy<Service>? {
        get { kept.withLock { $0 }.lazy }
        set {
            let fresh = Kept(lazy: newValue)
            // The old one is released outside of the lock.
            let old = kept.withLock { kept in
                let old = kept
                kept = fresh
                return old
            }
            withExtendedLifetime(old) {}
        }
    }

    func get() throws(ResolutionError) -> Service {
        if let lazy { return try lazy.get() }
        // Made outside of the lock; of several made at once one is kept, and all threads open that one.
        let fresh = Kept(lazy: try request.lazy())
        let winner = kept.withLock { kept in
            if kept.lazy == nil { kept = fresh }
            return kept
        }
        return try (winner.lazy ?? fresh.lazy!).get()
    }
}
