public import DICore
internal import Synchronization

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
/// Follows every resolve of the container tree while it is installed, which costs it its fast path. One recorder serves
/// containers of both kinds.
public final class DependencyRecorder: ResolutionObserver, Sendable {
    /// What was seen so far.
    public var wiring: ObservedWiring {
        let (order, wirings) = seen.withLock { ($0.order, $0.wirings) }
        var all = ObservedWiring()
        for session in order { wirings[session].map { all.merge($0) } }
        return all
    }

    private let seen = Mutex(Seen())

    /// What was seen in each session. Keys are compared outside of the mutex: their options may be a user's.
    private struct Seen {
        var order: [ResolutionSession.ID] = []
        var wirings: [ResolutionSession.ID: ObservedWiring] = [:]
    }

    /// Makes a recorder, to be added to a container as an observer.
    public init() {}

    /// Resolutions, and failures for what was asked for in vain.
    public var interests: ResolutionInterests { [.resolutions, .failures] }

    /// Adds what the event says of the wiring.
    public func observe(_ event: ResolutionEvent) {
        var wiring = seen.withLock { $0.wirings[event.session] } ?? ObservedWiring()
        wiring.add(event)
        seen.withLock { [wiring] seen in
            if seen.wirings.updateValue(wiring, forKey: event.session) == nil { seen.order.append(event.session) }
        }
    }
}
