public import DICore

/// Gives, at each use and on any thread, what a new resolve would give.
///
///     container.register(Importer.self, scope: .container) { r in
///         Importer(row: try r.require(SendableProvider<Row>.self))
///     }
///
/// As a ``Provider``, for a service that is `Sendable` in a container that several threads may use; what is said of
/// ``SendableLazy`` applies. Each use begins an object graph of its own.
public struct SendableProvider<Service: Sendable>: InstanceWrapper, Sendable {
    private let provider: SendableInstanceProvider<Service>

    /// Resolves the service when it is used.
    public static var traits: WrapperTraits { .defersConstruction }

    /// Makes a provider around a registration. Called by the container.
    public static func makeWrapper(from source: InstanceSource<Service>) throws(ResolutionError) -> SendableProvider {
        SendableProvider(provider: try source.sendableInNewGraphs())
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
