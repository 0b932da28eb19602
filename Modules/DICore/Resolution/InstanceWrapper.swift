/// A type that is made around the registration of another type, so that it needs no registration of its own.
///
/// When a type is asked for that is not registered and conforms to this protocol, the wrapper is asked to make itself
/// from an ``InstanceSource`` for the wrapped type, with the name and the arguments of the request. `Optional` and
/// `Array` conform here, `Lazy` and `Provider` in DIWrappers.
///
///     struct Deferred<Wrapped>: InstanceWrapper {
///         let make: InstanceProvider<Wrapped>
///
///         static func makeWrapper(from source: InstanceSource<Wrapped>) -> Deferred {
///             Deferred(make: source.inNewGraphs())
///         }
///     }
///
/// Wrappers compose: the wrapped type may be a wrapper itself.
public protocol InstanceWrapper {
    /// The type whose registration is used.
    associatedtype Wrapped

    /// Whether the wrapper can be made only when the wrapped type can be resolved. The default is yes: a wrapper of an
    /// unknown type is then as unknown as the type.
    static var requiresWrapped: Bool { get }

    /// Makes the wrapper. Called in the isolation domain of the container, during the request for the wrapper.
    static func makeWrapper(from source: InstanceSource<Wrapped>) throws(ResolutionError) -> Self
}

extension InstanceWrapper {
    /// Yes.
    public static var requiresWrapped: Bool { true }
}

extension Optional: InstanceWrapper {
    /// No: the wrapper of an unknown type is nil.
    public static var requiresWrapped: Bool { false }

    /// The instance, or nil when its type is not registered. A registered type that fails is an error, not nil.
    public static func makeWrapper(from source: InstanceSource<Wrapped>) throws(ResolutionError) -> Self {
        source.isAvailable ? .some(try source.resolve()) : .none
    }
}

extension Array: InstanceWrapper {
    /// No: the collection of an unknown type is empty.
    public static var requiresWrapped: Bool { false }

    /// All contributions to the collection of the element type; see ``Resolver/requireAll(_:)``.
    public static func makeWrapper(from source: InstanceSource<Element>) throws(ResolutionError) -> Self {
        try source.resolveAll()
    }
}
