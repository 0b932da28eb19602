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
/// It asks the `CurrentResolver`, or the resolver that it is given. A property of Optional type is nil where nothing is
/// registered. Works in classes, structs and actors, and in an `@Observable` class with `@ObservationIgnored`.
///
/// When the service cannot be resolved the program ends with the text of the error: where the owner is made or, for a
/// property without arguments, where it is read. An initializer may therefore fill such a property itself:
///
///     init(resolver: any Resolver) {
///         _store = Injected(from: resolver)
///     }
///
/// Swift has called ``init()`` by then, as it does before the body of each initializer. That finds no current resolver, or
/// builds an instance which is released here. Where none may be built, use ``LazyInjected``, or a property that is no
/// wrapper: `store = try resolver.require((any FeedStore).self)`.
///
/// The projected value replaces the instance, such as in a test: `screen.$store.replace(with: stub)`.
///
/// - Complexity: that of reading the current resolver and of one resolve, once.
@propertyWrapper
public struct Injected<Service>: InjectedProperty {
    // Seen by other modules, so that `init` is specialised where the property is.
    @usableFromInline var content: Content

    @usableFromInline
    enum Content {
        case instance(Service)
        case failure(ResolutionError)
    }

    /// The instance.
    @inlinable
    public var wrappedValue: Service {
        switch content {
        case .instance(let instance): instance
        case .failure(let error): notInjected(error)
        }
    }

    /// This wrapper, to look at the instance or to replace it.
    public var projectedValue: Injected {
        get { self }
        set { self = newValue }
    }

    /// Resolves the request.
    public init(_ request: InjectionRequest<Service>) {
        content = .instance(injected(request.instance))
    }

    /// Resolves the service of the property's type from the current resolver. Keeps a failure, with whose text the program
    /// ends where the property is read.
    // Swift calls this for each property without arguments, before the body of the owner's initializer, which may be about to
    // put something else here: so it must not trap.
    @inlinable
    public init() {
        do throws(ResolutionError) {
            let resolver = try CurrentResolver.get(for: ServiceKey(serviceType: Service.self))
            content = .instance(try resolver.require(Service.self))
        } catch {
            content = .failure(error)
        }
    }

    /// Asks for the service of the property's type, with a name if there is one, from a resolver or the current one.
    // Without a request, which is kept for later uses by the other wrappers: it would cost four allocations.
    @inlinable
    public init(name: String? = nil, from resolver: (any Resolver)? = nil) {
        let instance = injected { () throws(ResolutionError) in
            let key = ServiceKey(serviceType: Service.self, name: name)
            let resolver: any Resolver = if let resolver { resolver } else { try CurrentResolver.get(for: key) }
            return name == nil ? try resolver.require(Service.self) : try resolver.require(Service.self, name: name)
        }
        content = .instance(instance)
    }

    /// Puts another instance in place of the one that was resolved.
    public mutating func replace(with instance: Service) {
        content = .instance(instance)
    }
}

extension Injected.Content: Sendable where Service: Sendable {}
extension Injected: Sendable where Service: Sendable {}
