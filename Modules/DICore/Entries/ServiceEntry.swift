/// The registration of a service: what `register` returns, to be configured further.
///
///     container.register((any Animal).self) { _ in Cat() }
///         .inObjectScope(.graph)
///         .initCompleted { r, cat in cat.owner = r.resolve((any Person).self) }
///         .implements((any Pet).self)
///
/// Configuration chains and returns the entry. It changes a registration that is already in force, so it belongs to
/// set-up; with `scope:` at `register` the scope is there from the start.
public class ServiceEntry<Service>: AnyServiceEntry {
    /// Run right after the instance is stored.
    @usableFromInline final let callbacks = AtomicReference<CallbackList<Service>>(nil)

    /// Gives the entry a scope.
    ///
    /// Once the entry has produced an instance this is reported to observers as an error: who asked before and who
    /// asks after hold different objects.
    @discardableResult
    public final func inObjectScope(_ objectScope: any ObjectScopeProtocol) -> Self {
        changeScope(to: objectScope)
        return self
    }

    /// Adds a callback that is run once for each instance, right after it is stored and before the one that asked for
    /// it goes on.
    ///
    /// This is the place to close a cycle of properties: the callback may resolve what needs this very instance.
    /// Callbacks run in the order in which they were added. If one throws, the instance is taken out of its storage and
    /// the resolve fails with that error.
    @discardableResult
    public final func initCompleted(_ completed: @escaping (any Resolver, Service) throws -> Void) -> Self {
        addCallback(completed)
        return self
    }

    func addCallback(_ callback: @escaping (any Resolver, Service) throws -> Void) {
        // Retried when another thread has added one meanwhile.
        while !callbacks.replace(callbacks.object, with: { CallbackList(callback, after: $0) }) {}
        insert(.callbacks)
    }

    /// The instance of the entry that answers in place of this one. Only asked of a forwarding entry.
    func forwardedInstance<Arguments: RuntimeArguments>(
        _ located: LocatedEntry,
        _ arguments: Arguments,
        for resolver: any Resolver
    ) throws(ResolutionError) -> Service {
        preconditionFailure("only a forwarding entry has the flag")
    }
}
