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
public final class Container: Resolver, ServiceRegistrar {
    /// The identity of the container towards the resolution algorithm.
    public let context: ResolutionContext

    /// The scope of registrations that say nothing of one.
    public let defaultObjectScope: any ObjectScopeProtocol

    /// The container that is asked for what this one does not have. Held strongly.
    public let parent: Container?

    let registry = Registry()
    private let session: UnsafeMutablePointer<Session>
    // The parent, which is held above; as a strong reference each look at it would be a retain and a release.
    private let unretainedParent: Unmanaged<Container>?
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
        context = ResolutionContext(parent: parent?.context, sharing: sharing)
        session = context.session.memory
        self.parent = parent
        unretainedParent = parent.map { Unmanaged.passUnretained($0) }
        self.defaultObjectScope = defaultObjectScope
        self.behaviors = behaviors
        context.attach(self)
        registeringClosure(self)
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
        var bits = registry.find(key, tag: tag)
        if bits == 0, let unretainedParent { bits = Container.find(key, tag, from: unretainedParent) }
        return located(bits)
    }

    /// The registration of a type without arguments and name.
    public func locate(unnamed serviceType: Any.Type) -> LocatedEntry {
        let tag = KeyTag(unnamed: serviceType)
        var bits = registry.find(unique: tag)
        if bits == 0, let unretainedParent { bits = Container.find(tag, from: unretainedParent) }
        return located(bits)
    }

    @inline(__always)
    private func located(_ bits: UInt) -> LocatedEntry {
        let careful = session.pointee.resolutionObservers != 0 || context.hasPrivateParents
        return LocatedEntry(
            bits: bits != 0 && careful ? bits | 1 : bits,
            session: session,
            context: Unmanaged.passUnretained(context)
        )
    }

    @inline(never)
    private static func find(_ tag: KeyTag, from start: Unmanaged<Container>) -> UInt {
        var level = start
        while true {
            let bits = level._withUnsafeGuaranteedRef { $0.registry.find(unique: tag) }
            if bits != 0 { return bits }
            guard let next = level._withUnsafeGuaranteedRef({ $0.unretainedParent }) else { return 0 }
            level = next
        }
    }

    @inline(never)
    private static func find(_ key: ServiceKey, _ tag: KeyTag, from start: Unmanaged<Container>) -> UInt {
        var level = start
        while true {
            let bits = level._withUnsafeGuaranteedRef { $0.registry.find(key, tag: tag) }
            if bits != 0 { return bits }
            guard let next = level._withUnsafeGuaranteedRef({ $0.unretainedParent }) else { return 0 }
            level = next
        }
    }

    /// The contributions to the collection of a type, the parents' first.
    public func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] {
        let own = registry.contributions(to: serviceType)
        guard let parent else { return own }
        return parent.contributions(to: serviceType) + own
    }

    /// Everything that can be found from here, the parents' first, without what is overridden.
    public var visibleEntries: [AnyServiceEntry] {
        guard let parent else { return registry.entries }
        return parent.visibleEntries.filter { registry.entry(for: $0.key) == nil } + registry.entries
    }

    // MARK: Registering

    /// Puts an entry under its key. One that was there is released, and observers are told of both places.
    public func add(_ entry: AnyServiceEntry) {
        context.adopt(entry)
        let replaced = registry.insert(entry)
        if let replaced {
            entry.noteReplacement(of: replaced)
            context.retire(replaced)
            ResolutionEvent.report(.replaced(replaced.location), of: entry, in: context)
        } else {
            if session.pointee.top == nil { registry.freeOutgrownTables() }
            ResolutionEvent.report(.registered, of: entry, in: context)
        }
    }

    /// Adds an entry of a known type, and tells the behaviours.
    func add<Service>(_ entry: ServiceEntry<Service>) -> ServiceEntry<Service> {
        add(entry as AnyServiceEntry)
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

    /// How often one registration may be active at the same time, where a repeat is no proof of a cycle: with runtime
    /// arguments, or when a callback on the way has made it legal. The whole container tree has one limit, 200 at first.
    public var depthLimit: Int {
        get { session.pointee.depthLimit }
        set { session.pointee.depthLimit = max(1, newValue) }
    }
}

extension Container: CustomStringConvertible {
    /// The registrations, one a line.
    public var description: String {
        let lines = registry.entries.map { "  \($0.key): \($0.forwardTarget.map { "as \($0.key)" } ?? "\($0.scope)")" }
        let count = lines.count == 1 ? "1 registration" : "\(lines.count) registrations"
        return (["Container with \(count)"] + lines).joined(separator: "\n")
    }
}
