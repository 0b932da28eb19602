/// A resolver with registrations of its own in a registry, and perhaps parents: what both kinds of container are, and
/// what a container of your own may be.
///
/// All that is done with the registrations as a whole works on its ``context``: resetting scopes, removing, asking what is
/// registered, checking the wiring.
public protocol ContainerProtocol: Resolver {
    /// The identity of the container towards the resolution algorithm, made with its registry.
    var context: ResolutionContext { get }
}

extension ContainerProtocol {
    /// How often one registration may be active at the same time, where a repeat is no proof of a cycle: with runtime
    /// arguments, or when a callback on the way has made it legal. The whole container tree has one limit, 200 at first.
    public var depthLimit: Int {
        get { context.depthLimit }
        set { context.depthLimit = newValue }
    }

    /// The context of this container, then those of its parents.
    var levels: UnfoldFirstSequence<ResolutionContext> { sequence(first: context) { $0.parent } }
}
