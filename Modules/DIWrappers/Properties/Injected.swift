internal import DICore

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
    /// The instance.
    public private(set) var wrappedValue: Service

    /// This wrapper, to look at the instance or to replace it.
    public var projectedValue: Injected {
        get { self }
        set { self = newValue }
    }

    /// Resolves the request.
    public init(_ request: InjectionRequest<Service>) {
        wrappedValue = injected(request.instance)
    }

    /// Resolves the service of the property's type from the current resolver.
    public init() {
        self.init(name: nil, from: nil)
    }

    /// Puts another instance in place of the one that was resolved.
    public mutating func replace(with instance: Service) {
        wrappedValue = instance
    }
}

extension Injected: Sendable where Service: Sendable {}
