/// What is remembered of a construction that an observer follows.
struct ObservedConstruction {
    let start: ContinuousClock.Instant
    /// The container that asked, where another one builds.
    let asking: ResolutionContext?
}

extension Session {
    /// Whether the innermost frame is running its callbacks.
    static func isCompleting(_ session: UnsafeMutablePointer<Session>) -> Bool {
        session.pointee.top?.pointee.status.contains(.completing) ?? false
    }

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
                let override = asking.resolver?.registration(of: entry.key), override !== entry
            else { continue }
            ResolutionEvent.report(.overridePassedOver(override.location), of: entry, in: asking)
        }
    }

    /// Tells of contributions of a child that a service of its parent does not see.
    static func reportPassedOverContributions(
        _ session: UnsafeMutablePointer<Session>,
        to serviceType: Any.Type,
        beyond entries: [AnyServiceEntry],
        in context: ResolutionContext
    ) {
        for construction in session.pointee.observed {
            guard let asking = construction.asking, asking !== context, let resolver = asking.resolver else { continue }
            for contribution in resolver.contributions(to: serviceType)
            where !entries.contains(where: { $0 === contribution }) {
                ResolutionEvent.report(.overridePassedOver(contribution.location), of: contribution, in: asking)
            }
        }
    }
}
