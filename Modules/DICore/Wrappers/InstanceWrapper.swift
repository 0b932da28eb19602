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
/// All that a wrapper resolves while it is made belongs to one object graph: the running one or, where the wrapper is what
/// was asked for first, one of its own. Wrappers compose: the wrapped type may be a wrapper itself.
public protocol InstanceWrapper {
    /// The type whose registration is used.
    associatedtype Wrapped

    /// What the wrapper makes of its wrapped type, for requests and for checks of the wiring. The default is nothing
    /// special: it can be made only when the wrapped type can be resolved, and resolves it at once.
    static var traits: WrapperTraits { get }

    /// Makes the wrapper. Called in the isolation domain of the container, during the request for the wrapper.
    static func makeWrapper(from source: InstanceSource<Wrapped>) throws(ResolutionError) -> Self
}

extension InstanceWrapper {
    /// Nothing special.
    public static var traits: WrapperTraits { [] }
}
