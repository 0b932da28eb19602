// Unsafe: entries and contexts are passed on without being retained. Both are held by the resolver that is being asked
// or, when an entry is replaced meanwhile, by the session; see `Frame`. A value that is read as a service was stored by
// the entry that answers, and a key answers for its service type alone.

/// A request that takes the slow path, up to the call of the factory: who builds and keeps, what there is already, and,
/// where threads share the container, the claim of the place.
@usableFromInline
struct CarefulRequest {
    /// What there is; nothing when the factory is to be called.
    @usableFromInline let found: Found

    @usableFromInline let activation: Activation

    /// What the factory is given.
    @usableFromInline let builder: any Resolver

    private let asking: ResolutionContext

    /// Held for the frame, which names it without retaining it.
    private let place: StoragePlace?

    /// Held for what replaces the entry before there is a frame that names it: an observer, or a deinit in a storage.
    private let entry: AnyServiceEntry

    @usableFromInline
    init(_ located: UnsafeLocatedEntry, for resolver: any Resolver) throws(ResolutionError) {
        let entry = located.unmanagedEntry.takeUnretainedValue()
        asking = located.context.takeUnretainedValue()
        var keeper = asking
        var builder = resolver
        if entry.flags.contains(.owner), !entry.belongs(to: asking) {
            guard let found = asking.keeper(of: entry), found === asking || found.resolver != nil else {
                throw ResolutionError.report(.containerGone, key: entry.key, in: asking)
            }
            keeper = found
        }
        // What a container keeps it builds itself, also when the request came through a decoration of it.
        if !entry.flags.isDisjoint(with: [.owner, .askingContainer]) { builder = keeper.resolver ?? resolver }
        self.builder = builder
        let isObserved = asking.isObserved
        self.entry = entry
        if isObserved { Session.reportPassedOverOverrides(located.session, of: entry, in: asking) }
        let lookup = try lookUp(
            Activation(
                entry: located.unmanagedEntry,
                flags: entry.flags,
                context: Unmanaged.passUnretained(keeper),
                session: located.session,
                place: nil,
                status: isObserved ? .observed : [],
                isReading: false
            )
        )
        place = lookup.place
        activation = lookup.activation
        found =
            isObserved && lookup.found.isNothing
            ? CarefulRequest.begin(activation, entry, asking: asking, keeper: keeper) : lookup.found
    }

    /// Tells observers that an instance is about to be built. Gives what there is then: an observer may have resolved the
    /// same service, and then nothing is built here.
    private static func begin(
        _ activation: Activation,
        _ entry: AnyServiceEntry,
        asking: ResolutionContext,
        keeper: ResolutionContext
    ) -> Found {
        Session.willConstruct(activation.session, entry, asking: asking, keeper: keeper)
        let found = find(activation)
        if !found.isNothing {
            if activation.status.contains(.claimed), let place = activation.place?.takeUnretainedValue() {
                Session.endClaim(activation.session, of: place, keeper, nil)
            }
            Session.constructionEnds(activation.session, .aborted, entry, keeper)
        }
        return found
    }

    /// The storage had an instance.
    @usableFromInline
    func wasAnswered() {
        Session.finishIfIdle(activation.session)
        if activation.isObserved {
            ResolutionEvent.report(.reused, of: activation.entry.takeUnretainedValue(), in: asking)
        }
    }

    /// The request is over, and what it held may go.
    @usableFromInline
    func end() {
        withExtendedLifetime(self) {}
    }
}
