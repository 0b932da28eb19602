public import DICore

/// Applies assemblies to a container.
///
///     let app = Assembler([NetworkAssembly(), StorageAssembly()])
///     let feature = Assembler([FeatureAssembly()], parent: app)
///     let screen = feature.resolver.resolve((any Screen).self)
///
/// Within one batch every assembly registers before any is told that all is loaded. What is needed comes first, an
/// assembly that was applied before is passed over, and those that were loaded are not told again.
public final class Assembler {
    private let container: Container
    private let parent: Assembler?
    private var applied: Set<AnyHashable> = []

    /// Assemblies that need each other, found while they were applied. The services are registered all the same;
    /// ``load(_:)`` throws the error instead.
    public private(set) var problems: [AssemblyError] = []

    /// Where the services of the assemblies and of the parents are resolved.
    public var resolver: any Resolver { container }

    /// Makes an assembler for a container that has registrations already, or for a new one.
    public init(container: Container? = nil) {
        self.container = container ?? Container()
        parent = nil
    }

    /// Makes an assembler whose container is a child of the one of another assembler.
    public init(
        parentAssembler: Assembler?,
        defaultObjectScope: any ObjectScopeProtocol = ObjectScope.graph,
        behaviors: [any Behavior] = []
    ) {
        container = Container(
            parent: parentAssembler?.container,
            defaultObjectScope: defaultObjectScope,
            behaviors: behaviors
        )
        parent = parentAssembler
    }

    /// Makes an assembler and applies assemblies to a container.
    public convenience init(_ assemblies: [any Assembly], container: Container = Container()) {
        self.init(container: container)
        apply(assemblies: assemblies)
    }

    /// Makes an assembler whose container is a child of the one of another assembler, and applies assemblies to it.
    public convenience init(
        _ assemblies: [any Assembly],
        parent: Assembler?,
        defaultObjectScope: any ObjectScopeProtocol = ObjectScope.graph,
        behaviors: [any Behavior] = []
    ) {
        self.init(parentAssembler: parent, defaultObjectScope: defaultObjectScope, behaviors: behaviors)
        apply(assemblies: assemblies)
    }

    /// Applies an assembly and those that it needs, unless they were applied before.
    public func apply(assembly: any Assembly) {
        apply(assemblies: [assembly])
    }

    /// Applies assemblies and those that they need, as one batch.
    ///
    /// Assemblies that need each other are applied in the order in which they are met, and the cycle is added to
    /// ``problems``; use ``load(_:)`` to have nothing applied in that case.
    public func apply(assemblies: [any Assembly]) {
        let plan = AssemblyPlan(assemblies, passingOver: isApplied)
        problems += plan.cycles
        carryOut(plan)
    }

    /// Applies assemblies and those that they need as one batch, or throws if there is no order for them; then nothing
    /// has been registered.
    public func load(_ assemblies: [any Assembly]) throws(AssemblyError) {
        let plan = AssemblyPlan(assemblies, passingOver: isApplied)
        if let cycle = plan.cycles.first { throw cycle }
        carryOut(plan)
    }

    /// Applies an assembly also if it was applied before; what it needs is not applied again.
    public func reapply(assembly: any Assembly) {
        applied.remove(assembly.identity)
        apply(assembly: assembly)
    }

    /// An assembly is applied here once; one that is only needed is passed over also when a parent has it.
    private func isApplied(_ identity: AnyHashable, isNeeded: Bool) -> Bool {
        applied.contains(identity) || isNeeded && parent?.isApplied(identity, isNeeded: true) == true
    }

    private func carryOut(_ plan: AssemblyPlan) {
        for assembly in plan.order { applied.insert(assembly.identity) }
        for assembly in plan.order { assembly.assemble(container: container) }
        for assembly in plan.order { assembly.loaded(resolver: resolver) }
    }
}
