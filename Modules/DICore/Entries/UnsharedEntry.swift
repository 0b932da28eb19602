/// The registration of a service that is not `Sendable` and whose factory may run on any thread: what `registerUnshared` and
/// its relatives return, to be configured further.
///
/// No form of configuration makes several threads share an instance, also not through a type that the entry is forwarded
/// to: the scope of this entry, and of those that forward to it, is an ``UnsharedScope``. Configuration chains; see
/// ``ConfigurableEntry``.
public struct UnsharedEntry<Service>: ConfigurableEntry {
    let entry: TypedEntry<Service>

    init(_ entry: TypedEntry<Service>) {
        self.entry = entry
    }

    /// The registration, to be looked at.
    public var anyEntry: AnyServiceEntry { entry }

    /// Gives the entry a scope whose instances stay in the resolve that makes them.
    @discardableResult
    public func inObjectScope(_ objectScope: UnsharedScope) -> Self {
        entry.changeScope(to: objectScope.objectScope)
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
