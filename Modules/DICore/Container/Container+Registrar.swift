extension Container {
    /// Registers here, in the forms that both kinds of container have.
    public var registrar: any SendableRegistrar { ContainerRegistrar(self) }
}

private final class ContainerRegistrar: SendableRegistrar {
    private let container: Container

    init(_ container: Container) {
        self.container = container
    }

    var defaultObjectScope: any ObjectScopeProtocol { container.defaultObjectScope }

    func add<Service>(_ entry: SendableEntry<Service>) {
        _ = container.added(entry.entry)
    }
}
