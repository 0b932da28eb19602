public import DICore

/// What a batch of assemblies has registered in a container that several threads use.
///
///     let shared = ThreadSafeContainer()
///     let parts = try shared.apply(assemblies: [NetworkAssembly()])
///     let app = Assembler([ScreenAssembly()], over: parts)
///
/// An assembler over it passes over what is applied already, and checks the wiring of both. Without one:
///
///     shared.dependencyGraph(origin: parts.origin).validate(external: parts.externalKeys)
///
/// Belongs to the setting up of a program and need not be kept. A registration that another thread makes meanwhile may
/// be told as that of an assembly.
public struct AppliedAssemblies {
    /// The keys that the assemblies say that others provide.
    public private(set) var externalKeys: Set<ServiceKey> = []

    let container: any ContainerProtocol
    private(set) var identities: Set<AnyHashable> = []
    private var names: [Registration: String] = [:]
    private var seen: Set<UInt>

    private struct Registration: Hashable {
        let key: ServiceKey
        let location: SourceLocation
    }

    init(to container: any ContainerProtocol) {
        self.container = container
        seen = Set(container.visibleEntries.map(\.id))
    }

    /// Remembers what an assembly registers.
    ///
    /// Looks at the container afterwards: a type that an entry `implements` is registered where the entry is, past
    /// whatever stood before the container.
    mutating func note(_ assembly: any Assembly, registering: () -> Void) {
        registering()
        identities.insert(assembly.identity)
        externalKeys.formUnion(assembly.externalKeys)
        let name = AssemblyPlan.name(of: assembly)
        for entry in container.visibleEntries where seen.insert(entry.id).inserted {
            names[Registration(key: entry.key, location: entry.location)] = name
        }
    }

    /// The assembly that has registered a key at a place; nil when none of these has.
    public func origin(of key: ServiceKey, at location: SourceLocation) -> String? {
        names[Registration(key: key, location: location)]
    }
}
