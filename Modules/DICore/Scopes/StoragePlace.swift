// Unsafe: a session names the place that it is inside of without retaining it; who asks the storage there holds it.

internal import Synchronization

/// One place where an instance is kept: the storage of an entry or, with one instance for each container that asks, of
/// an entry in a container.
///
/// Opaque: a ``ThreadCoordinator`` tells places apart and asks whether there is something unfinished in one.
public final class StoragePlace: @unchecked Sendable {
    // Unchecked: the storage is a user's. In a place that several threads use its methods are called one at a time, by
    // `withStorage`; all else is constant or atomic.
    let scope: any ObjectScopeProtocol
    private let storage: any InstanceStorage

    /// The cell of a storage that has one which can be read typed.
    let cell: InstanceCell?

    /// Whether the storage holds its instances.
    let keepsInstances: Bool

    private let isForThreads = Atomic<Bool>(false)

    /// The session that is building the instance; see ``setBuilder(_:)``.
    private let builder = Atomic<UInt>(0)
    private let isHoldingUnfinished = Atomic<Bool>(false)

    /// Serialises the methods of the storage.
    ///
    /// A storage that lets an instance go runs its deinit, which may do anything. So a session is inside of one gate at
    /// most: it leaves that while it asks for something, or is inside of another one, and enters it again to go on.
    private let gate = Mutex(())

    init(_ scope: any ObjectScopeProtocol, for serviceType: Any.Type) {
        self.scope = scope
        storage = scope.makeStorage()
        keepsInstances = storage.keepsInstances
        if let cell = storage.sharedCell, cell.bind(to: serviceType) {
            self.cell = cell
        } else {
            cell = nil
        }
    }

    /// The place of the entries of a scope. Those of the standard scopes that keep nothing have one together.
    static func make(_ scope: any ObjectScopeProtocol, for serviceType: Any.Type) -> StoragePlace {
        if scope === ObjectScope.graph { return graph }
        if scope === ObjectScope.transient { return transient }
        return StoragePlace(scope, for: serviceType)
    }

    private static let graph = StoragePlace(ObjectScope.graph, for: Void.self)
    private static let transient = StoragePlace(ObjectScope.transient, for: Void.self)

    var isTransient: Bool { storage is TransientStorage }
    var isGraph: Bool { storage is GraphStorage }

    /// Says that several threads use the place.
    func share() {
        isForThreads.store(true, ordering: .relaxed)
        cell?.share()
    }

    /// Calls a method of the storage, one thread at a time where there are several.
    func withStorage<Result>(
        _ session: UnsafeMutablePointer<Session>,
        _ body: (any InstanceStorage) -> Result
    ) -> Result {
        guard isForThreads.load(ordering: .relaxed) else { return body(storage) }
        let own = Unmanaged.passUnretained(self)
        if let outer = session.pointee.inside, outer.toOpaque() == own.toOpaque() { return body(storage) }
        let outer = StoragePlace.stepOut(session)
        gate._unsafeLock()
        session.pointee.inside = own
        let result = body(storage)
        session.pointee.inside = nil
        gate._unsafeUnlock()
        StoragePlace.stepIn(session, outer)
        return result
    }

    /// Leaves the gate that the session is inside of, if it is inside of one.
    static func stepOut(_ session: UnsafeMutablePointer<Session>) -> Unmanaged<StoragePlace>? {
        guard let outer = session.pointee.inside else { return nil }
        session.pointee.inside = nil
        outer._withUnsafeGuaranteedRef { $0.gate._unsafeUnlock() }
        return outer
    }

    /// Enters a gate again.
    static func stepIn(_ session: UnsafeMutablePointer<Session>, _ outer: Unmanaged<StoragePlace>?) {
        guard let outer else { return }
        outer._withUnsafeGuaranteedRef { $0.gate._unsafeLock() }
        session.pointee.inside = outer
    }

    // MARK: Who builds

    /// Whether another session than this one is building the instance, so that what the storage has is not for it yet.
    func isBeingBuilt(elsewhereThan session: UnsafeMutablePointer<Session>) -> Bool {
        let builder = builder.load(ordering: .acquiring)
        return builder != 0 && builder != UInt(bitPattern: session)
    }

    /// Whether the session has claimed the place.
    func isClaimed(by session: UnsafeMutablePointer<Session>) -> Bool {
        builder.load(ordering: .acquiring) == UInt(bitPattern: session)
    }

    /// Notes who builds here from now on, or nobody. Called by a ``ThreadCoordinator`` while it decides.
    public func setBuilder(_ session: ResolutionSession.ID?) {
        if session == nil { isHoldingUnfinished.store(false, ordering: .relaxed) }
        builder.store(session?.bits ?? 0, ordering: .releasing)
    }

    /// Whether an instance is here whose callbacks have not finished, so that a thread whose own instance is wanted by
    /// them may be given it.
    public var holdsUnfinished: Bool { isHoldingUnfinished.load(ordering: .acquiring) }

    func noteUnfinished(_ isThere: Bool = true) {
        isHoldingUnfinished.store(isThere, ordering: .releasing)
    }
}
