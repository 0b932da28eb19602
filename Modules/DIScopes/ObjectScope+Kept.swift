public import DICore

// The scopes by name, in two forms: on `ObjectScope`, and where a scope of any kind is expected.

extension ObjectScope {
    /// One instance for the life of the container that registered it: a singleton of that container.
    ///
    /// Value types are kept like objects. Built from the registrations of the owner, whoever asks.
    public static let container = ObjectScope(
        storageFactory: PermanentStorage.init,
        description: "container",
        residence: .owner,
        lifetimeRank: .container
    )

    /// One instance for as long as somebody outside the container holds it, and for the graph that it was built in.
    ///
    /// Only objects can be held weakly: an instance of a value type is built at every request.
    public static let weak = ObjectScope(
        storageFactory: WeakStorage.init,
        description: "weak",
        residence: .owner,
        lifetimeRank: .weak
    )

    /// One instance in each container that asks: the unit of work of a request or a scene.
    ///
    ///     root.register(Transaction.self, scope: .perContainer) { _ in Transaction() }
    ///     let request = root.createChild()      // has a transaction of its own, gone with it
    ///
    /// Built by the container that asks, so that its own registrations apply.
    public static let perContainer = ObjectScope(
        storageFactory: PermanentStorage.init,
        description: "perContainer",
        residence: .askingContainer,
        lifetimeRank: .perContainer
    )
}

extension ObjectScopeProtocol where Self == ObjectScope {
    /// One instance for the life of the container that registered it.
    public static var container: ObjectScope { .container }

    /// One instance for as long as somebody outside the container holds it.
    public static var weak: ObjectScope { .weak }

    /// One instance in each container that asks.
    public static var perContainer: ObjectScope { .perContainer }
}
