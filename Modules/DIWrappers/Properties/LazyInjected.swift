internal import DICore

/// A property that fills itself when it is first read, once.
///
///     final class FeedScreen {
///         @LazyInjected var search: any SearchIndex
///     }
///
/// It asks the resolver that was current when its owner was made or, if there was none, the one that is current at the
/// first use. Traps with the text of the error when the service cannot be resolved. Copies of the owner share the
/// instance. The projected value says whether it was built, and replaces it. It is not `Sendable`, since it may hold a
/// resolver and arguments that are not.
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

/// What the copies of a lazy property share.
private final class LazyInjectedState<Service> {
    private let request: InjectionRequest<Service>
    var lazy: Lazy<Service>?

    init(_ request: InjectionRequest<Service>) {
        self.request = request
    }

    func get() throws(ResolutionError) -> Service {
        if let lazy { return try lazy.get() }
        let fresh = try request.lazy()
        lazy = fresh
        return try fresh.get()
    }
}
