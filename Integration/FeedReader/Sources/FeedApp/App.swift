public import DIAssembly
package import DIThreadSafe

/// The app, put together: a container that all threads share, and a plain one over it where the commands run.
///
///     let app = try App([AppAssembly(arguments: ["list", "--unread"], environment: [:])])
///     let code = await Program(app).run()
public struct App {
    /// What all threads share.
    package let shared: ThreadSafeContainer

    /// What stays where the commands run.
    package let assembler: Assembler

    /// Applies assemblies to the shared container, and what is confined to the one over it. Throws when the assemblies
    /// need each other.
    public init(_ parts: [any SendableAssembly]) throws {
        try self.init(parts) { ConfinedAssembly(over: $0) }
    }

    /// Takes what is confined as well.
    package init(
        _ parts: [any SendableAssembly],
        validation: WiringValidation = .inDebug,
        confined: (ThreadSafeContainer) -> any Assembly
    ) throws(AssemblyError) {
        shared = ThreadSafeContainer()
        let applied = try shared.apply(assemblies: parts)
        assembler = Assembler([confined(shared)], over: applied, validation: validation)
    }
}
