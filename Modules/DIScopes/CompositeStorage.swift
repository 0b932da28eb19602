public import DICore

/// Keeps an instance in several storages, and gives it for as long as one of them has it.
///
/// The first component that has an instance answers. A `GraphStorage` may be among them.
public final class CompositeStorage: InstanceStorage {
    private let components: [any InstanceStorage]

    /// Makes a storage of the given ones, which nothing else may use.
    public init(_ components: [any InstanceStorage]) {
        self.components = components
    }

    /// The instance of the first component that has one. Setting it sets all.
    public var instance: Any? {
        get { first { $0.instance } }
        set { for component in components { component.instance = newValue } }
    }

    /// Whether one of the components does.
    public var keepsInstances: Bool { components.contains { $0.keepsInstances } }

    /// The instance of the first component that has one for the graph.
    public func instance(inGraph graph: GraphIdentifier) -> Any? {
        first { $0.instance(inGraph: graph) }
    }

    /// Asks each component once: what one knows weakly may be gone when it is asked again, as a lazy map would.
    private func first(_ instance: (any InstanceStorage) -> Any?) -> Any? {
        for component in components {
            if let instance = instance(component) { return instance }
        }
        return nil
    }

    /// Keeps the instance in all components.
    public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
        for component in components { component.setInstance(instance, inGraph: graph) }
    }

    /// Tells all components.
    public func graphResolutionCompleted() {
        for component in components { component.graphResolutionCompleted() }
    }
}

extension ObjectScope {
    /// Makes a scope that keeps what its own storage or that of another scope keeps.
    ///
    ///     static let screen = ObjectScope(
    ///         storageFactory: ScreenStorage.init, description: "screen", parent: ObjectScope.graph)
    ///
    /// - Parameters:
    ///   - storageFactory: makes the storage of each entry.
    ///   - description: the name of the scope in messages.
    ///   - parent: the scope whose storage is asked when the own one has nothing; with nil there is none.
    public convenience init(
        storageFactory: @escaping @Sendable () -> any InstanceStorage,
        description: String = "",
        parent: (any ObjectScopeProtocol)?
    ) {
        guard let parent else {
            self.init(storageFactory: storageFactory, description: description)
            return
        }
        self.init(
            storageFactory: { CompositeStorage([storageFactory(), parent.makeStorage()]) },
            description: description,
            residence: parent.residence == .askingContainer ? .askingContainer : .owner,
            lifetimeRank: parent.lifetimeRank
        )
    }
}
