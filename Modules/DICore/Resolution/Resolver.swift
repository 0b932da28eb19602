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
/// container keeps is built by that container itself. One with registrations of its own is shown at ``ResolutionContext``.
///
/// A factory may keep its resolver and use it later: a later use begins a new graph.
public protocol Resolver: AnyObject {
    /// The registration of a key as seen from here.
    ///
    /// Called for each request. It must not resolve. An answer with a registration of other types than those of the key is
    /// an error of the request.
    func locate(_ key: ServiceKey) -> LocatedEntry

    /// The registration of a key, unchecked, for containers that are to be fast.
    ///
    /// The default is ``UnsafeLocatedEntry/unlocated``, which makes the request call ``locate(_:)``. A resolver with a
    /// container behind it may answer with what that answers to the same key, and is then asked for nothing else.
    func unsafeLocate(_ key: ServiceKey) -> UnsafeLocatedEntry

    /// The registration of a type without arguments and name, the key that nearly all requests have, unchecked.
    ///
    /// The default makes the ``ServiceKey`` and calls ``unsafeLocate(_:)``.
    func unsafeLocate(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry

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
    func registration(of key: ServiceKey) -> AnyServiceEntry? {
        let located = unsafeLocate(key)
        return located.isUnlocated ? locate(key).entry : located.takeEntry()
    }

    /// The context that answers, and what runs on the calling thread. The context holds the session.
    var current: (context: ResolutionContext, session: UnsafeMutablePointer<Session>) {
        let located = unsafeLocate(unnamed: GraphIdentifier.self)
        if located.isUnlocated {
            let context = locate(ServiceKey(serviceType: GraphIdentifier.self)).context
            return (context, context.session)
        }
        defer { located.endReading() }
        return (located.context.takeUnretainedValue(), located.session)
    }

    /// Calls the body with the answer to a key of a resolver that has no unchecked one, and holds it until the body is over.
    ///
    /// Throws `typeMismatch` when the answer is a registration of other types.
    func withLocated<Result>(
        _ key: ServiceKey,
        _ body: (UnsafeLocatedEntry) throws(ResolutionError) -> Result
    ) throws(ResolutionError) -> Result {
        let located = locate(key)
        defer { withExtendedLifetime((self, located)) {} }
        if let entry = located.entry, !entry.hasTypes(of: key) {
            throw mismatch(of: entry, for: key, in: located.context)
        }
        return try body(UnsafeLocatedEntry(located))
    }

    /// The error of a request for which this resolver has given a registration of other types.
    func mismatch(of entry: AnyServiceEntry, for key: ServiceKey, in context: ResolutionContext) -> ResolutionError {
        ResolutionError.report(
            .typeMismatch,
            key: key,
            detail: "\(TypeName.short(type(of: self))) has answered with the registration of \(entry.key)",
            near: [entry],
            in: context
        )
    }

    /// Nothing has been looked up.
    public func unsafeLocate(_ key: ServiceKey) -> UnsafeLocatedEntry { .unlocated }

    /// Looks the type up by its key.
    public func unsafeLocate(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry {
        unsafeLocate(ServiceKey(serviceType: serviceType))
    }

    /// None.
    public func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] { [] }

    /// Nothing.
    public var visibleEntries: [AnyServiceEntry] { [] }
}
