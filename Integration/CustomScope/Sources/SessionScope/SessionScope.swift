public import DICore
internal import Synchronization

/// Is told when the session ends that it was built in.
public protocol SessionBound: AnyObject {
    /// The session is over, and this object is no longer given to anybody.
    func sessionDidEnd()
}

/// One instance for each registration from login to logout, whichever container asks.
///
///     let session = SessionScope()
///     container.register(Basket.self, scope: session) { _ in Basket() }
///     session.logIn()
///     …
///     session.logOut()      // tells each `SessionBound` object, the youngest first
///
/// While nobody is logged in nothing is kept: a request builds an instance for itself alone.
public final class SessionScope: ObjectScopeProtocol, CustomStringConvertible {
    private let state = Mutex(State())

    private struct State: Sendable {
        /// The number of the session; nil while nobody is logged in.
        var session: Int?
        var sessions = 0
        var storages: [WeakStorageReference] = []
    }

    // Unchecked: the reference is read inside the mutex, and the storage guards itself.
    private struct WeakStorageReference: @unchecked Sendable {
        weak var storage: SessionStorage?
    }

    /// Makes a scope without a session.
    public init() {}

    /// The scope in messages.
    public let description = "session"

    /// Between what a container that asks keeps and what expires.
    public let lifetimeRank = LifetimeRank(250)

    /// Makes the storage of one registration.
    public func makeStorage() -> any InstanceStorage {
        let storage = SessionStorage(of: self)
        state.withLock { state in
            state.storages.removeAll { $0.storage == nil }
            state.storages.append(WeakStorageReference(storage: storage))
        }
        return storage
    }

    /// The number of the session that runs.
    var session: Int? { state.withLock { $0.session } }

    /// Begins a session. One that runs is ended first.
    public func logIn() {
        logOut()
        state.withLock { state in
            state.sessions += 1
            state.session = state.sessions
        }
    }

    /// Ends the session: drops its objects and tells them, the youngest first.
    public func logOut() {
        let storages = state.withLock { state in
            state.session = nil
            return state.storages.compactMap(\.storage)
        }
        let ended = storages.compactMap { $0.take() }.sorted { $0.age < $1.age }
        for kept in ended.reversed() { (kept.instance as? any SessionBound)?.sessionDidEnd() }
    }
}
