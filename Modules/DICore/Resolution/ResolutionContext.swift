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

/// One container towards the resolution algorithm: who asks, what runs, and what is kept for it alone.
///
/// Every ``Resolver`` that has registrations of its own has one, which holds them, and keeps it to itself: who has it acts on
/// behalf of that resolver. Others are given its ``identity``. One that passes requests on to another resolver needs none.
///
///     final class ModuleResolver: Resolver {
///         private lazy var context = ResolutionContext(for: self)
///
///         func locate(_ key: ServiceKey) -> LocatedEntry { context.locate(key) }
///
///         func add(_ entry: AnyServiceEntry) { context.add(entry) }
///     }
public final class ResolutionContext {
    // The highest bit says that several threads use the container; see `RecordKey`.
    @usableFromInline let id: UInt

    /// That of the parent, whose kept services this one uses.
    let parent: ResolutionContext?

    // The parent again, which is held above; as a strong reference each look at it would be a retain and a release.
    let unretainedParent: Unmanaged<ResolutionContext>?

    /// What is shared with the parents.
    public let sharing: ParentSharing

    /// The registrations of the resolver. Entries know their context weakly, so that it can hold them.
    let registry: Registry

    // The registry again; as a strong reference each look at it would be a retain and a release.
    @usableFromInline let unretainedRegistry: Unmanaged<Registry>

    /// What several threads need to use the container, if they do.
    let coordinator: (any ThreadCoordinator)?

    /// What the containers of a tree have in common.
    let tree: ContextTree

    /// Whose observers make a request look closer: those of the tree, or somebody who is always there where a request has
    /// to find out who builds and keeps, or whose session it runs in.
    @usableFromInline let watched: ContextTree

    /// Whether the session is that of the calling thread: here or above is a container for several threads.
    let isOverThreads: Bool

    /// The system's slot for the sessions of threads. Here because reading a global costs as much as using it.
    let threadKey = ThreadSessions.fastKey

    private let ownSession: OwnedSession?
    let threads: (any ThreadCoordinator)?

    /// Whether this context or one above it keeps its parents' services for itself.
    let hasPrivateParents: Bool

    private weak var weakResolver: (any Resolver)?

    /// The resolver, where several threads use it.
    private(set) weak var sendableResolver: (any Resolver & Sendable)?

    // Unsafe: valid from `attach` to `detach`, which `Container` calls in its initializers and its deinit. A weak reference
    // would give every container a side table, and with it retains and releases that cost 120 instructions more.
    private unowned(unsafe) var attached: (any Resolver)?

    /// See ``reference``. Made when it is first asked for: a container for one request often registers nothing.
    let ownReference = AtomicReference<ContextReference>(nil)

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
    ///   - parent: the container that is asked for what this one does not have.
    ///   - sharing: what is shared with the parents.
    public convenience init(
        for resolver: any Resolver,
        parent: ContainerIdentity? = nil,
        sharing: ParentSharing = .all,
    ) {
        self.init(parent: parent, sharing: sharing)
        attachWeakly(resolver)
    }

    /// Makes the context of a resolver that several threads use, which calls `attachWeakly(_:)` in its initializer.
    ///
    /// For a resolver that has it as a constant, and calls ``attachWeakly(_:)-(Resolver)`` at the end of its initializer.
    ///
    /// - Parameters:
    ///   - parent: the container that is asked for what this one does not have.
    ///   - sharing: what is shared with the parents.
    ///   - coordinator: what several threads need to use the resolver, if they do. All its parents must have one.
    public init(
        parent: ContainerIdentity?,
        sharing: ParentSharing = .all,
        coordinator: (any ThreadCoordinator)? = nil
    ) {
        let parent = parent?.context
        id = Identity.next() | (coordinator == nil ? 0 : RecordKey.mark)
        self.parent = parent
        unretainedParent = parent.map { Unmanaged.passUnretained($0) }
        self.sharing = sharing
        registry = Registry()
        unretainedRegistry = Unmanaged.passUnretained(registry)
        self.coordinator = coordinator
        threads = coordinator ?? parent?.threads
        isOverThreads = threads != nil
        ownSession = threads == nil ? parent?.ownSession ?? OwnedSession() : nil
        tree = parent?.tree ?? ContextTree()
        hasPrivateParents = parent != nil && (sharing == .none || parent?.hasPrivateParents == true)
        watched = hasPrivateParents || isOverThreads && coordinator == nil ? .slow : tree
    }

