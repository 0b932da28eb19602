internal import Synchronization

// Unsafe: the look-up walks the parents without retaining them; each is held by its child, and this one by the caller.

/// Holds registrations and resolves services, in one isolation domain.
///
///     let container = Container()
///     container.register((any HTTPClient).self) { _ in URLSessionClient() }
///     container.register((any APIService).self) { r in
///         APIServiceImpl(client: try r.require((any HTTPClient).self))
///     }
///     let api = try container.require((any APIService).self)
///
/// A registration says how an instance is made; its scope says how it is shared, by default once for each object graph.
/// A container may have a parent, which is asked for what it does not have itself.
///
/// A container is not `Sendable`: it takes no locks, and the compiler keeps it where it was made. Factories may use what
/// belongs to that place; a container made on the main actor registers services of the main actor without annotations.
///
/// What it refuses: an instance whose services need each other to be built, which is an error with the whole path; a
/// default for what is not registered; and to trap. `resolve` gives nil, `require` throws a ``ResolutionError``.
///
/// - Complexity: a resolve costs one table look-up for each level from here to the registration. With ten or with ten
///   thousand registrations it costs the same.
public final class Container: ContainerProtocol, ServiceRegistrar {
    /// The identity of the container towards the resolution algorithm.
    public let context: ResolutionContext

    /// The scope of registrations that say nothing of one.
    public let defaultObjectScope: any ObjectScopeProtocol

    /// The container that is asked for what this one does not have. Held strongly.
    public let parent: Container?

    private let registry: Registry
    // That of the context.
    private let watched: ContextTree
    private let session: UnsafeMutablePointer<Session>
    // The parent, which is held above; as a strong reference each look at it would be a retain and a release.
    private let unretainedParent: Unmanaged<Container>?
    /// What is asked when neither this container nor a parent knows: a container for several threads, or any other.
    private let base: (any ContainerProtocol)?
    var behaviors: [any Behavior]

    /// Makes a container.
    ///
    /// - Parameters:
    ///   - parent: is asked for what this container does not have.
    ///   - sharing: whether services that a parent keeps are shared with it or kept anew for this container.
    ///   - defaultObjectScope: the scope of registrations that say nothing of one.
    ///   - behaviors: are told of each registration.
    ///   - registeringClosure: registers the first services.
    public init(
        parent: Container? = nil,
        sharing: ParentSharing = .all,
        defaultObjectScope: any ObjectScopeProtocol = ObjectScope.graph,
        behaviors: [any Behavior] = [],
        registeringClosure: (Container) -> Void = { _ in }
    ) {
        registry = Registry()
        context = ResolutionContext(parent: parent?.context, sharing: sharing, registry: registry)
        watched = context.watched
        session = context.session.memory
        self.parent = parent
        base = parent?.base
        unretainedParent = parent.map { Unmanaged.passUnretained($0) }
        self.defaultObjectScope = defaultObjectScope
        self.behaviors = behaviors
        context.attach(self)
        registeringClosure(self)
    }

    /// Makes a container over another kind of container, such as one that several threads use.
    ///
    ///     let request = Container(over: root)      // confined to the task that serves the request
    ///
    /// It is confined like any other; what it has not itself is asked of the base, under the rules of a parent. What the
    /// base keeps is built by the base.
    public init(
        over base: any ContainerProtocol,
        sharing: ParentSharing = .all,
        defaultObjectScope: any ObjectScopeProtocol = ObjectScope.graph,
        behaviors: [any Behavior] = []
    ) {
        registry = Registry()
        context = ResolutionContext(parent: base.context, sharing: sharing, registry: registry)
        watched = context.watched
        session = context.session.memory
        parent = nil
        self.base = base
        unretainedParent = nil
        self.defaultObjectScope = defaultObjectScope
        self.behaviors = behaviors
        context.attach(self)
    }

    deinit {
        context.detach()
    }

    /// Makes a container whose parent is this one.
    public func createChild(sharing: ParentSharing = .all) -> Container {
        Container(parent: self, sharing: sharing, defaultObjectScope: defaultObjectScope)
    }

    // MARK: Finding

    /// The registration of a key here or, failing that, in the nearest parent that has it.
    public func locate(_ key: ServiceKey) -> LocatedEntry {
        let tag = KeyTag(key)
        let bits = registry.find(key, tag: tag)
        if bits == 0 || watched.isObserved { return locateFurther(key, tag, bits) }
        return located(bits)
    }

