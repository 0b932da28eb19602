extension InstanceSource where Wrapped: Sendable {
    /// Something for any thread that gives the instance later, in the graph that is running now for as long as its objects
    /// live.
    ///
    /// Throws ``ResolutionError/Code/notSendable`` when no container that several threads may use has the registration, or
    /// when the request has runtime arguments that are not known to be `Sendable`; see
    /// ``Resolver/requireSendable(_:name:argument:)``.
    public func sendableInThisGraph() throws(ResolutionError) -> SendableInstanceProvider<Wrapped> {
        try sendableProvider { Session.identifierToKeep(context.session) }
    }

    /// Something for any thread that gives later, at each use, what a new resolve would give.
    ///
    /// Throws as ``sendableInThisGraph()`` does.
    public func sendableInNewGraphs() throws(ResolutionError) -> SendableInstanceProvider<Wrapped> {
        try sendableProvider { nil }
    }

    private func sendableProvider(
        _ graph: () -> GraphIdentifier?
    ) throws(ResolutionError) -> SendableInstanceProvider<Wrapped> {
        let entry = resolver.registration(of: key)
        guard let arguments = arguments.sendable else {
            throw refusal("its runtime arguments are not known to be Sendable", entry)
        }
        guard let sharing = nearestSharing else {
            throw refusal("no container that several threads may use has it", entry)
        }
        if context.isObserved { ResolutionEvent.report(deferredRequestFor: key, of: entry, in: context) }
        return SendableInstanceProvider(
            key: key,
            holder: SendableHolder(sharing, context.session),
            graph: graph(),
            isolation: entry?.isolation,
            place: entry?.placeOfRegistration,
            request: request(with: arguments)
        )
    }

    private func request<Arguments: RuntimeArguments & Sendable>(
        with arguments: Arguments
    ) -> @Sendable (any Resolver) throws(ResolutionError) -> Wrapped {
        let key = key
        return { resolver throws(ResolutionError) in
            try requireKey(key, Wrapped.self, arguments, from: resolver)
        }
    }

    /// The container that was asked, if several threads may use it; otherwise the nearest one above that has the
    /// registration.
    private var nearestSharing: ContextSharing? {
        for level in sequence(first: context, next: \.parent) {
            guard let sharing = level.forThreads else { continue }
            if isResolvable(Wrapped.self, key, from: sharing.resolver) { return sharing }
        }
        return nil
    }

    private func refusal(_ detail: String, _ entry: AnyServiceEntry?) -> ResolutionError {
        ResolutionError.report(
            .notSendable,
            key: key,
            detail: detail,
            near: entry.map { [$0] } ?? [],
            in: context
        )
    }
}

/// A container that several threads may use, as they may use it.
struct ContextSharing {
    /// The container itself, or a view of it.
    let resolver: any Resolver & Sendable

    /// How something refers to it that the container keeps.
    let weakly: SendableHolder
}

extension ResolutionContext {
    /// The container as several threads may use it, if they may: it is made for that, or there is a view of it.
    var forThreads: ContextSharing? {
        if let resolver = sendableResolver {
            return ContextSharing(resolver: resolver, weakly: .weakly(WeakResolver(resolver)))
        }
        guard let gate, let container = resolver as? Container else { return nil }
        return ContextSharing(resolver: gate.view(of: container), weakly: .view(WeakView(of: container, gate)))
    }
}

/// What holds the container of a provider for several threads.
enum SendableHolder: Sendable {
    case strongly(any Resolver & Sendable)
    case weakly(WeakResolver)
    case view(WeakView)
    /// As the graph does in which the provider was made.
    indirect case byGraph(GraphHold.Share, SendableHolder)

    /// Makes the holder of a wrapper that is being made now.
    init(_ sharing: ContextSharing, _ session: UnsafeMutablePointer<Session>) {
        switch Session.holding(session) {
        case .strongly: self = .strongly(sharing.resolver)
        case .weakly: self = sharing.weakly
        case .whileUnshared(let keys):
            let hold = Session.identifier(session).hold
            self = .byGraph(hold.add(sendable: sharing.resolver, keys), sharing.weakly)
        }
    }

    var isWeak: Bool {
        switch self {
        case .strongly: false
        case .weakly, .view: true
        case .byGraph(let share, _): share.sendableResolver == nil
        }
    }

    var resolver: (any Resolver & Sendable)? {
        switch self {
        case .byGraph(let share, let weak): share.sendableResolver ?? weak.resolver
        case .strongly(let resolver): resolver
        case .weakly(let reference): reference.resolver
        case .view(let reference): reference.resolver
        }
    }
}

final class WeakResolver: Sendable {
    weak let resolver: (any Resolver & Sendable)?

    init(_ resolver: any Resolver & Sendable) {
        self.resolver = resolver
    }
}

/// A plain container of which there are views: a view does not live on by itself.
// Unchecked: a weak reference may be read on any thread, and a view is all that is made of the container.
final class WeakView: @unchecked Sendable {
    private weak let container: Container?
    private let gate: any SessionGate

    init(of container: Container, _ gate: any SessionGate) {
        self.container = container
        self.gate = gate
    }

    var resolver: (any Resolver & Sendable)? { container.map { gate.view(of: $0) } }
}
