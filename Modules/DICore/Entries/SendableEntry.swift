/// The registration of a service whose factory may run on any thread: what the `register` methods of a
/// ``SendableRegistrar`` return, to be configured further.
///
///     container.register((any Clock).self, scope: .container) { _ in SystemClock() }
///         .initCompleted { _, clock in clock.start() }
///         .implements((any TimeSource).self)
///
/// Configuration chains; see ``ConfigurableEntry``. A thread that resolves meanwhile gets an instance of the registration
/// with it or without it.
public struct SendableEntry<Service>: ConfigurableEntry {
    let entry: TypedEntry<Service>

    init(_ entry: TypedEntry<Service>) {
        self.entry = entry
    }

    /// The registration, to be looked at.
    public var anyEntry: AnyServiceEntry { entry }

    /// Gives the entry a scope; see ``ServiceEntry/inObjectScope(_:)``.
    @discardableResult
    public func inObjectScope(_ objectScope: any ObjectScopeProtocol) -> Self {
        entry.changeScope(to: objectScope)
        return self
    }

    /// Adds a callback that is run once for each instance, right after it is stored and before the one that asked for it
    /// goes on; see ``ServiceEntry/initCompleted(_:)``.
    @discardableResult
    public func initCompleted(_ completed: @escaping @Sendable (any Resolver, Service) throws -> Void) -> Self {
        entry.addCallback(completed)
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
        entry.addForward(type, name: name, fileID, line, isSendable: true, convert: convert)
        return self
    }
}
