extension Container {
    /// Registers a service by its initializer, whose parameters are resolved by their types.
    ///
    ///     container.autoregister((any UserService).self, initializer: UserServiceImpl.init)
    ///
    /// Any number of parameters, of an initializer that may throw. A parameter of Optional type gets nil when its type
    /// is not registered, one of array type all contributions. The entry knows its ``AnyServiceEntry/dependencies``.
    ///
    /// - Parameters:
    ///   - serviceType: the type that is asked for.
    ///   - name: tells several registrations of one type apart; the parameters are resolved without a name.
    ///   - scope: how instances are shared; by default the container's ``defaultObjectScope``.
    ///   - fileID: the file of the registration, for messages.
    ///   - line: its line.
    ///   - isolation: the actor that the factory belongs to; a view for several threads checks it.
    ///   - initializer: makes an instance of its dependencies.
    /// - Returns: the entry, to be configured further.
    @inlinable
    @discardableResult
    public func autoregister<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation,
        initializer: @escaping (repeat each Dependency) throws -> Service
    ) -> ServiceEntry<Service> {
        let entry = register(serviceType, name: name, scope: scope, fileID: fileID, line: line, isolation: isolation) {
            r in
            try initializer(repeat try r.require((each Dependency).self))
        }
        entry.entry.declareParameters(repeat (each Dependency).self)
        return entry
    }

    /// Registers a service by its initializer, one of whose parameters is a runtime argument.
    ///
    ///     container.autoregister((any Screen).self, argument: User.self, initializer: ProfileScreen.init)
    ///     container.resolve((any Screen).self, argument: user)
    ///
    /// Parameters of the argument's type get the argument, all others are resolved.
    @inlinable
    @discardableResult
    public func autoregister<Service, Argument, each Dependency>(
        _ serviceType: Service.Type,
        argument: Argument.Type,
        name: String? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation,
        initializer: @escaping (repeat each Dependency) throws -> Service
    ) -> ServiceEntry<Service> {
        let entry = register(serviceType, name: name, scope: scope, fileID: fileID, line: line, isolation: isolation) {
            (r: any Resolver, argument: Argument) in
            try initializer(repeat try argumentOrDependency((each Dependency).self, argument, r))
        }
        entry.entry.declareParameters(repeat (each Dependency).self, unless: argument)
        return entry
    }

    /// Adds a service to the collection of its type by its initializer, whose parameters are resolved by their types.
    ///
    ///     container.contribute((any FeedFetcher).self, initializer: HTTPFetcher.init)
    @inlinable
    @discardableResult
    public func contribute<Service, each Dependency>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation,
        initializer: @escaping (repeat each Dependency) throws -> Service
    ) -> ServiceEntry<Service> {
        let entry = contribute(serviceType, name: name, scope: scope, fileID: fileID, line: line, isolation: isolation)
        { r in
            try initializer(repeat try r.require((each Dependency).self))
        }
        entry.entry.declareParameters(repeat (each Dependency).self)
        return entry
    }
}

@inlinable
func argumentOrDependency<Dependency, Argument>(
    _ type: Dependency.Type,
    _ argument: Argument,
    _ resolver: any Resolver
) throws(ResolutionError) -> Dependency {
    if type == Argument.self, let argument = argument as? Dependency { return argument }
    return try resolver.require(type)
}
