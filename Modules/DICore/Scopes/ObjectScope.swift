/// A scope made from a storage factory.
///
///     extension ObjectScope {
///         static let session = ObjectScope(storageFactory: SessionStorage.init, description: "session")
///     }
///     extension ObjectScopeProtocol where Self == ObjectScope {
///         static var session: ObjectScope { .session }
///     }
///     container.register(Basket.self, scope: .session) { _ in Basket() }
///
/// The second extension lets the scope be written with a leading dot.
///
/// The core has the two scopes whose instances end with the resolve, ``transient`` and ``graph``. Scopes that remember
/// are in DIScopes, made with nothing but what is public here.
public final class ObjectScope: ObjectScopeProtocol, CustomStringConvertible {
    /// The name of the scope in messages.
    public let description: String

    /// Which container builds and keeps the instances.
    public let residence: Residence

    /// How long the instances live.
    public let lifetimeRank: LifetimeRank

    private let storageFactory: @Sendable () -> any InstanceStorage

    /// Makes a scope.
    ///
    /// - Parameters:
    ///   - storageFactory: makes the storage of each entry.
    ///   - description: the name of the scope in messages.
    ///   - residence: which container builds and keeps the instances.
    ///   - lifetimeRank: how long they live, for checks of the wiring.
    public init(
        storageFactory: @escaping @Sendable () -> any InstanceStorage,
        description: String = "",
        residence: Residence = .owner,
        lifetimeRank: LifetimeRank = .container
    ) {
        self.storageFactory = storageFactory
        self.description = description
        self.residence = residence
        self.lifetimeRank = lifetimeRank
    }

    /// Makes the storage of one entry with the factory of this scope.
    public func makeStorage() -> any InstanceStorage { storageFactory() }
}

extension ObjectScope {
    /// The scope of an instance that was there before its registration: everybody gets it, and no reset touches it.
    static let instance = ObjectScope(
        storageFactory: TransientStorage.init,
        description: "instance",
        residence: .resolve,
        lifetimeRank: .container
    )
}

extension ObjectScopeProtocol where Self == ObjectScope {
    /// A new instance for every request, also inside one graph.
    public static var transient: ObjectScope { .transient }

    /// One instance for each object graph; the default.
    public static var graph: ObjectScope { .graph }
}

extension ObjectScope {
    /// A new instance for every request, also inside one graph.
    public static let transient = ObjectScope(
        storageFactory: TransientStorage.init,
        description: "transient",
        residence: .resolve,
        lifetimeRank: .transient
    )

    /// One instance for each object graph, that is for one resolve and all that it causes; the default.
    ///
    /// The graph holds its instances while it runs. A value type is shared like a class.
    public static let graph = ObjectScope(
        storageFactory: GraphStorage.init,
        description: "graph",
        residence: .resolve,
        lifetimeRank: .graph
    )
}
