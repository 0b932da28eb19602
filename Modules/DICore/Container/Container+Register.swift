extension Container {
    /// Registers a service by a closure that makes it.
    ///
    ///     container.register((any APIService).self) { r in
    ///         APIServiceImpl(client: try r.require((any HTTPClient).self))
    ///     }
    ///
    /// A registration of the same key is replaced.
    ///
    /// - Parameters:
    ///   - serviceType: the type that is asked for, most often a protocol.
    ///   - name: tells several registrations of one type apart.
    ///   - scope: how instances are shared; by default the container's ``defaultObjectScope``.
    ///   - fileID: the file of the registration, for messages.
    ///   - line: its line.
    ///   - isolation: the actor that the factory belongs to; a view for several threads checks it.
    ///   - factory: makes an instance. It is given the resolver to ask for what it needs, and may throw.
    /// - Returns: the entry, to be configured further.
    @discardableResult
    public func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation,
        factory: @escaping (any Resolver) throws -> Service
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name,
            option: nil,
            scope: scope,
            fileID: fileID,
            line: line,
            isolation: isolation,
            factory: factory
        )
    }

    /// Registers a service by a closure that takes one runtime argument.
    ///
    ///     container.register((any Animal).self) { (_, name: String) in Cat(name: name) }
    ///     container.resolve((any Animal).self, argument: "Mimi")
    ///
    /// The type of the argument is part of the key. A scope that shares instances shares them whatever the argument is.
    ///
    /// - Parameters:
    ///   - serviceType: the type that is asked for, most often a protocol.
    ///   - name: tells several registrations of one type apart.
    ///   - scope: how instances are shared; by default the container's ``defaultObjectScope``.
    ///   - fileID: the file of the registration, for messages.
    ///   - line: its line.
    ///   - isolation: the actor that the factory belongs to; a view for several threads checks it.
    ///   - factory: makes an instance. It is given the resolver to ask for what it needs, and may throw.
    /// - Returns: the entry, to be configured further.
    @discardableResult
    public func register<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation,
        factory: @escaping (any Resolver, Argument) throws -> Service
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name,
            option: nil,
            scope: scope,
            fileID: fileID,
            line: line,
            isolation: isolation,
            factory: factory
        )
    }

    /// Registers a service by a closure that takes two runtime arguments.
    ///
    ///     container.register((any Animal).self) { (_, name: String, isTame: Bool) in Cat(name: name, isTame: isTame) }
    ///     container.resolve((any Animal).self, arguments: "Mew", true)
    ///
    /// The types of the arguments are part of the key. A scope that shares instances shares them whatever the arguments
    /// are.
    ///
    /// - Parameters:
    ///   - serviceType: the type that is asked for, most often a protocol.
    ///   - name: tells several registrations of one type apart.
    ///   - scope: how instances are shared; by default the container's ``defaultObjectScope``.
    ///   - fileID: the file of the registration, for messages.
    ///   - line: its line.
    ///   - isolation: the actor that the factory belongs to; a view for several threads checks it.
    ///   - factory: makes an instance. It is given the resolver to ask for what it needs, and may throw.
    /// - Returns: the entry, to be configured further.
    @discardableResult
    public func register<Service, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation,
        factory: @escaping (any Resolver, First, Second) throws -> Service
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name,
            option: nil,
            scope: scope,
            fileID: fileID,
            line: line,
            isolation: isolation,
            factory: factory
        )
    }

    /// Registers a service by a closure that takes three or more runtime arguments.
    ///
    ///     container.register((any Shape).self) { (_, x: Int, y: Int, name: String) in Point(x, y, name) }
    ///     container.resolve((any Shape).self, arguments: 3, 4, "corner")
    ///
    /// The types of the arguments are part of the key. A scope that shares instances shares them whatever the arguments
    /// are.
    ///
    /// - Parameters:
    ///   - serviceType: the type that is asked for, most often a protocol.
    ///   - name: tells several registrations of one type apart.
    ///   - scope: how instances are shared; by default the container's ``defaultObjectScope``.
    ///   - fileID: the file of the registration, for messages.
    ///   - line: its line.
    ///   - isolation: the actor that the factory belongs to; a view for several threads checks it.
    ///   - factory: makes an instance. It is given the resolver to ask for what it needs, and may throw.
    /// - Returns: the entry, to be configured further.
    @discardableResult
    public func register<Service, First, Second, Third, each Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation,
        factory: @escaping (any Resolver, First, Second, Third, repeat each Argument) throws -> Service
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name,
            option: nil,
            scope: scope,
            fileID: fileID,
            line: line,
            isolation: isolation,
            factory: factory
        )
    }

    /// Registers an instance that is there already; every request gets this one.
    ///
    ///     container.register(Configuration.self, instance: configuration)
    ///
    /// The container holds it for as long as it is registered; resetting a scope does not touch it.
    @discardableResult
    public func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        instance: Service,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation
    ) -> ServiceEntry<Service> {
        register(serviceType, name: name, scope: ObjectScope.instance, fileID: fileID, line: line, isolation: nil) {
            _ in instance
        }
        .dependsOnNothing()
    }
}

