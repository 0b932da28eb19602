public import DICore

/// An instance that is built when it is first used, by whatever thread.
///
///     container.register(Search.self, scope: .container) { r in
///         Search(index: try r.require(SendableLazy<any Index>.self))
///     }
///
/// As a ``Lazy``, for a service that is `Sendable` in a container that several threads may use: a `ThreadSafeContainer`, or a
/// plain one of which `synchronize()` has made a view. Several threads may open it at the same time: one of them builds, the
/// others wait for it.
///
/// Asked of a plain container over a shared one, it comes from the nearest shared one that has the registration, and nothing
/// that is registered in the plain one gets into the instance. Where only a plain container has it, the request fails with
/// `notSendable`. Runtime arguments go in by `requireSendable(_:name:argument:)`, whose arguments are `Sendable`.
public struct SendableLazy<Service: Sendable>: InstanceWrapper, Sendable {
    private let state: SendableLazyState<Service>

    /// Makes a wrapper of an instance that is there already.
    public init(_ instance: Service) {
        state = SendableLazyState(instance)
    }

    private init(_ provider: SendableInstanceProvider<Service>) {
        state = SendableLazyState(provider)
    }

    /// Resolves the service when it is opened.
    public static var traits: WrapperTraits { .defersConstruction }

    /// Makes a wrapper around a registration. Called by the container.
    public static func makeWrapper(from source: InstanceSource<Service>) throws(ResolutionError) -> SendableLazy {
        SendableLazy(try source.sendableInThisGraph())
    }

    /// The instance, built now if this is the first use.
    ///
    /// Traps when it cannot be built, with the text of the error. Use ``get()`` where that may happen.
    public var instance: Service {
        do throws(ResolutionError) {
            return try get()
        } catch {
            fatalError("\(error)")
        }
    }

    /// Gives the instance, built now if this is the first use, or throws why it cannot be built.
    ///
    /// A failure is not kept: the next use tries again. The code is `containerGone` when the container has ended before
    /// the first use.
    public func get() throws(ResolutionError) -> Service {
        try state.open()
    }

    /// Whether the instance has been built.
    public var isOpened: Bool { state.opened != nil }
}
