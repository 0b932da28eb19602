// Unsafe: a session names the place that it is inside of without retaining it; who asks the storage there holds it.

internal import Synchronization

/// One place where an instance is kept: the storage of an entry or, with one instance for each container that asks, of
/// an entry in a container.
///
/// Opaque: a ``ThreadCoordinator`` tells places apart.
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

    /// The session that has claimed the place, or zero.
    private let builder = Atomic<UInt>(0)

    /// How many instances activations have put into the storage.
    private let stored = Atomic<UInt>(0)

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
        if session.pointee.inside?.toOpaque() == Unmanaged.passUnretained(self).toOpaque() { return body(storage) }
        let outer = StoragePlace.stepOut(session)
        enter(session)
        let result = body(storage)
        leave(session)
        StoragePlace.stepIn(session, outer)
        return result
    }

    /// Notes that an activation puts an instance into the storage. Returns its number. Inside of the gate.
    func nextNumber() -> UInt { stored.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Whether no other instance was put in since. Inside of the gate.
    func isNewest(_ number: UInt) -> Bool { stored.load(ordering: .relaxed) == number }

    // A request that a deinit makes inside takes the slow path, which leaves the gate first.

    private func enter(_ session: UnsafeMutablePointer<Session>) {
        gate._unsafeLock()
        session.pointee.inside = Unmanaged.passUnretained(self)
        if session.pointee.isForThread { ThreadSessions.setFast(nil) }
    }

    private func leave(_ session: UnsafeMutablePointer<Session>) {
        session.pointee.inside = nil
        if session.pointee.isForThread { ThreadSessions.setFast(session) }
        gate._unsafeUnlock()
    }

    /// Leaves the gate that the session is inside of, if it is inside of one.
    static func stepOut(_ session: UnsafeMutablePointer<Session>) -> Unmanaged<StoragePlace>? {
        guard let outer = session.pointee.inside else { return nil }
        outer._withUnsafeGuaranteedRef { $0.leave(session) }
        return outer
    }

    /// Enters a gate again.
    static func stepIn(_ session: UnsafeMutablePointer<Session>, _ outer: Unmanaged<StoragePlace>?) {
        outer?._withUnsafeGuaranteedRef { $0.enter(session) }
    }

    /// Runs code that may be a user's outside of the gate that the session is inside of.
    static func outside<Result, Failure: Error>(
        _ session: UnsafeMutablePointer<Session>,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outer = stepOut(session)
        defer { stepIn(session, outer) }
        return try body()
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

    /// Notes that a session has the claim.
    func setBuilder(_ session: UnsafeMutablePointer<Session>) {
        builder.store(UInt(bitPattern: session), ordering: .releasing)
    }

    /// Notes that nobody has the claim, unless another session has it by now.
    func clearBuilder(_ session: UnsafeMutablePointer<Session>) {
        _ = builder.compareExchange(expected: UInt(bitPattern: session), desired: 0, ordering: .releasing)
    }
}
