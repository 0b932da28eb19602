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

    /// What runs; shared by a container tree.
    public let session: ResolutionSession

    /// The context of the parent, whose kept services this one uses.
    public let parent: ResolutionContext?

    /// What is shared with the parents.
    public let sharing: ParentSharing

    /// The resolver that builds what is kept here; nil when it has ended. Not retained: entries know the context, and may
    /// outlive the resolver.
    public var resolver: (any Resolver)? { weakResolver ?? attached }

    private weak var weakResolver: (any Resolver)?

    // Unsafe: valid from `attach` to `detach`, which is called in the deinit of the resolver. A weak reference would
    // give every container a side table, and with it retains and releases that cost 120 instructions more.
    private unowned(unsafe) var attached: (any Resolver)?

    /// Whether this context or one above it keeps its parents' services for itself.
    let hasPrivateParents: Bool

    var observers: [ObserverSlot] = []

    /// The contexts below this one that may still be there, for errors that say where else a service is registered.
    private var children: [WeakContext] = []
    private var childrenToSweepAt = 8

    private struct WeakContext {
        weak var context: ResolutionContext?
    }

    /// Storages of entries that keep one instance for each container that asks.
    private var storages: [UInt: PrivateStorage] = [:]

    private final class PrivateStorage {
        weak let entry: AnyServiceEntry?
        /// The scope that made the storage; when the entry is given another one, the storage is of no use.
        let scope: any ObjectScopeProtocol
        let place: StoragePlace

        init(_ place: StoragePlace, of entry: AnyServiceEntry) {
            self.place = place
            self.entry = entry
            scope = entry.scope
        }
    }

    /// Makes the context of a resolver.
    ///
    /// - Parameters:
    ///   - resolver: builds what is kept here. Held weakly.
    ///   - parent: the context of the resolver that is asked for what this one does not have.
    ///   - sharing: what is shared with the parents.
    public convenience init(
        for resolver: any Resolver,
        parent: ResolutionContext? = nil,
        sharing: ParentSharing = .all
    ) {
        self.init(parent: parent, sharing: sharing)
        weakResolver = resolver
    }

    /// Makes a context that is to be attached to its resolver.
    ///
    /// For a resolver that wants to be held without a weak reference, which would slow down each of its retains: it calls
    /// ``attach(_:)`` in its initializer and ``detach()`` in its deinit.
    public init(parent: ResolutionContext?, sharing: ParentSharing = .all) {
        self.session = parent?.session ?? ResolutionSession()
        self.parent = parent
        self.sharing = sharing
        self.hasPrivateParents = parent != nil && (sharing == .none || parent?.hasPrivateParents == true)
        parent?.addChild(self)
    }

    deinit {
        let watching = observers.reduce(0) { $0 + ($1.wantsResolutions ? 1 : 0) }
        session.memory.pointee.resolutionObservers -= watching
    }

    /// Tells the observers of this context, and those of the process, that something has failed.
    ///
    /// For resolvers and extensions with failures of their own; those of a request are told already.
    public func report(_ error: ResolutionError) {
        ResolutionEvent.report(failure: error, in: self)
    }

    /// Says for which resolver this is the context, until ``detach()``.
    public func attach(_ resolver: any Resolver) {
        attached = resolver
    }

    /// Says that the resolver has ended. To be called in the deinit of one that was attached.
    public func detach() {
        attached = nil
    }

    private func addChild(_ child: ResolutionContext) {
        if children.count >= childrenToSweepAt {
            children.removeAll { $0.context == nil }
            childrenToSweepAt = max(8, children.count * 2)
        }
        children.append(WeakContext(context: child))
    }

    /// The contexts below this one, nearest first.
    var descendants: [ResolutionContext] {
        let alive = children.compactMap(\.context)
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

    private func privatePlace(of entry: AnyServiceEntry) -> StoragePlace {
        let known = storages[entry.id]
        if let known, known.scope === entry.scope { return known.place }
        // Replaced entries leave their storages behind; half of the dictionary at most is such rest.
        if storages.count == storages.capacity {
            let all = storages
            storages = all.filter { $0.value.entry != nil }
            // Released only now: what the rest held may run code that comes here.
            withExtendedLifetime(all) {}
        }
        let place = StoragePlace(entry.scope.makeStorage(), for: entry.serviceType)
        storages[entry.id] = PrivateStorage(place, of: entry)
        withExtendedLifetime(known) {}
        return place
    }

    /// The storages that are kept for this context alone and satisfy a condition.
    func privateStorages(where isIncluded: (AnyServiceEntry) -> Bool) -> [any InstanceStorage] {
        storages.values.sorted { ($0.entry?.id ?? 0) < ($1.entry?.id ?? 0) }
            .filter { $0.entry.map(isIncluded) ?? false }
            .map(\.place.storage)
    }

    /// Says that an entry is registered in this context: what it shares is kept here, and what it forwards is registered
    /// with the resolver of this context.
    ///
    /// To be called by a resolver with each entry that it takes.
    public func adopt(_ entry: AnyServiceEntry) {
        entry.owner = self
    }

    /// Keeps an entry that a registry has given up for as long as it is being built; does nothing when it is not.
    ///
    /// To be called by a resolver with the entry that a registration replaces or removes.
    public func retire(_ entry: AnyServiceEntry) {
        entry.flags.insert(.retired)
        session.memory.pointee.retire(entry)
        let kept = removePrivateStorage(of: entry)
        withExtendedLifetime(kept) {}
    }

    /// Drops what is kept here for an entry, and gives it back so that it is released where the caller likes.
    func removePrivateStorage(of entry: AnyServiceEntry) -> AnyObject? {
        storages.removeValue(forKey: entry.id)?.place.storage
    }

    func removePrivateStorages() -> [AnyObject] {
        let removed = storages.values.map { $0.place.storage as AnyObject }
        storages = [:]
        return removed
    }
}

/// A storage, and its cell when it has one that can be read typed.
struct StoragePlace {
    let storage: any InstanceStorage
    let cell: InstanceCell?

    init(_ storage: any InstanceStorage, for serviceType: Any.Type) {
        self.storage = storage
        if let cell = storage.sharedCell, cell.bind(to: serviceType) {
            self.cell = cell
        } else {
            self.cell = nil
        }
    }
}
