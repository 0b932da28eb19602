/// Is told of each registration in a container, with the types.
///
///     struct Tracing: Behavior {
///         func container<Type, Service>(
///             _ container: Container,
///             didRegisterType type: Type.Type,
///             toService entry: ServiceEntry<Service>,
///             withName name: String?
///         ) {
///             entry.initCompleted { _, instance in trace(instance) }
///         }
///     }
///     let container = Container(behaviors: [Tracing()])
///
/// A behaviour may configure the entry. To follow what happens later, use a ``ResolutionObserver``.
public protocol Behavior {
    /// A type was registered. For a forwarded type, `type` is that type and `entry` the entry that it stands for.
    func container<Type, Service>(
        _ container: Container,
        didRegisterType type: Type.Type,
        toService entry: ServiceEntry<Service>,
        withName name: String?
    )
}
