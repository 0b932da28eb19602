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
    let container: Container
    private let parent: Assembler?
    private let parts: AppliedAssemblies?
    private let validation: WiringValidation
    private let origins = AssemblyOrigins()
    private var applied: Set<AnyHashable> = []
    private var ownExternalKeys: Set<ServiceKey> = []

    /// What was found wrong while assemblies were applied: assemblies that need each other, and wiring that does not fit.
    /// The services are registered all the same; ``load(_:)`` throws instead.
    public private(set) var problems: [AssemblyError] = []

    /// Where the services of the assemblies and of the parents are resolved.
    public var resolver: any Resolver { container }

    /// Makes an assembler for a container that has registrations already, or for a new one.
    public init(container: Container? = nil, validation: WiringValidation = .inDebug) {
        self.container = container ?? Container()
        self.validation = validation
        parent = nil
        parts = nil
        self.container.addObserver(origins)
    }

    /// Makes an assembler whose container is over one that several threads use, and applies assemblies to it.
    ///
    /// The container is confined to where the assembler is made; all that is confined belongs here. What is only needed
    /// is passed over when it was applied to the other container.
    public init(
        _ assemblies: [any Assembly] = [],
        over parts: AppliedAssemblies,
        defaultObjectScope: any ObjectScopeProtocol = ObjectScope.graph,
        behaviors: [any Behavior] = [],
        validation: WiringValidation = .inDebug
    ) {
        container = Container(over: parts.container, defaultObjectScope: defaultObjectScope, behaviors: behaviors)
        self.validation = validation
        parent = nil
        self.parts = parts
        container.addObserver(origins)
        apply(assemblies: assemblies)
    }

    /// Makes an assembler whose container is a child of the one of another assembler.
    public init(
        parentAssembler: Assembler?,
        defaultObjectScope: any ObjectScopeProtocol = ObjectScope.graph,
        behaviors: [any Behavior] = [],
        validation: WiringValidation = .inDebug
    ) {
        container = Container(
            parent: parentAssembler?.container,
            defaultObjectScope: defaultObjectScope,
            behaviors: behaviors
        )
        self.validation = validation
        parent = parentAssembler
        parts = nil
        container.addObserver(origins)
    }

    /// Makes an assembler and applies assemblies to a container.
    public convenience init(
        _ assemblies: [any Assembly],
        container: Container = Container(),
        validation: WiringValidation = .inDebug
    ) {
        self.init(container: container, validation: validation)
        apply(assemblies: assemblies)
    }

    /// Makes an assembler whose container is a child of the one of another assembler, and applies assemblies to it.
    public convenience init(
        _ assemblies: [any Assembly],
        parent: Assembler?,
        defaultObjectScope: any ObjectScopeProtocol = ObjectScope.graph,
        behaviors: [any Behavior] = [],
        validation: WiringValidation = .inDebug
    ) {
        self.init(
            parentAssembler: parent,
            defaultObjectScope: defaultObjectScope,
            behaviors: behaviors,
            validation: validation
        )
        apply(assemblies: assemblies)
    }

    deinit {
        container.removeObserver(origins)
    }

    /// Applies an assembly and those that it needs, unless they were applied before.
    public func apply(assembly: any Assembly) {
        apply(assemblies: [assembly])
    }

    /// Registers a few services without an assembly, such as what a test puts in place of others.
    ///
    ///     assembler.apply { container in
    ///         container.register((any HTTPClient).self) { _ in StubClient() }
    ///     }
    public func apply(_ registerServices: (Container) -> Void) {
        registerServices(container)
        if let problem = wiringProblem { note(problem) }
    }

    /// Adds an observer, which is told of what happens in the container of this assembler from here on.
    public func addObserver(_ observer: any ResolutionObserver) {
        container.addObserver(observer)
    }

    /// Removes an observer.
    public func removeObserver(_ observer: any ResolutionObserver) {
        container.removeObserver(observer)
    }

    /// Applies assemblies and those that they need, as one batch.
    ///
    /// Assemblies that need each other are applied in the order in which they are met. That, and wiring that does not
    /// fit, is added to ``problems`` and told to the observers of the container; with ``load(_:)`` it is thrown.
    public func apply(assemblies: [any Assembly]) {
        let plan = AssemblyPlan(assemblies, passingOver: isApplied)
        for problem in plan.cycles { note(problem) }
        carryOut(plan)
        if let problem = wiringProblem { note(problem) }
    }

    /// Applies assemblies and those that they need as one batch, or throws.
    ///
    /// If there is no order for them nothing is registered. If the wiring is checked and does not fit, what was
    /// registered stays.
    public func load(_ assemblies: [any Assembly]) throws(AssemblyError) {
        let plan = AssemblyPlan(assemblies, passingOver: isApplied)
        if let cycle = plan.cycles.first { throw cycle }
        carryOut(plan)
        if let problem = wiringProblem { throw problem }
    }

    /// Applies an assembly also if it was applied before; what it needs is not applied again.
    public func reapply(assembly: any Assembly) {
        applied.remove(assembly.identity)
        apply(assembly: assembly)
    }

    /// The keys that the assemblies here and above say that others provide.
    public var externalKeys: Set<ServiceKey> {
        ownExternalKeys.union(parent?.externalKeys ?? parts?.externalKeys ?? [])
    }

    /// The assembly, here or above, that has registered a key at a place.
    func origin(of key: ServiceKey, at location: SourceLocation) -> String? {
        origins.name(of: key, at: location)
            ?? parent?.origin(of: key, at: location)
            ?? parts?.origin(of: key, at: location)
    }

    /// An assembly is applied here once; one that is only needed is passed over also when a parent has it.
    private func isApplied(_ identity: AnyHashable, isNeeded: Bool) -> Bool {
        if applied.contains(identity) { return true }
        guard isNeeded else { return false }
        return parent?.isApplied(identity, isNeeded: true) ?? parts?.identities.contains(identity) ?? false
    }

    private func carryOut(_ plan: AssemblyPlan) {
        for assembly in plan.order { applied.insert(assembly.identity) }
        for assembly in plan.order {
            ownExternalKeys.formUnion(assembly.externalKeys)
            origins.current = AssemblyPlan.name(of: assembly)
            assembly.assemble(container: container)
        }
        origins.current = nil
        for assembly in plan.order { assembly.loaded(resolver: resolver) }
    }

    private var wiringProblem: AssemblyError? {
        guard validation.isOn else { return nil }
        let report = validate()
        return report.isValid ? nil : .invalidWiring(report)
    }

    private func note(_ problem: AssemblyError) {
        problems.append(problem)
        container.report(
            ResolutionError(
                .invalidWiring,
                key: ServiceKey(serviceType: Container.self),
                detail: "\(problem)"
            )
        )
    }
}
