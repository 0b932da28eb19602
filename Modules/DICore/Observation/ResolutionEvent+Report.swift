extension ResolutionEvent {
    /// Tells the observers of a context what happened to an entry.
    static func report(
        _ kind: Kind,
        of entry: AnyServiceEntry,
        in context: ResolutionContext,
        duration: Duration? = nil
    ) {
        tell(kind, key: entry.key, of: entry, in: context, duration: duration)
    }

    /// Tells the observers of a context, and those of the process, that a request has failed.
    static func report(failure error: ResolutionError, in context: ResolutionContext) {
        FailureAnnouncement(error, in: context).tell()
    }

    /// Tells the observers that a context passes on to its children, and those of the process, that something has failed in
    /// a child that has ended.
    static func report(failure error: ResolutionError, below context: ResolutionContext) {
        FailureAnnouncement(error, in: context, inheritedOnly: true).tell()
    }

    static func report(_ wait: WaitReport, for key: ServiceKey, in context: ResolutionContext) {
        tell(.waiting(wait), key: key, in: context)
    }

    /// Tells the observers of a context that something was made there that asks for a service later.
    static func report(deferredRequestFor key: ServiceKey, of entry: AnyServiceEntry?, in context: ResolutionContext) {
        tell(.deferred, key: key, of: entry, in: context)
    }

    static func report(resetOf scope: any ObjectScopeProtocol, in context: ResolutionContext) {
        let event = ResolutionEvent(
            kind: .scopeReset("\(scope)"),
            key: nil,
            location: nil,
            scope: "\(scope)",
            path: [],
            requesterLocation: nil,
            isFromCallback: false,
            session: context.session.id,
            duration: nil
        )
        for slot in context.observers(of: .registrations) { slot.tell(event, context.session) }
    }

    /// Makes the event of a request and tells those that want to know.
    private static func tell(
        _ kind: Kind,
        key: @autoclosure () -> ServiceKey,
        of entry: AnyServiceEntry? = nil,
        in context: ResolutionContext,
        duration: Duration? = nil
    ) {
        let slots = context.observers(of: kind.interest)
        if slots.isEmpty { return }
        let event = ResolutionEvent(
            kind,
            key: key(),
            location: entry?.location,
            scope: entry.map { "\($0.forwardTarget?.scope ?? $0.scope)" },
            in: context,
            duration: duration
        )
        for slot in slots { slot.tell(event, context.session) }
    }

    /// Makes the event of what happens now in a context.
    fileprivate init(
        _ kind: Kind,
        key: ServiceKey,
        location: SourceLocation?,
        scope: String?,
        in context: ResolutionContext,
        duration: Duration?
    ) {
        let session = context.session
        let path = Session.path(session)
        self.init(
            kind: kind,
            key: key,
            location: location,
            scope: scope,
            path: path.map(\.key),
            requesterLocation: path.last?.location,
            isFromCallback: Session.isCompleting(session),
            session: session.id,
            duration: duration
        )
    }
}

/// What observers are told of a failure, made while what has failed is running and told when it has ended.
struct FailureAnnouncement {
    let error: ResolutionError
    private let event: ResolutionEvent?
    private let context: ResolutionContext
    private let slots: [ObserverSlot]

    init(_ error: ResolutionError, in context: ResolutionContext, inheritedOnly: Bool = false) {
        self.error = error
        self.context = context
        slots = context.observers(of: .failures, inheritedOnly: inheritedOnly)
        event =
            slots.isEmpty
            ? nil
            : ResolutionEvent(
                .failed(error),
                key: error.key,
                location: error.path.last?.location,
                scope: nil,
                in: context,
                duration: nil
            )
    }

    /// Tells the observers of the process, and those of the context.
    func tell() {
        FailureObservers.tell(error)
        guard let event else { return }
        for slot in slots { slot.tell(event, context.session) }
    }
}

extension ResolutionEvent.Kind {
    fileprivate var interest: ResolutionInterests {
        switch self {
        case .registered, .replaced, .removed, .scopeReset: .registrations
        case .failed, .waiting: .failures
        case .began, .created, .aborted, .reused, .deferred, .overridePassedOver: .resolutions
        }
    }
}
