import DICore
import DIScopes

/// What one round of the fuzz does: containers, registrations, and a script for each thread. Made from a seed, and the
/// same each time for that seed.
struct FuzzProgram: Sendable {
    let seed: UInt64
    /// What it was drawn to have.
    var features: Set<String> = []
    var isPlain = false
    var containers: [ContainerPlan] = []
    var entries: [EntryPlan] = []
    var observers: [ObserverPlan] = []
    var scripts: [[FuzzCommand]] = []
    /// After how many microseconds a thread that waits gives up, or tells observers.
    var waitLimit: Int?
    var waitWarning: Int?
    /// Whether every instance is held until the end, so that a weak one is kept like any other.
    var holdsAll = true

    /// How many services there are; each is a type of its own.
    var services = 0

    struct ContainerPlan: Sendable {
        var parent: Int?
        var isAlone = false
        /// The thread to which it is confined; nil for one that all threads use.
        var thread: Int?
    }

    /// A registration. Those that are not there at the beginning replace others in the course of a round.
    struct EntryPlan: Sendable {
        var service: Int
        var container: Int
        var scope: FuzzScope
        var constructor: [FuzzStep] = []
        var callbacks: [[FuzzStep]] = []
        /// What the deinit of an instance does.
        var farewell: FuzzAction?
        var isContribution = false
        var isThereAtFirst = true

        var steps: [FuzzStep] { constructor + callbacks.joined() }
        /// Whether nothing happens in it, so that whoever asks for it never comes to anything else.
        var isLeaf: Bool { farewell == nil && steps.allSatisfy { if case .pause = $0 { true } else { false } } }
    }

    struct ObserverPlan: Sendable {
        var container: Int
        var event: FuzzEvent
        var service: Int
        var action: FuzzAction
    }
}

/// What a factory or a callback does.
enum FuzzStep: Sendable {
    case ask(service: Int, FuzzForm)
    case act(FuzzAction)
    case fail(FuzzFailing)
    case pause
    /// Opens the wrappers that the constructor has kept; in callbacks alone.
    case openKept
}

/// How something is asked for.
enum FuzzForm: Sendable, CaseIterable {
    case require, resolve, optional, lazy, keptLazy, provider, array
}

enum FuzzFailing: Sendable { case always, atFirst, sometimes }

/// What a callback, a deinit, an observer or a thread does to a container, besides asking in the way of a factory.
enum FuzzAction: Sendable {
    case resolve(service: Int, container: Int)
    case reset(FuzzScope, container: Int)
    case resetService(FuzzScope, service: Int, container: Int)
    case register(entry: Int)
    case remove(service: Int, container: Int)
}

enum FuzzCommand: Sendable {
    case request(service: Int, container: Int, FuzzForm)
    case act(FuzzAction)
    case openKept
    case dropResults
    case pause
}

enum FuzzEvent: Sendable, CaseIterable { case began, created, reused, aborted, registered, reset, waiting }

enum FuzzScope: Int, Sendable, CaseIterable {
    case container, weak, perContainer, graph, transient, expiring, expired, custom, composite

    var scope: ObjectScope {
        switch self {
        case .container: .container
        case .weak: .weak
        case .perContainer: .perContainer
        case .graph: .graph
        case .transient: .transient
        case .expiring: FuzzScope.expiringScope
        case .expired: FuzzScope.expiredScope
        case .custom: FuzzScope.customScope
        case .composite: FuzzScope.compositeScope
        }
    }

    private static let expiringScope = ObjectScope.expiring(after: .seconds(86_400))
    private static let expiredScope = ObjectScope.expiring(after: .zero)
    private static let customScope = ObjectScope(storageFactory: Shelf.init, description: "custom")
    private static let compositeScope = ObjectScope(
        storageFactory: Shelf.init,
        description: "composite",
        parent: ObjectScope.graph
    )

    /// A storage without a cell.
    private final class Shelf: InstanceStorage {
        private var kept: Any?
        var instance: Any? {
            get { kept }
            set {
                let old = kept
                kept = newValue
                withExtendedLifetime(old) {}
            }
        }
    }

    /// Whether threads share its instances, so that one of them builds and the others wait.
    var isShared: Bool { self != .graph && self != .transient }

    /// Whether its storage gives the same instance to all until it is reset. For a weak one, as long as it lives.
    var isKept: Bool { isShared && self != .expired }
}
