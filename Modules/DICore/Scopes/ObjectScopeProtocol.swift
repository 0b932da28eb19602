/// How the instances of an entry are shared: what a custom scope conforms to.
///
/// A scope is a factory of storages and an identity. The core asks it for one ``InstanceStorage`` per entry (per entry
/// and container for ``Residence/askingContainer``), when the scope is given to the entry, and compares it with `===`
/// when a scope is reset.
///
///     final class SessionScope: ObjectScopeProtocol {
///         func makeStorage() -> any InstanceStorage { SessionStorage() }
///     }
///
/// Most scopes need no type of their own: see ``ObjectScope``.
public protocol ObjectScopeProtocol: AnyObject, Sendable {
    /// Makes the storage for one entry. Called once per entry (and container), never while the core holds a lock.
    func makeStorage() -> any InstanceStorage

    /// Which container builds and keeps the instances. The default is ``Residence/owner``, right for all that is kept.
    var residence: Residence { get }

    /// How long the instances live, for checks of the wiring. The default is ``LifetimeRank/container``.
    var lifetimeRank: LifetimeRank { get }
}

extension ObjectScopeProtocol {
    /// The container that registered the entry builds and keeps the instances.
    public var residence: Residence { .owner }

    /// As long as the container.
    public var lifetimeRank: LifetimeRank { .container }
}