    deinit {
        ownReference.object?.contextEnds()
        for slot in state.withLock({ $0.observers }) { tree.count(slot, by: -1) }
        if isForThreads { Reclamation.drain() }
    }

    /// What runs: of a plain container tree, or of the calling thread where threads use the container or views of it.
    var session: UnsafeMutablePointer<Session> {
        if let ownSession, !tree.hasGate { return ownSession.memory }
        return ThreadSessions.current
    }

    /// What runs of a tree of plain containers as long as it has no views.
    var treeSession: UnsafeMutablePointer<Session>? { ownSession?.memory }

    /// The resolver that builds what is kept here; nil when it has ended. Not retained: it holds the context.
    public var resolver: (any Resolver)? { weakResolver ?? attached }

    /// Whether several threads use the container.
    var isForThreads: Bool { coordinator != nil || tree.hasGate }

    /// Whether an observer of the tree wants to know of each resolve.
    var isObserved: Bool { tree.isObserved }

    /// The low bit of what is found here.
    var closerLookBit: UInt { watched.needsSlowPath ? 1 : 0 }

    /// The low bit of an entry that is found here. Through a view, an instance that is built is found without the gate.
    func closerLookBit(of entry: UInt) -> UInt {
        if !watched.needsSlowPath { return 0 }
        guard tree.hasGate, watched === tree, !tree.isObserved else { return 1 }
        return AnyServiceEntry.withBits(entry) { $0.publishedBits } == 0 ? 1 : 0
    }

    /// The container, for messages.
    var name: String { resolver.map { "a \(type(of: $0))" } ?? "a container that has ended" }

    /// How often one registration may be active at the same time, where a repeat is no proof of a cycle: with runtime
    /// arguments, or when a callback on the way has made it legal. The whole container tree has one limit, 200 at first.
    /// Where the stack of the thread has no room for so many, the request fails earlier.
    public var depthLimit: Int {
        get { tree.depthLimit.load(ordering: .relaxed) }
        set { tree.depthLimit.store(max(1, newValue), ordering: .relaxed) }
    }

    /// Lets several threads use this tree of plain containers, each of whose builds enters the gate. Has an effect once, and
    /// none where a container for several threads is in the tree.
    ///
    /// Unsafe: a gate that lets two threads in at the same time is a race, and so is what leaves the tree's isolation domain
    /// without being safe to use elsewhere. To be called outside of factories: a graph that is running is not joined.
    public func unsafeSetGate(_ gate: any SessionGate) {
        guard !isOverThreads, tree.setGate(gate) else { return }
        // From here on what is replaced or reset may be in use by another thread.
        var root = self
        while let parent = root.parent { root = parent }
        for context in [root] + root.descendants { context.sharePlaces() }
    }

    private func sharePlaces() {
        for entry in registry.entries { entry.becomeShared() }
        for place in privatePlaces(where: { _ in true }) { place.share() }
    }

    /// The gate of the tree, if it has views.
    public var gate: (any SessionGate)? { tree.gate }

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
    func attach(_ resolver: any Resolver) {
        attached = resolver
        parent?.addChild(self)
    }

    /// Says for which resolver this is the context, for as long as that lives. To be called once, in its initializer, by a
    /// resolver that several threads use.
    public func attachWeakly(_ resolver: any Resolver & Sendable) {
        sendableResolver = resolver
        attachAnyWeakly(resolver)
    }

    /// Says for which resolver this is the context, for as long as that lives. To be called once, in its initializer.
    public func attachWeakly(_ resolver: any Resolver) {
        attachAnyWeakly(resolver)
    }

    private func attachAnyWeakly(_ resolver: any Resolver) {
        guard self.resolver == nil else { fatalError("a context has one resolver, and this one has one already") }
        weakResolver = resolver
        ownReference.object?.attach(resolver)
        // Known to others only now: another thread may look for what this one has.
        parent?.addChild(self)
    }

    /// Says that the resolver has ended. To be called in the deinit of one that was attached.
    func detach() {
        attached = nil
    }

