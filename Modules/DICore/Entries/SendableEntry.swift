/// The registration of a service whose factory may run on any thread: what the `register` methods of a
/// ``SendableRegistrar`` return, to be configured further.
///
///     container.register((any Clock).self, scope: .container) { _ in SystemClock() }
///         .initCompleted { _, clock in clock.start() }
///         .implements((any TimeSource).self)
///
/// Configuration chains. It changes a registration that is already in force, so it belongs to set-up: a thread that
/// resolves meanwhile gets an instance of the registration with it or without it. With `scope:` at `register` the scope is
/// there from the start.
public struct SendableEntry<Service>: @unchecked Sendable {
    // Unchecked: it is made of `@Sendable` closures alone, and what may change in an entry is atomic or behind a lock.
    let entry: ServiceEntry<Service>

    init(_ entry: ServiceEntry<Service>) {
        self.entry = entry
    }

    /// The entry, for a ``SendableRegistrar`` to put into its registry.
    public var anyEntry: AnyServiceEntry { entry }

    /// What the entry is found by.
    public var key: ServiceKey { entry.key }

    /// Where the registration was written.
    public var location: SourceLocation { entry.location }

    /// Adds a callback that is run once for each instance, right after it is stored and before the one that asked for it
    /// goes on; see ``ServiceEntry/initCompleted(_:)``.
    @discardableResult
    public func initCompleted(_ completed: @escaping @Sendable (any Resolver, Service) throws -> Void) -> Self {
        entry.initCompleted(completed)
        return self
    }

    /// Registers a type that the instance has as well; see ``ServiceEntry/implements(_:name:fileID:line:)``.
    @discardableResult
    public func implements<Forwarded>(
        _ type: Forwarded.Type,
        name: String? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        forward(type, name: name, fileID: fileID, line: line) { $0 as? Forwarded }
        return self
    }

    /// Registers a type that the instance has as well, with a conversion that cannot fail.
    @discardableResult
    public func implements<Forwarded>(
        _ type: Forwarded.Type,
        name: String? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        convert: @escaping @Sendable (Service) -> Forwarded
    ) -> Self {
        forward(type, name: name, fileID: fileID, line: line) { convert($0) }
        return self
    }

    /// Registers several types that the instance has as well.
    @discardableResult
    public func implements<First, Second, each Forwarded>(
        _ first: First.Type,
        _ second: Second.Type,
        _ more: repeat (each Forwarded).Type,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        implements(first, fileID: fileID, line: line)
        implements(second, fileID: fileID, line: line)
        repeat implementsOne(each more, fileID, line)
        return self
    }

    /// The tuple of a pack expansion would be unused otherwise.
    private func implementsOne<Forwarded>(_ type: Forwarded.Type, _ fileID: StaticString, _ line: UInt) {
        implements(type, fileID: fileID, line: line)
    }

    /// Says that the factory asks for a service; see ``ServiceEntry/dependsOn(_:name:)``.
    @discardableResult
    public func dependsOn<Dependency>(_ type: Dependency.Type, name: String? = nil) -> Self {
        dependsOn(ServiceKey(serviceType: type, name: name))
    }

    /// Says that the factory asks for the service of a key.
    @discardableResult
    public func dependsOn(_ key: ServiceKey) -> Self {
        entry.dependsOn(key)
        return self
    }

    /// Says that the factory asks for several services.
    @discardableResult
    public func dependsOn<First, Second, each Dependency>(
        _ first: First.Type,
        _ second: Second.Type,
        _ more: repeat (each Dependency).Type
    ) -> Self {
        entry.dependsOn(first, second, repeat each more)
        return self
    }

    /// Says that the factory asks for no service.
    @discardableResult
    public func dependsOnNothing() -> Self {
        entry.dependsOnNothing()
        return self
    }

    /// Grants that the instance holds one that lives shorter; see ``ServiceEntry/allowsCaptives(because:)``.
    @discardableResult
    public func allowsCaptives(because reason: String) -> Self {
        entry.allowsCaptives(because: reason)
        return self
    }

    /// Registers another type and name that answers with this one's instance, where this one is registered.
    func forward<Forwarded>(
        _ type: Forwarded.Type,
        name: String?,
        fileID: StaticString,
        line: UInt,
        convert: @escaping @Sendable (Service) -> Forwarded?
    ) {
        let resolver = entry.owner?.resolver
        if let registrar = resolver as? any SendableRegistrar {
            registrar.add(forwarding(type, name: name, fileID: fileID, line: line, convert: convert))
        } else if let registrar = resolver as? any ServiceRegistrar {
            entry.addForward(in: registrar, type, name: name, fileID: fileID, line: line, convert: convert)
        }
    }

    func forwarding<Forwarded>(
        _ type: Forwarded.Type,
        name: String?,
        fileID: StaticString,
        line: UInt,
        convert: @escaping @Sendable (Service) -> Forwarded?
    ) -> SendableEntry<Forwarded> {
        SendableEntry<Forwarded>(
            ForwardingEntry(
                entry.forwardedKey(type, name: name),
                to: entry,
                fileID: fileID,
                line: line,
                convert: convert
            )
        )
    }
}

extension SendableEntry where Service: Sendable {
    /// Gives the entry a scope; see ``ServiceEntry/inObjectScope(_:)``.
    @discardableResult
    public func inObjectScope(_ objectScope: any ObjectScopeProtocol) -> Self {
        entry.inObjectScope(objectScope)
        return self
    }
}