// MARK: With an option

extension Container {
    /// Registers a service under a key with an option: the seam for extensions that need more than a name.
    @discardableResult
    public func register<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)?,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation,
        factory: @escaping (any Resolver) throws -> Service
    ) -> ServiceEntry<Service> {
        added(makeEntry(EntryTerms(name, option, scope ?? defaultObjectScope, fileID, line), factory), isolation)
    }

    /// Registers a service with one runtime argument under a key with an option.
    @discardableResult
    public func register<Service, Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)?,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation,
        factory: @escaping (any Resolver, Argument) throws -> Service
    ) -> ServiceEntry<Service> {
        added(makeEntry(EntryTerms(name, option, scope ?? defaultObjectScope, fileID, line), factory), isolation)
    }

    /// Registers a service with two runtime arguments under a key with an option.
    @discardableResult
    public func register<Service, First, Second>(
        _ serviceType: Service.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)?,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation,
        factory: @escaping (any Resolver, First, Second) throws -> Service
    ) -> ServiceEntry<Service> {
        added(makeEntry(EntryTerms(name, option, scope ?? defaultObjectScope, fileID, line), factory), isolation)
    }

    /// Registers a service with three or more runtime arguments under a key with an option.
    @discardableResult
    public func register<Service, First, Second, Third, each Argument>(
        _ serviceType: Service.Type,
        name: String? = nil,
        option: (any ServiceKeyOption)?,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation,
        factory: @escaping (any Resolver, First, Second, Third, repeat each Argument) throws -> Service
    ) -> ServiceEntry<Service> {
        added(makeEntry(EntryTerms(name, option, scope ?? defaultObjectScope, fileID, line), factory), isolation)
    }

    /// Adds a service to the collection of its type.
    ///
    ///     container.contribute((any FeedParser).self) { _ in RSSParser() }
    ///     container.contribute((any FeedParser).self) { _ in AtomParser() }
    ///     container.resolveAll((any FeedParser).self)      // both, in this order
    ///
    /// A contribution never replaces another one, nor answers for the type itself. Like any registration of a child, it is
    /// not seen by a service that a parent keeps. It has a scope, callbacks and
    /// forwarding like any registration.
    @discardableResult
    public func contribute<Service>(
        _ serviceType: Service.Type,
        name: String? = nil,
        scope: (any ObjectScopeProtocol)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        isolation: (any Actor)? = #isolation,
        factory: @escaping (any Resolver) throws -> Service
    ) -> ServiceEntry<Service> {
        register(
            serviceType,
            name: name,
            option: Contribution(),
            scope: scope,
            fileID: fileID,
            line: line,
            isolation: isolation,
            factory: factory
        )
    }
}
