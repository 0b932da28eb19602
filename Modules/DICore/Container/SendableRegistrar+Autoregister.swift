extension SendableRegistrar {
    /// Registers a service by its initializer, whose parameters are resolved by their types; see
    /// ``Container/autoregister(_:name:scope:fileID:line:isolation:initializer:)``.
    @inlinable
    @discardableResult
    public func autoregister<Service: Sendable, each Dependency>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service
    ) -> SendableEntry<Service> {
        added(autowired(EntryTerms(name, nil, scope ?? defaultObjectScope, fileID, line), initializer))
    }

    /// Registers a service by its initializer, one of whose parameters is a runtime argument.
    @inlinable
    @discardableResult
    public func autoregister<Service: Sendable, Argument, each Dependency>(
        _ serviceType: Service.Type,
        argument: Argument.Type,
        name: String? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service
    ) -> SendableEntry<Service> {
        let terms = EntryTerms(name, nil, scope ?? defaultObjectScope, fileID, line)
        let entry = makeEntry(terms) { (r: any Resolver, argument: Argument) in
            try initializer(repeat try argumentOrDependency((each Dependency).self, argument, r))
        }
        entry.declareParameters(repeat (each Dependency).self, unless: argument)
        return added(entry)
    }

    /// Registers a service that is not `Sendable` by its initializer.
    @inlinable
    @discardableResult
    public func autoregisterUnshared<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: UnsharedScope = .graph,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service
    ) -> UnsharedEntry<Service> {
        addedUnshared(autowired(EntryTerms(name, nil, unshared: scope, fileID, line), initializer))
    }

    /// Adds a service to the collection of its type by its initializer.
    @inlinable
    @discardableResult
    public func contribute<Service: Sendable, each Dependency>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        initializer: @escaping @Sendable (repeat each Dependency) throws -> Service
    ) -> SendableEntry<Service> {
        added(autowired(EntryTerms(name, Contribution(), scope ?? defaultObjectScope, fileID, line), initializer))
    }
}

/// Makes an entry of an initializer, all of whose parameters are resolved.
@inlinable
func autowired<Service, each Dependency>(
    _ terms: EntryTerms,
    _ initializer: @escaping @Sendable (repeat each Dependency) throws -> Service
) -> TypedEntry<Service> {
    let entry = makeEntry(terms) { r in try initializer(repeat try r.require((each Dependency).self)) }
    entry.declareParameters(repeat (each Dependency).self)
    return entry
}
