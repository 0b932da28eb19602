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
        FailureObservers.tell(error)
        tell(.failed(error), key: error.key, location: error.path.last?.location, in: context)
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
            isFromCallback: false,
            session: context.session.id,
            duration: nil
        )
        for slot in context.observers(of: .registrations) { slot.tell(event, context.session.memory) }
    }

    /// Makes the event of a request, when there is somebody to be told.
    private static func tell(
        _ kind: Kind,
        key: @autoclosure () -> ServiceKey,
        of entry: AnyServiceEntry? = nil,
        location: SourceLocation? = nil,
        in context: ResolutionContext,
        duration: Duration? = nil
    ) {
        let slots = context.observers(of: kind.interest)
        if slots.isEmpty { return }
        let session = context.session
        let event = ResolutionEvent(
            kind: kind,
            key: key(),
            location: entry?.location ?? location,
            scope: entry.map { "\($0.forwardTarget?.scope ?? $0.scope)" },
            path: Session.path(session.memory).map(\.key),
            isFromCallback: Session.isCompleting(session.memory),
            session: session.id,
            duration: duration
        )
        for slot in slots { slot.tell(event, session.memory) }
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
