public import DICore

/// A container over another one, in which some services are replaced: what `withOverrides` works with.
///
/// What is registered here is found before what the base has, also by the services that the base keeps, since those are
/// built and kept again for this container. Nothing of it gets into the base, and what was built goes with it.
///
/// Registrations take the forms of `SendableRegistrar`; the scope of an override is the one that it is registered with,
/// not that of what it replaces. Any thread may use it if any thread may use the base.
public final class OverriddenContainer: ContainerProtocol, SendableRegistrar, Sendable {
    // Unsafe: the context has the coordinator of the base, which is `Sendable`, and so keeps its state behind a lock.
    private nonisolated(unsafe) let context: ResolutionContext

    /// The container as others refer to it.
    public var identity: ContainerIdentity { context.identity }

    /// The scope of overrides that say nothing of one: that of the base.
    public let defaultObjectScope: any ObjectScopeProtocol

    // Unsafe: who makes one has it as `Sendable`; a cast to that cannot be written.
    private nonisolated(unsafe) let base: any ContainerProtocol

    /// Makes a container over one that is `Sendable`.
    init(over base: any ContainerProtocol) {
        self.base = base
        defaultObjectScope = (base as? any SendableRegistrar)?.defaultObjectScope ?? ObjectScope.graph
        context = ResolutionContext(
            parent: base.identity,
            sharing: .none,
            coordinator: base.identity.coordinator
        )
        context.attachWeakly(self)
    }

    /// The override of a key or, failing that, the registration of the base.
    public func locate(_ key: ServiceKey) -> LocatedEntry { context.locate(key) }

    /// The override of a key or, failing that, the registration of the base, unchecked.
    public func unsafeLocate(_ key: ServiceKey) -> UnsafeLocatedEntry {
        context.unsafeLocate(key)
    }

    /// The override of a type without arguments and name or, failing that, the registration of the base,
    /// unchecked.
    public func unsafeLocate(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry {
        context.unsafeLocate(unnamed: serviceType)
    }

    /// The contributions to the collection of a type, those of the base first.
    public func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] {
        context.contributions(to: serviceType)
    }

    /// Everything that can be found, without what is overridden.
    public var visibleEntries: [AnyServiceEntry] {
        context.visibleEntries
    }

    /// Puts an override under its key.
    public func add(_ entry: AnySendableEntry) {
        context.add(entry.anyEntry)
    }
}
