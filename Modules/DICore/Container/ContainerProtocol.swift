/// A resolver with registrations of its own, and perhaps parents: what both kinds of container are, and
/// what a container of your own may be.
///
/// All that is done with the registrations as a whole works on the context behind its ``identity``: resetting scopes,
/// removing, asking what is registered, checking the wiring.
///
///     final class ModuleContainer: ContainerProtocol {
///         private lazy var context = ResolutionContext(for: self)
///
///         var identity: ContainerIdentity { context.identity }
///
///         func locate(_ key: ServiceKey) -> LocatedEntry { context.locate(key) }
///     }
public protocol ContainerProtocol: Resolver {
    /// The container as others refer to it: ``ResolutionContext/identity`` of its context.
    var identity: ContainerIdentity { get }
}

extension ContainerProtocol {
    var context: ResolutionContext { identity.context }

    /// How often one registration may be active at the same time, where a repeat is no proof of a cycle: with runtime
    /// arguments, or when a callback on the way has made it legal. The whole container tree has one limit, 200 at first.
    /// Where the stack of the thread has no room for so many, the request fails earlier.
    public var depthLimit: Int {
        get { context.depthLimit }
        set { context.depthLimit = newValue }
    }

    /// Adds an observer, which is told of what happens from here on, here and in children. Held strongly.
    ///
    /// It is told on the thread on which something happens, several at a time where threads share the container.
    public func addObserver(_ observer: any ResolutionObserver & Sendable) {
        context.addObserver(observer)
    }

    /// Removes an observer.
    public func removeObserver(_ observer: any ResolutionObserver & Sendable) {
        context.removeObserver(observer)
    }

    /// Tells the observers of this container, and those of the process, that something has failed.
    ///
    /// For extensions with failures of their own; those of a request are told already.
    public func report(_ error: ResolutionError) {
        context.report(error)
    }

    /// The context of this container, then those of its parents.
    var levels: UnfoldFirstSequence<ResolutionContext> { sequence(first: context) { $0.parent } }
}
