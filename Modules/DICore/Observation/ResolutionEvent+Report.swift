extension ResolutionEvent {
    /// Tells the observers of a context what happened to an entry.
    static func report(
        _ kind: Kind,
        of entry: AnyServiceEntry,
        in context: ResolutionContext,
        duration: Duration? = nil
    ) {
        let slots = context.observers(of: kind.interest)
        if slots.isEmpty { return }
        let event = ResolutionEvent(
            kind: kind,
            key: entry.key,
            location: entry.location,
            scope: "\(entry.forwardTarget?.scope ?? entry.scope)",
            path: Session.path(context.session.memory).map(\.key),
            isFromCallback: Session.isCompleting(context.session.memory),
            session: context.session.id,
            duration: duration
        )
        for slot in slots { slot.tell(event, context.session.memory) }
    }

    /// Tells the observers of a context, and those of the process, that a request has failed.
    static func report(failure error: ResolutionError, in context: ResolutionContext) {
        FailureObservers.tell(error)
        let slots = context.observers(of: .failures)
        if slots.isEmpty { return }
        let event = ResolutionEvent(
            kind: .failed(error),
            key: error.key,
            location: error.path.last?.location,
            scope: nil,
            path: Session.path(context.session.memory).map(\.key),
            isFromCallback: Session.isCompleting(context.session.memory),
            session: context.session.id,
            duration: nil
        )
        for slot in slots { slot.tell(event, context.session.memory) }
    }

    static func report(_ wait: WaitReport, for key: ServiceKey, in context: ResolutionContext) {
        let event = ResolutionEvent(
            kind: .waiting(wait),
            key: key,
            location: nil,
            scope: nil,
            path: Session.path(context.session.memory).map(\.key),
            isFromCallback: Session.isCompleting(context.session.memory),
            session: context.session.id,
            duration: nil
        )
        for slot in context.observers(of: .failures) { slot.tell(event, context.session.memory) }
    }

    /// Tells the observers of a context that something was made there that asks for a service later.
    static func report(deferredRequestFor key: ServiceKey, of entry: AnyServiceEntry?, in context: ResolutionContext) {
        let slots = context.observers(of: .resolutions)
        if slots.isEmpty { return }
        let event = ResolutionEvent(
            kind: .deferred,
            key: key,
            location: entry?.location,
            scope: entry.map { "\($0.forwardTarget?.scope ?? $0.scope)" },
            path: Session.path(context.session.memory).map(\.key),
            isFromCallback: Session.isCompleting(context.session.memory),
            session: context.session.id,
            duration: nil
        )
        for slot in slots { slot.tell(event, context.session.memory) }
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
