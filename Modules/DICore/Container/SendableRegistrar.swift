/// Takes registrations whose factories may run on any thread: what an assembly needs that serves both kinds of container.
///
///     func assemble(registrar: any SendableRegistrar) {
///         registrar.register((any Clock).self, scope: .container) { _ in SystemClock() }
///         registrar.autoregister((any Journal).self, initializer: FileJournal.init)
///     }
///
/// A container that several threads use is one; that of a plain container is ``Container/registrar``. The compiler refuses
/// a factory or a callback that captures what is not `Sendable`, and a service that is not `Sendable` in the forms
/// that take every scope. Such a service is registered with `registerUnshared`,
/// which takes the scopes whose instances never leave the resolve that makes them.
public protocol SendableRegistrar: AnyObject {
    /// The scope of registrations that say nothing of one.
    var defaultObjectScope: any ObjectScopeProtocol { get }

    /// Puts an entry under its key, in place of the one that is there.
    func add(_ entry: AnySendableEntry)
}

/// The scopes whose instances stay in the resolve that makes them, so that no two threads ever share one.
public enum UnsharedScope: Sendable {
    /// A new instance for every request.
    case transient
    /// One instance for each object graph.
    case graph

    @usableFromInline var objectScope: ObjectScope {
        switch self {
        case .transient: .transient
        case .graph: .graph
        }
    }
}

extension SendableRegistrar {
    @usableFromInline
    func added<Service>(_ entry: TypedEntry<Service>) -> SendableEntry<Service> {
        addSendable(entry)
        return SendableEntry(entry)
    }

    @usableFromInline
    func addedUnshared<Service>(_ entry: TypedEntry<Service>) -> UnsharedEntry<Service> {
        addSendable(entry)
        return UnsharedEntry(entry)
    }

    private func addSendable(_ entry: AnyServiceEntry) {
        entry.insert(.sendable)
        add(AnySendableEntry(entry))
    }

    /// Registers a service by a closure that makes it; see the forms of ``Container``.
    @discardableResult
    public func register<Service: Sendable>(
        _ serviceType: Service.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping @Sendable (any Resolver) throws -> Service
    ) -> SendableEntry<Service> {
        added(makeEntry(EntryTerms(name, option, scope ?? defaultObjectScope, fileID, line), factory))
    }

    /// Registers a service by a closure that takes one runtime argument; see the forms of ``Container``.
    @discardableResult
    public func register<Service: Sendable, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping @Sendable (any Resolver, Argument) throws -> Service
    ) -> SendableEntry<Service> {
        added(makeEntry(EntryTerms(name, option, scope ?? defaultObjectScope, fileID, line), factory))
    }

    /// Registers a service by a closure that takes two runtime arguments; see the forms of ``Container``.
    @discardableResult
    public func register<Service: Sendable, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping @Sendable (any Resolver, First, Second) throws -> Service
    ) -> SendableEntry<Service> {
        added(makeEntry(EntryTerms(name, option, scope ?? defaultObjectScope, fileID, line), factory))
    }

    /// Registers a service by a closure that takes three or more runtime arguments; see the forms of ``Container``.
    @discardableResult
    public func register<Service: Sendable, First, Second, Third, each Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping @Sendable (any Resolver, First, Second, Third, repeat each Argument) throws -> Service
    ) -> SendableEntry<Service> {
        added(makeEntry(EntryTerms(name, option, scope ?? defaultObjectScope, fileID, line), factory))
    }

    /// Registers an instance that is there already; every request gets this one.
    @discardableResult
    public func register<Service: Sendable>(
        _ serviceType: Service.Type,
        name: String? = nil,
        instance: Service,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SendableEntry<Service> {
        register(serviceType, name: name, scope: ObjectScope.instance, fileID: fileID, line: line) { _ in instance }
            .dependsOnNothing()
    }

    /// Adds a service to the collection of its type; see
    /// ``Container/contribute(_:name:scope:fileID:line:isolation:factory:)``.
    @discardableResult
    public func contribute<Service: Sendable>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping @Sendable (any Resolver) throws -> Service
    ) -> SendableEntry<Service> {
        register(
            serviceType,
            name: name,
            option: Contribution(),
            scope: scope,
            fileID: fileID,
            line: line,
            factory: factory
        )
    }

    /// Registers a type as another name for an entry: its requests get the instance of that entry.
    ///
    /// - Returns: the entry of the forwarded type. A scope or a callback that it is given goes to the original.
    @discardableResult
    public func forward<Forwarded, Service>(
        _ type: Forwarded.Type,
        name: String? = nil,
        to entry: SendableEntry<Service>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> SendableEntry<Forwarded> {
        added(entry.entry.forwarding(type, name: name, fileID, line, isSendable: true) { $0 as? Forwarded })
    }
}

