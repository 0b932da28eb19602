// Unsafe: entries and contexts are passed on without being retained. Both are held by the resolver that is being asked
// or, when an entry is replaced meanwhile, by the session; see `Frame`. A value that is read as a service was stored by
// the entry that answers, and a key answers for its service type alone.

/// A request whose factory is perhaps to be called by another container than the one that was asked.
@usableFromInline
struct CarefulRequest {
    @usableFromInline let activation: Activation

    /// What the factory is given.
    @usableFromInline let builder: any Resolver

    private let asking: ResolutionContext

    /// Decides who builds and keeps.
    @usableFromInline
    init(_ located: LocatedEntry, for resolver: any Resolver) throws(ResolutionError) {
        let entry = located.unmanagedEntry.takeUnretainedValue()
        asking = located.context.takeUnretainedValue()
        var keeper = asking
        var builder = resolver
        if let owner = entry.owner, entry.flags.contains(.owner) {
            keeper = asking.keeper(ofEntriesOf: owner)
            guard keeper === asking || keeper.resolver != nil else {
                throw ResolutionError.report(.containerGone, key: entry.key, in: asking)
            }
        }
        // What a container keeps it builds itself, also when the request came through a decoration of it.
        if !entry.flags.isDisjoint(with: [.owner, .askingContainer]) { builder = keeper.resolver ?? resolver }
        self.builder = builder
        activation = Activation(
            entry: located.unmanagedEntry,
            flags: entry.flags,
            context: Unmanaged.passUnretained(keeper),
            session: located.session,
            isObserved: asking.isObserved,
            isReading: false
        )
        if activation.isObserved { Session.reportPassedOverOverrides(located.session, of: entry, in: asking) }
    }

    /// The storage had an instance.
    @usableFromInline
    func wasAnswered() {
        Session.finishIfIdle(activation.session)
        if activation.isObserved {
            ResolutionEvent.report(.reused, of: activation.entry.takeUnretainedValue(), in: asking)
        }
    }

    /// The factory of an observed request is about to be called.
    @usableFromInline
    func willConstruct() {
        Session.willConstruct(
            activation.session,
            activation.entry.takeUnretainedValue(),
            asking: asking,
            keeper: activation.context.takeUnretainedValue()
        )
    }
}
