public import Synchronization

/// What a container shares with its parents.
public enum ParentSharing: Sendable, Hashable {
    /// Services that a parent keeps are built and kept by the parent; registrations here do not reach them.
    case all

    /// Services that a parent keeps are built and kept again for this container, from its own registrations first.
    ///
    /// For tests and previews: an override applies to everything, and nothing of it gets into the parent.
    case none
}

/// The identity of one container towards the resolution algorithm: who asks, what runs, and what is kept for it alone.
///
/// Every ``Resolver`` that has registrations of its own has one, and answers with it. One that passes requests on to
/// another resolver needs none.
///
///     final class ModuleResolver: Resolver {
///         private let registry = Registry()
///         private lazy var context = ResolutionContext(for: self)
///
///         func locate(_ key: ServiceKey) -> LocatedEntry {
///             LocatedEntry(registry.entry(for: key), context: context)
///         }
///     }
public final class ResolutionContext {
    @usableFromInline let id = Identity.next()

    /// The context of the parent, whose kept services this one uses.
    public let parent: ResolutionContext?

    // The parent again, which is held above; as a strong reference each look at it would be a retain and a release.
    let unretainedParent: Unmanaged<ResolutionContext>?

    /// What is shared with the parents.
    public let sharing: ParentSharing

    /// The registrations of the resolver, where it keeps them in a registry.
    // Not retained: entries hold their context, and the registry holds the entries. The resolver holds it, and who asks
    // is the resolver or one below it, which holds this one.
    @usableFromInline let unretainedRegistry: Unmanaged<Registry>

    /// What several threads need to use the container, if they do. A container over this one that they are to use as well
    /// is given the same one.
    public let coordinator: (any ThreadCoordinator)?

    /// What the containers of a tree have in common.
    let tree: ContextTree

    /// Whose observers make a request look closer: those of the tree, or somebody who is always there where a request has
    /// to find out who builds and keeps, or whose session it runs in.
    @usableFromInline let watched: ContextTree

    /// Whether the session is that of the calling thread: here or above is a container for several threads.
    let isOverThreads: Bool

    private let ownSession: ResolutionSession?
    let threads: (any ThreadCoordinator)?

    /// Whether this context or one above it keeps its parents' services for itself.
    let hasPrivateParents: Bool

    private weak var weakResolver: (any Resolver)?

    // Unsafe: valid from `attach` to `detach`, which is called in the deinit of the resolver. A weak reference would
    // give every container a side table, and with it retains and releases that cost 120 instructions more.
    private unowned(unsafe) var attached: (any Resolver)?

    let state = Mutex(State())

    // Unchecked: read and changed inside the mutex alone. What is taken out is released outside of it.
    struct State: @unchecked Sendable {
        var observers: [ObserverSlot] = []

        /// The contexts below this one that may still be there, for errors that say where else a service is registered.
        fileprivate var children: [WeakContext] = []
        fileprivate var childrenToSweepAt = 8

        /// Storages of entries that keep one instance for each container that asks.
        fileprivate var places: [UInt: PrivatePlace] = [:]
    }

    fileprivate struct WeakContext {
        weak var context: ResolutionContext?
    }

    /// When the entry is given another scope the place is of no use any more.
    fileprivate final class PrivatePlace {
        // A class, since a weak reference is slow to copy.
        weak var entry: AnyServiceEntry?
        let place: StoragePlace

        init(_ entry: AnyServiceEntry, _ place: StoragePlace) {
            self.entry = entry
            self.place = place
        }
    }

    /// Makes the context of a resolver.
    ///
    /// - Parameters:
    ///   - resolver: builds what is kept here. Held weakly.
    ///   - parent: the context of the resolver that is asked for what this one does not have.
    ///   - sharing: what is shared with the parents.
    ///   - registry: the registrations of the resolver, for what is done with all of them, such as resetting scopes and
    ///     checking the wiring. The resolver holds it, and the resolver of the parent context.
    ///   - coordinator: what several threads need to use the resolver, if they do. All its parents must have one.
    public convenience init(
        for resolver: any Resolver,
        parent: ResolutionContext? = nil,
        sharing: ParentSharing = .all,
        registry: Registry? = nil,
        coordinator: (any ThreadCoordinator)? = nil
    ) {
        self.init(parent: parent, sharing: sharing, registry: registry, coordinator: coordinator)
        attachWeakly(resolver)
    }

    /// Makes a context that is to be attached to its resolver.
    ///
    /// A resolver that several threads use calls ``attachWeakly(_:)`` in its initializer. One that a single thread uses and
    /// that wants to be held without a weak reference, which would slow down each of its retains, calls ``attach(_:)``
    /// there and ``detach()`` in its deinit. The parameters are those of
    /// ``init(for:parent:sharing:registry:coordinator:)``.
    public init(
        parent: ResolutionContext?,
        sharing: ParentSharing = .all,
        registry: Registry? = nil,
        coordinator: (any ThreadCoordinator)? = nil
    ) {
        self.parent = parent
        unretainedParent = parent.map { Unmanaged.passUnretained($0) }
        self.sharing = sharing
        unretainedRegistry = Unmanaged.passUnretained(registry ?? .none)
        self.coordinator = coordinator
        threads = coordinator ?? parent?.threads
        isOverThreads = threads != nil
        ownSession = threads == nil ? parent?.ownSession ?? ResolutionSession() : nil
        tree = parent?.tree ?? ContextTree()
        hasPrivateParents = parent != nil && (sharing == .none || parent?.hasPrivateParents == true)
        watched = hasPrivateParents || isOverThreads && coordinator == nil ? .observed : tree
    }

