public import DICore

/// An instance that is built when it is first used.
///
///     container.register((any Editor).self) { r in
///         TextEditor(spelling: try r.require(Lazy<any SpellChecker>.self))
///     }
///
/// Any registered service can be asked for lazily; the wrapper needs no registration. It carries the name and the
/// arguments of the request for it. The instance is built once, in the object graph in which the wrapper was made for as
/// long as the objects of that graph live. Whoever copies the wrapper shares the instance.
///
/// It belongs to the isolation domain of its container and of its arguments, as they do. What several threads are to open is
/// a ``SendableLazy``.
///
/// A wrapper made while an instance that a container keeps, or holds weakly, was being built does not keep that container
/// alive; any other does, until it is opened or the object that has it is given to a kept instance by its graph.
public struct Lazy<Service>: InstanceWrapper {
    private let state: LazyState<Service>

    /// Makes a wrapper of an instance that is there already.
    public init(_ instance: Service) {
        state = LazyState(instance)
    }

    private init(_ provider: InstanceProvider<Service>) {
        state = LazyState(provider)
    }

    /// Resolves the service when it is opened.
    public static var traits: WrapperTraits { .defersConstruction }

    /// Makes a wrapper around a registration. Called by the container.
    public static func makeWrapper(from source: InstanceSource<Service>) -> Lazy {
        Lazy(source.inThisGraph())
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
    public var isOpened: Bool { state.isOpened }
}
