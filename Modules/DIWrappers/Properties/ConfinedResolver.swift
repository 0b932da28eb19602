public import DICore

/// A plain container where a `Sendable` resolver is wanted: it may be passed anywhere, and be asked only where it belongs.
///
///     @MainActor func start() throws {
///         let container = Container()
///         …
///         try CurrentResolver.bootstrap(ConfinedResolver(container))
///     }
///
/// It remembers the actor that it was made on or, where there is none, the thread. Asked anywhere else it ends the program
/// with a message that says so: the compiler cannot see it, and to go on would be a race.
// Unchecked: the container is used in its own isolation domain alone, which `locate` sees to.
public final class ConfinedResolver: Resolver, @unchecked Sendable {
    private let base: any Resolver
    private let isolation: (any Actor)?
    private let thread: ThreadIdentity

    /// Makes the resolver on behalf of one that belongs to the calling actor or thread.
    public init(_ base: any Resolver, isolation: (any Actor)? = #isolation) {
        self.base = base
        self.isolation = isolation
        thread = .current
    }

    /// The registration of a key.
    public func locate(_ key: ServiceKey) -> LocatedEntry {
        check { "\(key)" }
        return base.locate(key)
    }

    /// The registration of a type without arguments and name.
    public func locate(unnamed serviceType: Any.Type) -> LocatedEntry {
        check { "\(ServiceKey(serviceType: serviceType))" }
        return base.locate(unnamed: serviceType)
    }

    /// The contributions to the collection of a type.
    public func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] {
        check { "\(ServiceKey(serviceType: serviceType))" }
        return base.contributions(to: serviceType)
    }

    /// Everything that can be found.
    public var visibleEntries: [AnyServiceEntry] {
        check { "everything" }
        return base.visibleEntries
    }

    private func check(_ wanted: () -> String) {
        if let isolation {
            isolation.requireIsolation("\(wanted()) was asked of a container that belongs to another actor")
        } else if thread != .current {
            fatalError("\(wanted()) was asked of a container that belongs to another thread")
        }
    }
}
