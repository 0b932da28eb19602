public import DICore

/// The registrations of one module of an app.
///
///     struct NetworkAssembly: Assembly {
///         func assemble(container: Container) {
///             container.register((any HTTPClient).self) { _ in URLSessionClient() }
///         }
///     }
///     let assembler = Assembler([NetworkAssembly(), FeatureAssembly()])
///
/// An assembly says which others it needs; they are applied before it, each once.
public protocol Assembly {
    /// Registers the services of the module. Must not resolve: other assemblies may not have registered yet.
    func assemble(container: Container)

    /// Called when all assemblies of the batch have registered. The default does nothing.
    func loaded(resolver: any Resolver)

    /// The assemblies whose services these ones use. The default is none.
    var needs: [any Assembly] { get }

    /// The keys that somebody else registers at run time, so that a check of the wiring takes them as given. The default
    /// is none.
    var externalKeys: [ServiceKey] { get }

    /// What tells the assembly apart from others, so that it is applied once. The default is its type.
    ///
    /// State one to apply assemblies of one type with different parameters side by side.
    var identity: AnyHashable { get }
}

extension Assembly {
    /// Nothing to do.
    public func loaded(resolver: any Resolver) {}

    /// None.
    public var needs: [any Assembly] { [] }

    /// None.
    public var externalKeys: [ServiceKey] { [] }

    /// The type.
    public var identity: AnyHashable { ObjectIdentifier(Self.self) }
}