// MARK: Services that are not Sendable

extension SendableRegistrar {
    /// Registers a service that is not `Sendable` by a closure that makes it.
    ///
    ///     shared.registerUnshared(Draft.self) { _ in Draft() }
    ///
    /// One limit the compiler cannot enforce: it takes what a resolver that is `Sendable` gives for an object that nobody else
    /// has, and accepts that it is sent to another isolation domain. Two requests may give one object: those of one graph for
    /// an unshared service, where a factory or the body of `withObjectGraph` asks the container itself in place of the resolver
    /// that it is given; and those of a view or a `ConfinedResolver` for whatever the plain container behind it keeps. Keep such
    /// objects in the domain that asked for them.
    @discardableResult
    public func registerUnshared<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        scope: UnsharedScope = .graph,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping @Sendable (any Resolver) throws -> Service
    ) -> UnsharedEntry<Service> {
        addedUnshared(makeEntry(EntryTerms(name, option, unshared: scope, fileID, line), factory))
    }

    /// Registers a service that is not `Sendable` by a closure that takes one runtime argument.
    @discardableResult
    public func registerUnshared<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        scope: UnsharedScope = .graph,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping @Sendable (any Resolver, Argument) throws -> Service
    ) -> UnsharedEntry<Service> {
        addedUnshared(makeEntry(EntryTerms(name, option, unshared: scope, fileID, line), factory))
    }

    /// Registers a service that is not `Sendable` by a closure that takes two runtime arguments.
    @discardableResult
    public func registerUnshared<Service, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        scope: UnsharedScope = .graph,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping @Sendable (any Resolver, First, Second) throws -> Service
    ) -> UnsharedEntry<Service> {
        addedUnshared(makeEntry(EntryTerms(name, option, unshared: scope, fileID, line), factory))
    }

    /// Registers a service that is not `Sendable` by a closure that takes three or more runtime arguments.
    @discardableResult
    public func registerUnshared<Service, First, Second, Third, each Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)? = nil,
        scope: UnsharedScope = .graph,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping @Sendable (any Resolver, First, Second, Third, repeat each Argument) throws -> Service
    ) -> UnsharedEntry<Service> {
        addedUnshared(makeEntry(EntryTerms(name, option, unshared: scope, fileID, line), factory))
    }

    /// Adds a service that is not `Sendable` to the collection of its type.
    @discardableResult
    public func contributeUnshared<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: UnsharedScope = .graph,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        factory: @escaping @Sendable (any Resolver) throws -> Service
    ) -> UnsharedEntry<Service> {
        registerUnshared(
            serviceType,
            name: name,
            option: Contribution(),
            scope: scope,
            fileID: fileID,
            line: line,
            factory: factory
        )
    }

    /// Registers a type as another name for an entry whose instances threads do not share, under whatever type.
    ///
    /// - Returns: the entry of the forwarded type. A scope or a callback that it is given goes to the original.
    @discardableResult
    public func forward<Forwarded, Service>(
        _ type: Forwarded.Type,
        name: String? = nil,
        to entry: UnsharedEntry<Service>,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> UnsharedEntry<Forwarded> {
        addedUnshared(entry.entry.forwarding(type, name: name, fileID, line, isSendable: true) { $0 as? Forwarded })
    }
}
