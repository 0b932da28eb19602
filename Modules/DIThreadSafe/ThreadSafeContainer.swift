public import DICore

/// A container that any thread may use.
///
///     let container = ThreadSafeContainer()
///     container.register((any HTTPClient).self, scope: .container) { _ in URLSessionClient() }
///     container.register((any APIService).self) { r in
///         APIServiceImpl(client: try r.require((any HTTPClient).self))
///     }
///     await withTaskGroup { group in
///         group.addTask { container.resolve((any APIService).self) }
///     }
///
/// It has the vocabulary of `Container`: what `SendableRegistrar` and `ContainerProtocol` say is all there. Factories and
/// callbacks are `@Sendable`, and a service in a scope that shares instances is `Sendable`; the compiler refuses all
/// else. A service that is not is registered with `registerUnshared`.
///
/// What is promised: a shared instance is built once, by one thread, while others that want that very instance wait for
/// it, and nobody else. No lock is held while a factory, a callback, an observer or a deinit runs. Finding an entry and an
/// instance in the scope `container`, and building what is transient or belongs to the graph, take no lock at all. Each
/// thread has graphs of its own.
///
/// When threads would wait for each other, each building what the other one wants, one of them is given the unfinished
/// instance where a callback closes the cycle, as within one thread, and no caller receives it before it is finished.
/// Otherwise the request fails with `crossThreadCycle`, which says what each thread holds and wants.
///
/// - Complexity: that of `Container`, and about 40 instructions more for a request.
public final class ThreadSafeContainer: ContainerProtocol, SendableRegistrar, Sendable {
    // Unsafe: the context of a container that has a coordinator keeps its state behind a lock; the compiler cannot see that,
    // since the context of a plain container must not leave its domain. Nobody else is given it.
    private nonisolated(unsafe) let context: ResolutionContext

    /// The container as others refer to it.
    public var identity: ContainerIdentity { context.identity }

    /// The scope of registrations that say nothing of one.
    public let defaultObjectScope: any ObjectScopeProtocol

    /// The container that is asked for what this one does not have. Held strongly.
    public let parent: ThreadSafeContainer?

    private let coordinator: Coordinator

    /// Makes a container.
    ///
    /// - Parameters:
    ///   - parent: is asked for what this container does not have.
    ///   - sharing: whether services that a parent keeps are shared with it or kept anew for this container.
    ///   - defaultObjectScope: the scope of registrations that say nothing of one.
    ///   - waitWarning: after how long observers are told of a thread that waits for an instance which another one builds;
    ///     nil for never.
    ///   - waitLimit: after how long such a request fails with `waitLimitExceeded`; nil, the default, for never.
    public init(
        parent: ThreadSafeContainer? = nil,
        sharing: ParentSharing = .all,
        defaultObjectScope: any ObjectScopeProtocol = ObjectScope.graph,
        waitWarning: Duration? = .seconds(5),
        waitLimit: Duration? = nil
    ) {
        self.parent = parent
        self.defaultObjectScope = defaultObjectScope
        coordinator = Coordinator(warning: waitWarning, limit: waitLimit)
        context = ResolutionContext(
            parent: parent?.identity,
            sharing: sharing,
            coordinator: coordinator
        )
        context.attachWeakly(self)
    }

    /// Makes a container whose parent is this one, for several threads as well.
    public func createChild(sharing: ParentSharing = .all) -> ThreadSafeContainer {
        ThreadSafeContainer(
            parent: self,
            sharing: sharing,
            defaultObjectScope: defaultObjectScope,
            waitWarning: coordinator.warning,
            waitLimit: coordinator.limit
        )
    }

    /// Makes a plain container over this one, confined to where it is made: one request or one scene over a shared root.
    ///
    /// Its registrations may be what the compiler refuses here. What this container keeps is built here, from what is
    /// registered here.
    public func createConfinedChild(sharing: ParentSharing = .all) -> Container {
        Container(over: self, sharing: sharing, defaultObjectScope: defaultObjectScope)
    }

    // MARK: Finding

    /// The registration of a key here or, failing that, in the nearest parent that has it.
    public func locate(_ key: ServiceKey) -> LocatedEntry { context.locate(key) }

    /// The registration of a key, unchecked.
    public func unsafeLocate(_ key: ServiceKey) -> UnsafeLocatedEntry { context.unsafeLocate(key) }

    /// The registration of a type without arguments and name, unchecked.
    public func unsafeLocate(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry {
        context.unsafeLocate(unnamed: serviceType)
    }

    /// The contributions to the collection of a type, the parents' first.
    public func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] { context.contributions(to: serviceType) }

    /// Everything that can be found from here, the parents' first, without what is overridden.
    public var visibleEntries: [AnyServiceEntry] { context.visibleEntries }

    // MARK: Registering

    /// Puts an entry under its key. One that was there is released when no thread builds it any more.
    public func add(_ entry: AnySendableEntry) {
        context.add(entry.anyEntry)
    }
}

extension ThreadSafeContainer: CustomStringConvertible {
    /// The registrations, one a line.
    public var description: String { "ThreadSafe" + context.description }
}
