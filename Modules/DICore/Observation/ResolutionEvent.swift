/// What an observer is told: an inert value that says what happened, to which key, and on which path.
public struct ResolutionEvent: Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// A registration was added.
        case registered
        /// A registration was added in place of one that was written at the given location.
        case replaced(SourceLocation)
        /// A registration was removed.
        case removed
        /// A request begins to be built; ``created`` or ``aborted`` ends it.
        case began
        /// A factory has made an instance, and its callbacks have run.
        case created
        /// Nothing came of a request that began to be built; ``failed(_:)`` has told why.
        case aborted
        /// A request was answered with an instance that was there already.
        case reused
        /// Something was made that asks for the service later, such as a `Lazy`. Whether and when it does is not told here.
        case deferred
        /// A request has failed. Told once, where the failure starts.
        case failed(ResolutionError)
        /// The instances of a scope were dropped.
        case scopeReset(String)
        /// A service that a parent keeps was built from the parent's registrations, past one of the child that asked
        /// for it, which was written at the given location.
        case overridePassedOver(SourceLocation)
        /// A request has been waiting for an instance that another thread builds for longer than expected.
        case waiting(WaitReport)
    }

    /// What happened.
    public let kind: Kind

    /// The key that it happened to; nil for the reset of a scope.
    public let key: ServiceKey?

    /// Where the registration was written.
    public let location: SourceLocation?

    /// The scope of the registration in words.
    public let scope: String?

    /// The keys of what is running, outermost first, ending with what asked. Its length is the depth.
    public let path: [ServiceKey]

    /// The location of the registration of the last one on the path, which tells those of a container and its parents apart.
    public let requesterLocation: SourceLocation?

    /// Whether it was a callback of the last one on the path that asked, not its factory.
    public let isFromCallback: Bool

    /// Where it happened: the events of one session come one after the other. A tree of plain containers has one session, a
    /// container that several threads use one for each thread.
    public let session: ResolutionSession.ID

    /// How long the factory and the callbacks took, for ``Kind/created`` and ``Kind/aborted`` when the observer asks for
    /// ``ResolutionInterests/durations``.
    public private(set) var duration: Duration?

    var withoutDuration: ResolutionEvent {
        var event = self
        event.duration = nil
        return event
    }
}
