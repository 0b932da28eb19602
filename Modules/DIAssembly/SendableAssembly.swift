public import DICore

/// The registrations of one module of an app, for both kinds of container.
///
///     struct NetworkAssembly: SendableAssembly {
///         func assemble(registrar: any SendableRegistrar) {
///             registrar.register((any HTTPClient).self, scope: .container) { _ in URLSessionClient() }
///         }
///     }
///     Assembler([NetworkAssembly()])                       // a plain container
///     try shared.apply(assemblies: [NetworkAssembly()])    // one that several threads use
///
/// Its factories are `@Sendable`. All else is as with ``Assembly``.
public protocol SendableAssembly: Assembly {
    /// Registers the services of the module. Must not resolve: other assemblies may not have registered yet.
    func assemble(registrar: any SendableRegistrar)
}

extension SendableAssembly {
    /// Registers in a plain container.
    public func assemble(container: Container) {
        assemble(registrar: container.registrar)
    }
}

extension SendableRegistrar where Self: ContainerProtocol {
    /// Applies assemblies and those that they need, as one batch: each once, after those that it needs, and every one
    /// registers before any is told that all is loaded.
    ///
    /// Throws when assemblies need each other, or one that registers in plain containers alone; then nothing is
    /// registered. The wiring is not checked here; see ``AppliedAssemblies``.
    @discardableResult
    public func apply(assemblies: [any SendableAssembly]) throws(AssemblyError) -> AppliedAssemblies {
        let plan = AssemblyPlan(assemblies) { _, _ in false }
        if let cycle = plan.cycles.first { throw cycle }
        var order: [any SendableAssembly] = []
        for assembly in plan.order {
            guard let assembly = assembly as? any SendableAssembly else {
                throw .confined(AssemblyPlan.name(of: assembly))
            }
            order.append(assembly)
        }
        var applied = AppliedAssemblies(to: self)
        for assembly in order {
            applied.note(assembly) { assembly.assemble(registrar: self) }
        }
        for assembly in order { assembly.loaded(resolver: self) }
        return applied
    }
}
