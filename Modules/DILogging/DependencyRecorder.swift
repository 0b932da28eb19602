public import DICore

/// Records what asks for what while resolving, so that a check of the wiring can see into closures that ran.
///
///     let recorder = DependencyRecorder()
///     container.addObserver(recorder)
///     _ = container.resolve((any App).self)
///     container.removeObserver(recorder)
///     let report = container.dependencyGraph(observed: recorder.wiring).validate()
///
/// What a `Lazy` or a `Provider` asks for is an edge from the service whose factory or callback was given it, also when
/// nobody opens it. One that is opened while another service is being built is an edge from that one as well. What a
/// service resolves by itself when it is complete, with a resolver that it has kept, is nobody's edge.
///
/// Follows every resolve of the container tree while it is installed, which costs it its fast path.
public final class DependencyRecorder: ResolutionObserver {
    /// What was seen so far.
    public private(set) var wiring = ObservedWiring()

    /// Makes a recorder, to be added to a container as an observer.
    public init() {}

    /// Resolutions, and failures for what was asked for in vain.
    public var interests: ResolutionInterests { [.resolutions, .failures] }

    /// Adds what the event says of the wiring.
    public func observe(_ event: ResolutionEvent) {
        wiring.add(event)
    }
}
