internal import DICore

/// What the copies of a `Lazy` share: the instance, or how to get it.
final class LazyState<Service> {
    private var opened: OpenedInstance<Service>?
    /// Stays at hand while an attempt is made, in case that it fails; nil once there is an instance.
    private var provider: InstanceProvider<Service>?
    private var isOpening = false

    init(_ provider: InstanceProvider<Service>) {
        self.provider = provider
    }

    init(_ instance: Service) {
        opened = OpenedInstance(instance)
    }

    var isOpened: Bool { opened != nil }

    func open() throws(ResolutionError) -> Service {
        if let opened { return opened.instance }
        return try build()
    }

    private func build() throws(ResolutionError) -> Service {
        guard let provider else { fatalError("a Lazy has an instance or a way to get it") }
        if isOpening { throw provider.openedWhileBuilt }
        provider.requireIsolation()
        isOpening = true
        defer { isOpening = false }
        let instance = try provider()
        opened = OpenedInstance(instance)
        self.provider = nil
        return instance
    }
}
