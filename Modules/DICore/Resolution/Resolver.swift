/// Finds registrations: what a factory is given and what `resolve` is called on.
///
/// A resolver answers a key with a ``LocatedEntry``: the registration, on behalf of which container, and what is running
/// there. All else is built on that, `resolve`, `require`, the wrappers and the collections included, so a resolver of
/// your own is a few lines. One that decorates another passes its answers on:
///
///     final class CountingResolver: Resolver {
///         let base: any Resolver
///         var requests = 0
///
///         init(_ base: any Resolver) { self.base = base }
///
///         func locate(_ key: ServiceKey) -> LocatedEntry {
///             requests += 1
///             return base.locate(key)
///         }
///     }
///
/// A factory is given the resolver that was asked, so nested requests pass through the decoration; a service that a
/// container keeps is built by that container itself. One over a registry of its own is shown at ``ResolutionContext``.
///
/// A factory may keep its resolver and use it later: a later use begins a new graph.
public protocol Resolver: AnyObject {
    /// The registration of a key as seen from here.
    ///
    /// Called for each request. It must not resolve, and the entry in the answer must live until the request is over. An
    /// answer of a container that several threads use is to be resolved: until the thread's next request, one that is not
    /// used keeps what is replaced or reset from being freed.
    func locate(_ key: ServiceKey) -> LocatedEntry

    /// The registration of a type without arguments and name, the key that nearly all requests have.
    ///
    /// The default makes the ``ServiceKey`` and calls ``locate(_:)``.
    func locate(unnamed serviceType: Any.Type) -> LocatedEntry

    /// The contributions to the collection of a type, parents first, in the order of registration.
    ///
    /// The default knows of none. A decorating resolver passes on what its base says.
    func contributions(to serviceType: Any.Type) -> [AnyServiceEntry]

    /// Everything that can be found from here, parents first, in the order of registration, without what is overridden.
    ///
    /// Used for ``resolveAll(_:where:)`` and for the suggestions in errors. The default knows of nothing.
    var visibleEntries: [AnyServiceEntry] { get }
}

extension Resolver {
    /// The registration of a key, for somebody who does not resolve it.
    func registration(of key: ServiceKey) -> AnyServiceEntry? { locate(key).takeEntry() }

    /// What runs on the calling thread.
    var currentSession: UnsafeMutablePointer<Session> {
        let located = locate(unnamed: GraphIdentifier.self)
        located.endReading()
        return located.session
    }

    /// Looks the type up by its key.
    public func locate(unnamed serviceType: Any.Type) -> LocatedEntry {
        locate(ServiceKey(serviceType: serviceType))
    }

    /// None.
    public func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] { [] }

    /// Nothing.
    public var visibleEntries: [AnyServiceEntry] { [] }
}