    deinit {
        for slot in state.withLock({ $0.observers }) { tree.count(slot, by: -1) }
        if isForThreads { Reclamation.drain() }
    }

    /// What runs: of a plain container tree, or of the calling thread where threads share a container.
    public var session: ResolutionSession { ownSession ?? threads!.session }

    /// The resolver that builds what is kept here; nil when it has ended. Not retained: entries know the context, and may
    /// outlive the resolver.
    public var resolver: (any Resolver)? { weakResolver ?? attached }

    /// The registrations, for the resolver and those below it.
    var registry: Registry { unretainedRegistry.takeUnretainedValue() }

    /// Whether several threads use the container.
    var isForThreads: Bool { coordinator != nil }

    /// Whether an observer of the tree wants to know of each resolve.
    var isObserved: Bool { tree.isObserved }

    /// The low bit of what is found here.
    var closerLookBit: UInt { watched.isObserved || gate != nil ? 1 : 0 }

    /// How often one registration may be active at the same time, where a repeat is no proof of a cycle: with runtime
    /// arguments, or when a callback on the way has made it legal. The whole container tree has one limit, 200 at first.
    public var depthLimit: Int {
        get { tree.depthLimit.load(ordering: .relaxed) }
        set { tree.depthLimit.store(max(1, newValue), ordering: .relaxed) }
    }

    /// The registrations in words, one a line.
    public func description(of registry: Registry) -> String {
        let lines = registry.entries.map { "  \($0.key): \($0.forwardTarget.map { "as \($0.key)" } ?? "\($0.scope)")" }
        let count = lines.count == 1 ? "1 registration" : "\(lines.count) registrations"
        return (["Container with \(count)"] + lines).joined(separator: "\n")
    }

    /// Makes requests of the tree that find nothing built enter a gate, for views that let threads use a plain
    /// container. Without effect in a container for several threads.
    public func setGate(_ gate: any SessionGate) {
        ownSession?.memory.pointee.gate = gate
    }

    /// The gate of the tree.
    public var gate: (any SessionGate)? { ownSession?.memory.pointee.gate }

    /// Tells the observers of this context, and those of the process, that something has failed.
    ///
    /// For resolvers and extensions with failures of their own; those of a request are told already.
    public func report(_ error: ResolutionError) {
        ResolutionEvent.report(failure: error, in: self)
    }

    /// Tells the observers of this context that a request waits for an instance that another thread builds.
    public func report(_ wait: WaitReport, for key: ServiceKey) {
        ResolutionEvent.report(wait, for: key, in: self)
    }

    /// Makes the error of a request that fails here, with the path of what is running, and tells observers.
    public func failure(_ code: ResolutionError.Code, key: ServiceKey, detail: String) -> ResolutionError {
        let entry = resolver?.registration(of: key)
        return ResolutionError.report(code, key: key, detail: detail, near: entry.map { [$0] } ?? [], in: self)
    }

    /// Says for which resolver this is the context, until ``detach()``.
    public func attach(_ resolver: any Resolver) {
        attached = resolver
        parent?.addChild(self)
    }

    /// Says for which resolver this is the context, for as long as that lives. To be called once, in its initializer.
    public func attachWeakly(_ resolver: any Resolver) {
        weakResolver = resolver
        // Known to others only now: another thread may look for what this one has.
        parent?.addChild(self)
    }

    /// Says that the resolver has ended. To be called in the deinit of one that was attached.
    public func detach() {
        attached = nil
    }

    private func addChild(_ child: ResolutionContext) {
        // What is looked at may become the last reference, so it is held until after the lock.
        var alive: [ResolutionContext] = []
        state.withLock { state in
            if state.children.count >= state.childrenToSweepAt {
                state.children.removeAll { child in
                    guard let context = child.context else { return true }
                    alive.append(context)
                    return false
                }
                state.childrenToSweepAt = max(8, state.children.count * 2)
            }
            state.children.append(WeakContext(context: child))
        }
        withExtendedLifetime(alive) {}
    }

    /// The contexts below this one, nearest first.
    var descendants: [ResolutionContext] {
        let alive = state.withLock { $0.children.compactMap(\.context) }
        return alive + alive.flatMap(\.descendants)
    }

    // MARK: Who keeps

    /// The context that builds and keeps an owner's entry when this one asks: the owner's, or the first one on the way
    /// there that does not share with its parents.
    func keeper(ofEntriesOf owner: ResolutionContext) -> ResolutionContext {
        guard hasPrivateParents else { return owner }
        var context = self
        while context !== owner {
            if context.sharing == .none { return context }
            guard let parent = context.parent else { return owner }
            context = parent
        }
        return owner
    }

