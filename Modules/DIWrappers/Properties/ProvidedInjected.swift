internal import DICore

/// A property that is resolved anew each time it is read.
///
///     final class Importer {
///         @ProvidedInjected var row: any Row       // another one at each use
///     }
///
/// It asks the resolver that was current when its owner was made or, if there was none, the one that is current at each
/// use. What a new resolve gives depends on the scope: of a service that is kept it is the same one. Traps with the text of
/// the error when the service cannot be resolved. The projected value fixes what is given. It is not `Sendable`, since it may
/// hold a resolver and arguments that are not.
@propertyWrapper
public struct ProvidedInjected<Service>: InjectedProperty {
    @usableFromInline let request: InjectionRequest<Service>
    @usableFromInline var fixed: Service?

    /// What a resolve gives now.
    @inlinable
    public var wrappedValue: Service { fixed ?? injected(request.instance) }

    /// This wrapper, to fix what is given.
    public var projectedValue: ProvidedInjected {
        get { self }
        set { self = newValue }
    }

    /// Keeps the request for each use.
    public init(_ request: InjectionRequest<Service>) {
        self.request = request.bound()
    }

    /// Asks for the service of the property's type.
    public init() {
        self.init(name: nil, from: nil)
    }

    /// Gives this instance from now on or, with nil, what a resolve gives.
    public mutating func replace(with instance: Service?) {
        fixed = instance
    }
}
