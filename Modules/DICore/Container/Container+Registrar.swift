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

    func add(_ entry: AnySendableEntry) {
        container.add(entry.anyEntry)
        entry.anyEntry.announce(to: container)
    }
}