    /// Where the instances of an entry are kept when this context builds them.
    func place(of entry: AnyServiceEntry) -> StoragePlace {
        if entry.flags.contains(.askingContainer) || entry.flags.contains(.owner) && entry.owner !== self {
            return privatePlace(of: entry)
        }
        return entry.place
    }

    /// The place of an entry that is for this context alone, if there is one.
    func knownPrivatePlace(of entry: AnyServiceEntry) -> StoragePlace? {
        let known = state.withLock { $0.places[entry.id] }
        guard let known, known.place.scope === entry.place.scope else { return nil }
        return known.place
    }

    private func privatePlace(of entry: AnyServiceEntry) -> StoragePlace {
        if let known = knownPrivatePlace(of: entry) { return known }
        let scope = entry.scope
        // Made outside of the lock, since the scope is a user's.
        let fresh = StoragePlace(scope, for: entry.serviceType)
        if isForThreads { fresh.share() }
        // Held until after the lock: what is dropped here may run any code.
        var alive: [AnyServiceEntry] = []
        var dropped: [StoragePlace] = []
        let place = state.withLock { state in
            if let meanwhile = state.places[entry.id]?.place {
                if meanwhile.scope === scope { return meanwhile }
                dropped.append(meanwhile)
            }
            // Replaced entries leave their storages behind; half of the dictionary at most is such rest.
            if state.places.count == state.places.capacity {
                state.places = state.places.filter { place in
                    guard let entry = place.value.entry else {
                        dropped.append(place.value.place)
                        return false
                    }
                    alive.append(entry)
                    return true
                }
            }
            state.places[entry.id] = PrivatePlace(entry, fresh)
            return fresh
        }
        withExtendedLifetime((alive, dropped)) {}
        return place
    }

    /// The places that are for this context alone and whose entries satisfy a condition.
    func privatePlaces(where isIncluded: (AnyServiceEntry) -> Bool) -> [StoragePlace] {
        state.withLock { state in
            state.places.sorted { $0.key < $1.key }.compactMap { place in
                place.value.entry.map { ($0, place.value.place) }
            }
        }
        .filter { isIncluded($0.0) }.map(\.1)
    }

    /// Puts an entry into a registry under its key. One that was there is released when nobody builds it, and observers
    /// are told of both places.
    public func add(_ entry: AnyServiceEntry, to registry: Registry) {
        adopt(entry)
        let replaced = registry.insert(entry)
        if isForThreads { Reclamation.freeOutgrownTables(of: registry) }
        guard let replaced else { return ResolutionEvent.report(.registered, of: entry, in: self) }
        entry.noteReplacement(of: replaced)
        let location = replaced.location
        retire(replaced)
        ResolutionEvent.report(.replaced(location), of: entry, in: self)
    }

    /// Says that an entry is registered in this context: what it shares is kept here, and what it forwards is registered
    /// with the resolver of this context.
    ///
    /// To be called by a resolver with each entry that it takes.
    public func adopt(_ entry: AnyServiceEntry) {
        entry.setOwner(self)
    }

    /// Keeps an entry that a registry has given up for as long as it is being built; does nothing when it is not.
    ///
    /// To be called by a resolver with the entry that a registration replaces or removes.
    public func retire(_ entry: AnyServiceEntry) {
        entry.insert(.retired)
        let kept = removePrivateStorage(of: entry)
        if isForThreads {
            Reclamation.retire(entry)
        } else {
            session.memory.pointee.retire(entry)
        }
        withExtendedLifetime(kept) {}
    }

    /// Drops what is kept here for an entry, and gives it back so that it is released where the caller likes.
    func removePrivateStorage(of entry: AnyServiceEntry) -> AnyObject? {
        state.withLock { $0.places.removeValue(forKey: entry.id)?.place }
    }

    func removePrivateStorages() -> [AnyObject] {
        state.withLock { state in
            let removed = state.places.values.map { $0.place as AnyObject }
            state.places = [:]
            return removed
        }
    }
}

/// What the containers of a tree have in common.
@usableFromInline
final class ContextTree: Sendable {
    /// How many observers want to know of each resolve.
    @usableFromInline let resolutionObservers = Atomic<Int>(0)

    /// Whether an observer wants to know of each resolve.
    @inlinable
    @inline(__always)
    var isObserved: Bool { resolutionObservers.load(ordering: .relaxed) != 0 }

    /// How many observers want to know of failures.
    let failureObservers = Atomic<Int>(0)

    let depthLimit = Atomic<Int>(200)

    /// One that is always observed.
    static let observed = {
        let tree = ContextTree()
        tree.resolutionObservers.store(1, ordering: .relaxed)
        return tree
    }()

    func count(_ slot: ObserverSlot, by step: Int) {
        if slot.interests.contains(.resolutions) { resolutionObservers.wrappingAdd(step, ordering: .relaxed) }
        if slot.interests.contains(.failures) { failureObservers.wrappingAdd(step, ordering: .relaxed) }
    }
}
