public import DICore

/// A plain container where a `Sendable` resolver is wanted: it may be passed anywhere, and be asked only where it belongs.
///
///     @MainActor func start() throws {
///         let container = Container()
///         …
///         try CurrentResolver.bootstrap(ConfinedResolver(container))
///     }
///
/// Made on an actor, it belongs to that actor, and so does the container from then on: the compiler refuses to send that
/// elsewhere, and the actor goes on using it. Where there is no actor, ``init(taking:isolation:)`` takes the container over,
/// and the thread that made the resolver is the one that may ask.
///
/// Each request checks that it runs on the actor or, where there is none, on the thread, and ends the program with a message
/// otherwise: the compiler cannot see it, and to go on would be a race. What it gives is not checked: the limit that is told at
/// `registerUnshared` of `SendableRegistrar` holds for everything that the container keeps.
// Unchecked: the container is used in its own isolation domain alone, which `locate` and the deinit see to; that nobody else
// has it in another domain is checked where the resolver is made.
public final class ConfinedResolver: Resolver, @unchecked Sendable {
    private let base: any Resolver
    private let isolation: (any Actor)?
    private let thread: ThreadIdentity

    /// Makes the resolver on behalf of one that belongs to the calling actor.
    ///
    /// - Parameters:
    ///   - base: the container, which stays with the actor.
    ///   - isolation: the calling actor.
    public init(_ base: any Resolver, isolation: isolated any Actor = #isolation) {
        self.base = base
        self.isolation = isolation
        thread = .current
    }

    /// Makes the resolver of one that nobody else has, for the calling actor or, where there is none, the calling thread.
    ///
    ///     let container = Container()
    ///     container.register(Clock.self) { _ in Clock() }
    ///     try CurrentResolver.bootstrap(ConfinedResolver(taking: container))
    ///
    /// - Parameters:
    ///   - base: the container, which the caller cannot use any more.
    ///   - isolation: the calling actor, if there is one.
    public init(taking base: sending any Resolver, isolation: (any Actor)? = #isolation) {
        self.base = base
        self.isolation = isolation
        thread = .current
    }

    deinit {
        // What the container holds may share state with what the actor has, and is released there.
        guard let isolation, !isolation.isCertainlyCurrent else { return }
        let remains = Remains(base: base)
        Task { await isolation.drop(remains) }
    }

    /// The registration of a key.
    public func locate(_ key: ServiceKey) -> LocatedEntry {
        check { "\(key)" }
        return base.locate(key)
    }

    /// The registration of a key, unchecked.
    public func unsafeLocate(_ key: ServiceKey) -> UnsafeLocatedEntry {
        check { "\(key)" }
        return base.unsafeLocate(key)
    }

    /// The registration of a type without arguments and name, unchecked.
    public func unsafeLocate(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry {
        check { "\(ServiceKey(serviceType: serviceType))" }
        return base.unsafeLocate(unnamed: serviceType)
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

/// A container on its way to the actor that releases it.
// Unchecked: nobody uses it any more, and the last to hold it is the actor that it belongs to.
private final class Remains: @unchecked Sendable {
    private var base: (any Resolver)?

    init(base: any Resolver) {
        self.base = base
    }

    func drop() { base = nil }
}

extension Actor {
    fileprivate func drop(_ remains: Remains) { remains.drop() }
}
