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
    /// The container towards the resolution algorithm, with all that may be done with it in its isolation domain.
    public let context: ResolutionContext

    /// The container as others refer to it.
    public var identity: ContainerIdentity { context.identity }

    /// The scope of registrations that say nothing of one.
    public let defaultObjectScope: any ObjectScopeProtocol

    /// The container that is asked for what this one does not have. Held strongly.
    public let parent: Container?

    // Those of the context.
    private let registry: Registry
    private let watched: ContextTree
    /// That of the tree as long as it has no views; without a meaning over a container that several threads use.
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
        context = ResolutionContext(parent: parent?.identity, sharing: sharing)
        registry = context.registry
        watched = context.watched
        session = context.treeSession ?? context.session
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
        context = ResolutionContext(parent: base.identity, sharing: sharing)
        registry = context.registry
        watched = context.watched
        session = context.treeSession ?? context.session
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
        let located = unsafeLocate(key)
        // Then it is the base that has no other answer.
        return located.isUnlocated ? LocatedEntry(base?.locate(key).entry, context: context) : LocatedEntry(located)
    }

    /// The registration of a key, unchecked.
    public func unsafeLocate(_ key: ServiceKey) -> UnsafeLocatedEntry {
        if watched.needsSlowPath { return locateSlowly(key) }
        let tag = KeyTag(key)
        let bits = registry.find(key, tag: tag)
        if bits == 0 { return locateFurther(key, tag) }
        return located(bits)
    }

    /// The registration of a type without arguments and name, unchecked.
    public func unsafeLocate(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry {
        if watched.needsSlowPath { return locateSlowly(unnamed: serviceType) }
        let bits = registry.find(unique: KeyTag(unnamed: serviceType))
        if bits == 0 { return locateFurther(unnamed: serviceType) }
        return located(bits)
    }

    @inline(__always)
    private func located(_ bits: UInt) -> UnsafeLocatedEntry {
        UnsafeLocatedEntry(bits: bits, session: session, context: Unmanaged.passUnretained(context))
    }

    // The rest of a look-up is apart so that the usual one needs no stack.

    @inline(never)
    private func locateFurther(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry {
        let tag = KeyTag(unnamed: serviceType)
        let bits = findAbove { $0.find(unique: tag) }
        if bits == 0, base != nil { return locateSlowly(ServiceKey(serviceType: serviceType)) }
        return located(bits == 0 ? UnsafeLocatedEntry.missing : bits)
    }

    @inline(never)
    private func locateFurther(_ key: ServiceKey, _ tag: KeyTag) -> UnsafeLocatedEntry {
        let bits = findAbove { $0.find(key, tag: tag) }
        if bits == 0, base != nil { return locateSlowly(key) }
        return located(bits == 0 ? UnsafeLocatedEntry.missing : bits)
    }

    /// Where an observer follows resolves, a parent's services are kept here, several threads use the tree or what is above
    /// it, or the base has to be asked.
    @inline(never)
    private func locateSlowly(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry {
        locateSlowly(ServiceKey(serviceType: serviceType))
    }

    @inline(never)
    private func locateSlowly(_ key: ServiceKey) -> UnsafeLocatedEntry {
        if context.gate != nil { return context.unsafeLocate(key) }
        let tag = KeyTag(key)
        let own = registry.find(key, tag: tag)
        let bits = own == 0 ? findAbove { $0.find(key, tag: tag) } : own
        // What the base has found, on behalf of this container.
        let found = bits == 0 ? base?.unsafeLocate(key) : nil
        if let found, found.isUnlocated { return found }
        return UnsafeLocatedEntry(
            bits: found.map(\.bits) ?? bits | 1,
            session: found.map(\.session) ?? context.session,
            context: Unmanaged.passUnretained(context)
        )
        .onSlowPath
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
        context.add(entry)
    }

    /// Adds an entry, and tells the behaviours.
    func added<Service>(_ entry: TypedEntry<Service>, _ isolation: (any Actor)?) -> ServiceEntry<Service> {
        if let isolation { entry.noteIsolation(isolation) }
        add(entry)
        if !behaviors.isEmpty { entry.announce(to: self) }
        return ServiceEntry(entry)
    }

    func tellBehaviors<Registered, Service>(
        of type: Registered.Type,
        _ entry: ServiceEntry<Service>,
        name: String?
    ) {
        for behavior in behaviors {
            behavior.container(self, didRegisterType: type, toService: entry, withName: name)
        }
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
    public var description: String { context.description }
}
