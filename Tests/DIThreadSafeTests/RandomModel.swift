import DICore
import DIScopes
import DITestSupport
import DIThreadSafe

/// What the random test registers. The tag gives each thread a type of its own.
final class Token<Tag>: @unchecked Sendable {
    // Unchecked: `isKnown` belongs to the thread that owns the tag.
    let version: Int
    let parts: [Token?]
    var isKnown = false
    private let thing: Thing

    init(_ version: Int, _ parts: [Token?], _ tracker: LifetimeTracker) {
        self.version = version
        self.parts = parts
        thing = Thing(tracker)
    }
}

/// A container of either kind.
enum AnyBox {
    case plain(Container)
    case shared(ThreadSafeContainer)

    func register<Tag>(
        _ name: Int,
        _ scope: ObjectScope,
        _ make: @escaping @Sendable (any Resolver) throws -> Token<Tag>
    ) {
        switch self {
        case .plain(let box): box.register(Token<Tag>.self, name: "\(name)", scope: scope, factory: make)
        case .shared(let box): box.register(Token<Tag>.self, name: "\(name)", scope: scope, factory: make)
        }
    }

    var base: any ContainerProtocol {
        switch self {
        case .plain(let box): box
        case .shared(let box): box
        }
    }

    func child(_ sharing: ParentSharing, isConfined: Bool) -> AnyBox {
        switch self {
        case .plain(let box): .plain(box.createChild(sharing: sharing))
        case .shared(let box) where isConfined: .plain(box.createConfinedChild(sharing: sharing))
        case .shared(let box): .shared(box.createChild(sharing: sharing))
        }
    }
}

/// What containers promise, in the simplest words: dictionaries, one thread, no storage, no graph but a dictionary.
final class Model<Tag> {
    final class Instance {
        let version: Int
        let parts: [Instance?]
        /// What the container has given for it.
        var real: Token<Tag>?

        init(_ version: Int, _ parts: [Instance?]) {
            self.version = version
            self.parts = parts
        }
    }

    struct Entry {
        let version: Int
        let scope: ObjectScope
        let isBroken: Bool
    }

    final class Level {
        let parent: Level?
        let isAlone: Bool
        var entries: [Int: Entry] = [:]
        /// By the version of the entry, which nothing else has.
        var kept: [Int: (scope: ObjectScope, instance: Instance)] = [:]

        init(parent: Level?, isAlone: Bool) {
            self.parent = parent
            self.isAlone = isAlone
        }

        func find(_ name: Int) -> (entry: Entry, owner: Level)? {
            entries[name].map { ($0, self) } ?? parent?.find(name)
        }

        func keeper(of owner: Level) -> Level {
            self === owner || isAlone ? self : parent!.keeper(of: owner)
        }

        func reset(_ scope: ObjectScope) {
            kept = kept.filter { $0.value.scope !== scope }
            parent?.reset(scope)
        }
    }

    fileprivate struct GraphKey: Hashable {
        let version: Int
        let level: ObjectIdentifier
    }

    final class Graph {
        fileprivate var instances: [GraphKey: Instance] = [:]
    }

    static func resolve(_ name: Int, from asking: Level, in graph: Graph = Graph()) -> Instance? {
        guard let (entry, owner) = asking.find(name) else { return nil }
        let level = entry.scope === ObjectScope.container ? asking.keeper(of: owner) : asking
        let key = GraphKey(version: entry.version, level: ObjectIdentifier(level))
        if entry.scope === ObjectScope.graph, let known = graph.instances[key] { return known }
        if let known = level.kept[entry.version] { return known.instance }
        let parts = (1...2).map { resolve(name - $0, from: level, in: graph) }
        if entry.isBroken { return nil }
        let instance = Instance(entry.version, parts)
        if entry.scope === ObjectScope.graph { graph.instances[key] = instance }
        if entry.scope === ObjectScope.container || entry.scope === ObjectScope.perContainer {
            level.kept[entry.version] = (entry.scope, instance)
        }
        return instance
    }

    /// Whether a container has given what the model says: the same where it was the same before, and a new one otherwise.
    static func agree(_ instance: Instance?, _ token: Token<Tag>?) -> Bool {
        guard let instance, let token else { return instance == nil && token == nil }
        if let real = instance.real { return real === token }
        guard instance.version == token.version, !token.isKnown else { return false }
        instance.real = token
        token.isKnown = true
        return zip(instance.parts, token.parts).allSatisfy { agree($0, $1) }
    }
}
