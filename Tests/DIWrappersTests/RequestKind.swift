import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import DIWrappers

/// A container for one request over a root, each of whose services holds wrappers.
enum RequestKind: CaseIterable {
    case plain
    case plainKeepingItsParents
    case shared
    case sharedKeepingItsParents
    case confined
    case confinedKeepingItsParents

    private var sharing: ParentSharing {
        switch self {
        case .plain, .shared, .confined: .all
        case .plainKeepingItsParents, .sharedKeepingItsParents, .confinedKeepingItsParents: .none
        }
    }

    /// What the request keeps is registered for each container or, where the request keeps its parents' services,
    /// for the root.
    private var scope: ObjectScope { sharing == .all ? .perContainer : .container }

    /// Gives a function that makes a container for one request.
    func requests(_ tracker: LifetimeTracker) -> () -> any ContainerProtocol {
        switch self {
        case .plain, .plainKeepingItsParents:
            let root = Container()
            root.register(RequestLeaf.self) { _ in RequestLeaf(tracker) }
            root.register(RequestScreen.self, scope: scope) { r in try RequestScreen(tracker, r) }
            return { root.createChild(sharing: sharing) }
        case .shared, .sharedKeepingItsParents:
            let root = sharedRoot(tracker)
            return { root.createChild(sharing: sharing) }
        case .confined, .confinedKeepingItsParents:
            let root = sharedRoot(tracker)
            return { root.createConfinedChild(sharing: sharing) }
        }
    }

    private func sharedRoot(_ tracker: LifetimeTracker) -> ThreadSafeContainer {
        let root = ThreadSafeContainer()
        root.registerUnshared(RequestLeaf.self) { _ in RequestLeaf(tracker) }
        root.register(SharedScreen.self, scope: scope) { r in SharedScreen(screen: try RequestScreen(tracker, r)) }
        root.registerUnshared(RequestScreen.self) { r in try r.require(SharedScreen.self).screen }
        return root
    }
}

final class RequestLeaf: Tracked {}

/// A service of one request that builds two others later.
final class RequestScreen: Tracked {
    let lazy: Lazy<RequestLeaf>
    let provider: Provider<RequestLeaf>

    init(_ tracker: LifetimeTracker, _ r: any Resolver) throws {
        lazy = try r.require(Lazy<RequestLeaf>.self)
        provider = try r.require(Provider<RequestLeaf>.self)
        super.init(tracker)
    }
}

private struct SharedScreen: @unchecked Sendable {
    // Unchecked: each test uses one thread.
    let screen: RequestScreen
}
