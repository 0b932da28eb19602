public import DICore

/// Gives, at each use, what a new resolve would give.
///
///     container.register((any Importer).self) { r in
///         CSVImporter(row: try r.require(Provider<Row>.self))
///     }
///
/// Any registered service can be asked for through a provider; it needs no registration. It carries the name and the
/// arguments of the request for it. Each use begins an object graph of its own, also inside a constructor.
///
/// It belongs to the isolation domain of its container and of its arguments, as they do. What several threads are to use is
/// a ``SendableProvider``.
///
/// A provider made while an instance that a container keeps, or holds weakly, was being built does not keep that container
/// alive; any other does, until the object that has it is given to a kept instance by its graph.
public struct Provider<Service>: InstanceWrapper {
    private let provider: InstanceProvider<Service>

    /// Resolves the service when it is used.
    public static var traits: WrapperTraits { .defersConstruction }

    /// Makes a provider around a registration. Called by the container.
    public static func makeWrapper(from source: InstanceSource<Service>) -> Provider {
        Provider(provider: source.inNewGraphs())
    }

    /// What a resolve gives now.
    ///
    /// Traps when it fails, with the text of the error. Use ``get()`` where that may happen.
    public var instance: Service {
        do throws(ResolutionError) {
            return try get()
        } catch {
            fatalError("\(error)")
        }
    }

    /// Gives what a resolve gives now, or throws why it fails; with the code `containerGone` when the container has ended.
    public func get() throws(ResolutionError) -> Service {
        provider.requireIsolation()
        return try provider()
    }
}

extension Resolver {
    /// Gives a service that is built when it is first used, or nil when it is not registered.
    ///
    /// The same as `resolve(Lazy<Service>.self, name: name)`.
    public func lazyResolve<Service>(_ serviceType: Service.Type, name: String? = nil) -> Lazy<Service>? {
        resolve(Lazy<Service>.self, name: name)
    }
}
