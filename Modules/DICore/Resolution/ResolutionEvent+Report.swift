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
            duration: duration
        )
        for slot in slots { slot.tell(event) }
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
            duration: nil
        )
        for slot in slots { slot.tell(event) }
    }

    static func report(resetOf scope: any ObjectScopeProtocol, in context: ResolutionContext) {
        let event = ResolutionEvent(
            kind: .scopeReset("\(scope)"),
            key: nil,
            location: nil,
            scope: "\(scope)",
            path: [],
            duration: nil
        )
        for slot in context.observers(of: .registrations) { slot.tell(event) }
    }
}

extension ResolutionEvent.Kind {
    fileprivate var interest: ResolutionInterests {
        switch self {
        case .registered, .replaced, .removed, .scopeReset: .registrations
        case .failed: .failures
        case .began, .created, .aborted, .reused, .overridePassedOver: .resolutions
        }
    }
}

/// What is remembered of a construction that an observer follows.
struct ObservedConstruction {
    let start: ContinuousClock.Instant
    /// The container that asked, where another one builds.
    let asking: ResolutionContext?
}

extension Session {
    /// Called before an observed factory is called, outside of its frame.
    static func willConstruct(
        _ session: UnsafeMutablePointer<Session>,
        _ entry: AnyServiceEntry,
        asking: ResolutionContext,
        keeper: ResolutionContext
    ) {
        ResolutionEvent.report(.began, of: entry, in: asking)
        session.pointee.observed.append(
            ObservedConstruction(start: ContinuousClock.now, asking: asking === keeper ? nil : asking)
        )
    }

    /// Ends an observed construction, whose frame is popped already or was never pushed.
    static func constructionEnds(
        _ session: UnsafeMutablePointer<Session>,
        _ kind: ResolutionEvent.Kind,
        _ entry: AnyServiceEntry,
        _ context: ResolutionContext
    ) {
        guard let construction = session.pointee.observed.popLast() else { return }
        let duration = ContinuousClock.now - construction.start
        ResolutionEvent.report(kind, of: entry, in: construction.asking ?? context, duration: duration)
    }

    /// Tells of registrations of a child that a service of its parent does not see. Called while the parent's service is
    /// being built, for each of its requests.
    static func reportPassedOverOverrides(
        _ session: UnsafeMutablePointer<Session>,
        of entry: AnyServiceEntry,
        in context: ResolutionContext
    ) {
        for construction in session.pointee.observed {
            guard let asking = construction.asking, asking !== context,
                let override = asking.resolver?.locate(entry.key).entry, override !== entry
            else { continue }
            ResolutionEvent.report(.overridePassedOver(override.location), of: entry, in: asking)
        }
    }
}
