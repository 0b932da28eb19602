public import DICore

/// A property that fills itself when its owner is made.
///
///     final class FeedScreen {
///         @Injected var store: any FeedStore
///         @Injected(name: "images") var cache: any Cache
///         @Injected var tracker: (any Tracker)?            // nil when none is registered
///         @Injected(from: container) var clock: any Clock
///     }
///
/// It asks the `CurrentResolver`, or the resolver that it is given. Traps with the text of the error when the service
/// cannot be resolved; a property of Optional type is nil where nothing is registered. Works in classes, structs and
/// actors, and in an `@Observable` class with `@ObservationIgnored`.
///
/// The projected value replaces the instance, such as in a test: `screen.$store.replace(with: stub)`.
///
/// - Complexity: that of reading the current resolver and of one resolve, once.
@propertyWrapper
public struct Injected<Service>: InjectedProperty {
    // Seen by other modules, so that `init` is specialised where the property is.
    @usableFromInline var instance: Service

    /// The instance.
    @inlinable
    public var wrappedValue: Service { instance }

    /// This wrapper, to look at the instance or to replace it.
    public var projectedValue: Injected {
        get { self }
        set { self = newValue }
    }

    /// Resolves the request.
    public init(_ request: InjectionRequest<Service>) {
        instance = injected(request.instance)
    }

    /// Resolves the service of the property's type from the current resolver.
    @inlinable
    public init() {
        self.init(name: nil, from: nil)
    }

    /// Asks for the service of the property's type, with a name if there is one, from a resolver or the current one.
    // Without a request, which is kept for later uses by the other wrappers: it would cost four allocations.
    @inlinable
    public init(name: String? = nil, from resolver: (any Resolver)? = nil) {
        instance = injected { () throws(ResolutionError) in
            let key = ServiceKey(serviceType: Service.self, name: name)
            let resolver: any Resolver = if let resolver { resolver } else { try CurrentResolver.get(for: key) }
            return name == nil ? try resolver.require(Service.self) : try resolver.require(Service.self, name: name)
        }
    }

    /// Puts another instance in place of the one that was resolved.
    public mutating func replace(with instance: Service) {
        self.instance = instance
    }
}

extension Injected: Sendable where Service: Sendable {}
