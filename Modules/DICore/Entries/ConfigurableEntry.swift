/// A handle of a registration: what `register` returns, to be configured further.
///
/// There is one for each kind of registration, with what may be configured there: ``ServiceEntry`` for a plain container,
/// ``SendableEntry`` and ``UnsharedEntry`` for one that several threads may use. This is what they have in common.
///
/// Configuration chains and returns the handle. It changes a registration that is already in force, so it belongs to
/// set-up; with `scope:` at `register` the scope is there from the start.
public protocol ConfigurableEntry<Service> {
    /// The type that the registration is for.
    associatedtype Service

    /// The registration, to be looked at: what a container takes.
    var anyEntry: AnyServiceEntry { get }
}

extension ConfigurableEntry {
    /// What the registration is found by.
    public var key: ServiceKey { anyEntry.key }

    /// Where the registration was written.
    public var location: SourceLocation { anyEntry.location }

    /// How the instances are shared.
    public var scope: any ObjectScopeProtocol { anyEntry.scope }

    // MARK: Forwarding

    /// Registers a type that the instance has as well, under which it can then be resolved.
    ///
    ///     container.register((any Animal).self) { _ in Cat() }
    ///         .implements((any Pet).self)
    ///
    /// Both keys give the same instance, its callbacks run once, and a scope that is set later applies to both. Whether
    /// the instance has the type is found out at the first request; a form with a closure lets the compiler prove it. Has
    /// an effect on entries that are registered.
    @discardableResult
    public func implements<Forwarded>(
        _ type: Forwarded.Type,
        name: String? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) -> Self {
        anyEntry.addForward(type, name: name, fileID, line)
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
        repeat anyEntry.addForward(each more, name: nil, fileID, line)
        return self
    }

    // MARK: Checks of the wiring

    /// Declares that the factory asks for a service, which checks of the wiring cannot see in a closure.
    ///
    ///     container.register((any APIService).self) { r in
    ///         APIServiceImpl(client: try r.require((any HTTPClient).self))
    ///     }
    ///     .dependsOn((any HTTPClient).self)
    ///
    /// An entry that says so is taken at its word: what it names is all that its factory asks for. Ask for an Optional,
    /// an array or a wrapper by that type. Resolving does not look at it.
    @discardableResult
    public func dependsOn<Dependency>(_ type: Dependency.Type, name: String? = nil) -> Self {
        dependsOn(ServiceKey(serviceType: type, name: name))
    }

    /// Declares that the factory asks for the service of a key, such as one that takes runtime arguments.
    ///
    ///     .dependsOn(ServiceKey((any Screen).self, arguments: User.self))
    @discardableResult
    public func dependsOn(_ key: ServiceKey) -> Self {
        anyEntry.declareDependency(key)
        return self
    }

    /// Declares that the factory asks for several services.
    @discardableResult
    public func dependsOn<First, Second, each Dependency>(
        _ first: First.Type,
        _ second: Second.Type,
        _ more: repeat (each Dependency).Type
    ) -> Self {
        anyEntry.declareDependency(ServiceKey(serviceType: first))
        anyEntry.declareDependency(ServiceKey(serviceType: second))
        repeat anyEntry.declareDependency(ServiceKey(serviceType: (each more)))
        return self
    }

    /// Declares that the factory asks the parent of this container for a service, such as one that it decorates.
    ///
    ///     let child = Container(parent: root)
    ///     child.register((any Client).self) { _ in LoggingClient(try root.require((any Client).self)) }
    ///         .dependsOnParent((any Client).self)
    ///
    /// The request goes to the parent of the container that the entry is registered in, also when a child builds the
    /// instance. In a container without a parent the service is missing.
    @discardableResult
    public func dependsOnParent<Dependency>(_ type: Dependency.Type, name: String? = nil) -> Self {
        dependsOnParent(ServiceKey(serviceType: type, name: name))
    }

    /// Declares that the factory asks the parent of this container for the service of a key.
    @discardableResult
    public func dependsOnParent(_ key: ServiceKey) -> Self {
        anyEntry.declareDependency(key, .declaredOfParent)
        return self
    }

    /// Declares that the factory asks for no service.
    @discardableResult
    public func dependsOnNothing() -> Self {
        anyEntry.declareAnalysable()
        return self
    }

    /// Grants that the instance holds one that lives shorter, which checks of the wiring would report.
    ///
    /// - Parameter reason: why it is right here; shown with the graph.
    @discardableResult
    public func allowsCaptives(because reason: String) -> Self {
        anyEntry.grantCaptives(because: reason)
        return self
    }
}
