/// The registration of a service in a plain container: what `register` returns, to be configured further.
///
///     container.register((any Animal).self) { _ in Cat() }
///         .inObjectScope(.graph)
///         .initCompleted { r, cat in cat.owner = r.resolve((any Person).self) }
///         .implements((any Pet).self)
///
/// A handle: the registration itself is ``anyEntry``. Configuration chains; see ``ConfigurableEntry``.
public struct ServiceEntry<Service>: ConfigurableEntry {
    @usableFromInline let entry: TypedEntry<Service>

    init(_ entry: TypedEntry<Service>) {
        self.entry = entry
    }

    /// The registration, to be looked at: what a container takes.
    public var anyEntry: AnyServiceEntry { entry }

    /// Gives the entry a scope.
    ///
    /// Once the entry has produced an instance this is reported to observers as an error: who asked before and who
    /// asks after hold different objects.
    @discardableResult
    public func inObjectScope(_ objectScope: any ObjectScopeProtocol) -> Self {
        entry.changeScope(to: objectScope)
        return self
    }

    /// Adds a callback that is run once for each instance, right after it is stored and before the one that asked for
    /// it goes on.
    ///
    /// This is the place to close a cycle of properties: the callback may resolve what needs this very instance.
    /// Callbacks run in the order in which they were added. If one throws, the instance is taken out of its storage and
    /// the resolve fails with that error.
    @discardableResult
    public func initCompleted(_ completed: @escaping (any Resolver, Service) throws -> Void) -> Self {
        entry.addCallback(completed)
        return self
    }

    /// Registers a type that the instance has as well, with a conversion that cannot fail.
    ///
    ///     container.register(Cat.self) { _ in Cat() }
    ///         .implements((any Pet).self) { $0 }
    @discardableResult
    public func implements<Forwarded>(
        _ type: Forwarded.Type,
        name: String? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        convert: @escaping (Service) -> Forwarded
    ) -> Self {
        entry.addForward(type, name: name, fileID, line, isSendable: false, convert: convert)
        return self
    }
}