    /// The registration of a type without arguments and name.
    public func locate(unnamed serviceType: Any.Type) -> LocatedEntry {
        let bits = registry.find(unique: KeyTag(unnamed: serviceType))
        if bits == 0 || watched.isObserved { return locateFurther(unnamed: serviceType, bits) }
        return located(bits)
    }

    @inline(__always)
    private func located(_ bits: UInt) -> LocatedEntry {
        LocatedEntry(bits: bits, session: session, context: Unmanaged.passUnretained(context))
    }

    // The rest of a look-up is apart so that the usual one needs no stack.

    @inline(never)
    private func locateFurther(unnamed serviceType: Any.Type, _ found: UInt) -> LocatedEntry {
        let tag = KeyTag(unnamed: serviceType)
        let bits = found == 0 ? findAbove { $0.find(unique: tag) } : found
        if bits == 0, base != nil { return locateInBase(ServiceKey(serviceType: serviceType)) }
        return finallyLocated(bits)
    }

    @inline(never)
    private func locateFurther(_ key: ServiceKey, _ tag: KeyTag, _ found: UInt) -> LocatedEntry {
        let bits = found == 0 ? findAbove { $0.find(key, tag: tag) } : found
        if bits == 0, base != nil { return locateInBase(key) }
        return finallyLocated(bits)
    }

    @inline(__always)
    private func findAbove(_ find: (Registry) -> UInt) -> UInt {
        guard var level = unretainedParent else { return 0 }
        while true {
            let bits = level._withUnsafeGuaranteedRef { find($0.registry) }
            if bits != 0 { return bits }
            guard let next = level._withUnsafeGuaranteedRef({ $0.unretainedParent }) else { return 0 }
            level = next
        }
    }

    @inline(__always)
    private func finallyLocated(_ bits: UInt) -> LocatedEntry {
        if bits != 0, !watched.isObserved { return located(bits) }
        return LocatedEntry(
            bits: bits | 1,
            session: context.isOverThreads ? context.session.memory : session,
            context: Unmanaged.passUnretained(context)
        )
    }

    /// What the base has found, on behalf of this container.
    private func locateInBase(_ key: ServiceKey) -> LocatedEntry {
        guard let found = base?.locate(key) else { return finallyLocated(0) }
        return LocatedEntry(
            bits: found.bits | 1,
            session: found.session,
            context: Unmanaged.passUnretained(context)
        )
    }

    /// The contributions to the collection of a type, the parents' first.
    public func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] {
        let above = parent?.contributions(to: serviceType) ?? base?.contributions(to: serviceType) ?? []
        return above + registry.contributions(to: serviceType)
    }

    /// Everything that can be found from here, the parents' first, without what is overridden.
    public var visibleEntries: [AnyServiceEntry] {
        let above = parent?.visibleEntries ?? base?.visibleEntries ?? []
        return above.filter { registry.entry(for: $0.key) == nil } + registry.entries
    }

    // MARK: Registering

    /// Puts an entry under its key. One that was there is released, and observers are told of both places.
    public func add(_ entry: AnyServiceEntry) {
        context.add(entry, to: registry)
        // A table that was outgrown is of no use to a container that one thread uses, unless that is looking into it.
        let session = context.isOverThreads ? context.session.memory : session
        if session.pointee.top == nil { registry.freeOutgrownTables() }
    }

    /// Adds an entry of a known type, and tells the behaviours.
    func added<Service>(
        _ entry: ServiceEntry<Service>,
        _ isolation: (any Actor)? = nil
    ) -> ServiceEntry<Service> {
        if let isolation { entry.noteIsolation(isolation) }
        add(entry)
        for behavior in behaviors {
            behavior.container(self, didRegisterType: Service.self, toService: entry, withName: entry.key.name)
        }
        return entry
    }

    /// Adds a behaviour, which is told of the registrations from here on.
    public func addBehavior(_ behavior: any Behavior) {
        behaviors.append(behavior)
    }

    /// Adds an observer, which is told of what happens from here on, here and in children. Held strongly.
    public func addObserver(_ observer: any ResolutionObserver) {
        context.addObserver(observer)
    }

    /// Removes an observer.
    public func removeObserver(_ observer: any ResolutionObserver) {
        context.removeObserver(observer)
    }
}

extension Container: CustomStringConvertible {
    /// The registrations, one a line.
    public var description: String { context.description(of: registry) }
}