    private func addChild(_ child: ResolutionContext) {
        // One that is confined to a domain is nobody's to look at: who does might release it elsewhere.
        if child.isOverThreads, !child.isForThreads { return }
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

    /// The context that builds and keeps an entry which its owner is to keep, when this one asks: the owner's, or the first
    /// one on the way there that does not share with its parents. Nil when the owner has ended.
    func keeper(of entry: AnyServiceEntry) -> ResolutionContext? {
        var context = self
        while !entry.belongs(to: context) {
            if context.sharing == .none, context.hasPrivateParents { return context }
            // Registered nowhere, or beside the way, which is so for the target of a forward.
            guard let parent = context.parent else { return entry.ownerID == 0 ? self : entry.owner }
            context = parent
        }
        return context
    }

    /// Where the instances of an entry are kept when this context builds them.
    func place(of entry: AnyServiceEntry) -> StoragePlace {
        if entry.flags.contains(.askingContainer) || entry.flags.contains(.owner) && !entry.belongs(to: self) {
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

    /// Puts an entry under its key. One that was there is released when nobody builds it, and observers are told of both
    /// places.
    ///
    /// An entry belongs to one container for good: one that was added to another ends the program with a message that says
    /// so.
    public func add(_ entry: AnyServiceEntry) {
        changing { insert(entry) }
    }

    /// Changes registrations or what is kept: inside of the lock of the views, if the tree has any, and outside of a storage
    /// that is being asked.
    func changing<Result>(_ change: () -> Result) -> Result {
        StoragePlace.outside(session) {
            let gate = gate
            gate?.enter()
            defer { gate?.leave() }
            return change()
        }
    }

    private func insert(_ entry: AnyServiceEntry) {
        adopt(entry)
        let replaced = registry.insert(entry)
        if isForThreads {
            Reclamation.retire(tables: registry.takeOutgrownTables())
        } else if session.pointee.top == nil {
            // Of no use to a container that one thread uses, unless that is looking into it.
            registry.freeOutgrownTables()
        }
        guard let replaced else { return ResolutionEvent.report(.registered, of: entry, in: self) }
        entry.noteReplacement(of: replaced)
        let location = replaced.location
        retire(replaced)
        ResolutionEvent.report(.replaced(location), of: entry, in: self)
    }

    /// Says that an entry is registered in this context: what it shares is kept here, and what it forwards is registered
    /// with the resolver of this context.
    func adopt(_ entry: AnyServiceEntry) {
        if entry.becomeOwned(by: self) { return entry.wasAdopted(by: self) }
        fatalError(
            """
            \(entry.key) (\(entry.location)) is registered in \(entry.owner?.name ?? "a container that has ended") and was \
            added to \(name) as well; a registration belongs to one container, so register the service again
            """
        )
    }

    /// Keeps an entry that was taken out of the registry for as long as it is being built; does nothing when it is not.
    func retire(_ entry: AnyServiceEntry) {
        entry.insert(.retired)
        let kept = removePrivateStorage(of: entry)
        if isForThreads {
            // A request that was running when the tree got its first view still has its frames there.
            ownSession?.memory.pointee.retire(entry)
            Reclamation.retire(entry)
        } else {
            session.pointee.retire(entry)
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
    private let resolutionObservers = Atomic<Int>(0)

    /// Whether an observer wants to know of each resolve.
    var isObserved: Bool { resolutionObservers.load(ordering: .relaxed) != 0 }

    /// How many reasons there are for which each request takes the slow path: observers of resolves, views.
    @usableFromInline let slowPathReasons = Atomic<Int>(0)

    /// Whether each request takes the slow path.
    @inlinable
    @inline(__always)
    var needsSlowPath: Bool { slowPathReasons.load(ordering: .relaxed) != 0 }

    private final class Gate: Sendable {
        let gate: any SessionGate

        init(_ gate: any SessionGate) {
            self.gate = gate
        }
    }

    private let ownGate = AtomicReference<Gate>(nil)

    /// Whether threads use views of the tree.
    var hasGate: Bool { ownGate.unmanaged != nil }

    var gate: (any SessionGate)? { ownGate.object?.gate }

    /// False when there is one already.
    func setGate(_ gate: any SessionGate) -> Bool {
        let fresh = Gate(gate)
        guard ownGate.objectOrMade(fresh) === fresh else { return false }
        slowPathReasons.wrappingAdd(1, ordering: .sequentiallyConsistent)
        return true
    }

    /// How many observers want to know of failures.
    let failureObservers = Atomic<Int>(0)

    let depthLimit = Atomic<Int>(200)

    /// One whose requests always take the slow path.
    static let slow = {
        let tree = ContextTree()
        tree.slowPathReasons.store(1, ordering: .relaxed)
        return tree
    }()

    func count(_ slot: ObserverSlot, by step: Int) {
        if slot.interests.contains(.resolutions) {
            resolutionObservers.wrappingAdd(step, ordering: .relaxed)
            slowPathReasons.wrappingAdd(step, ordering: .relaxed)
        }
        if slot.interests.contains(.failures) { failureObservers.wrappingAdd(step, ordering: .relaxed) }
    }
}
