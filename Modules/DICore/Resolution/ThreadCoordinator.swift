/// What a container needs that several threads use: a session for each of them, and the decision who builds an instance
/// that they share.
///
/// The resolution algorithm asks it before it builds what a container keeps, and never while it holds a lock of its own.
/// One is handed to ``ResolutionContext/init(for:parent:sharing:registry:coordinator:)``; DIThreadSafe has one that waits for
/// the very instance that is wanted and finds threads that wait for each other.
public protocol ThreadCoordinator: AnyObject, Sendable {
    /// The session of the calling thread, made with ``ResolutionSession/forThread()``.
    var session: ResolutionSession { get }

    /// Decides what becomes of a request for the instance of a place, which has none that everybody may have.
    ///
    /// Returns at once or after having waited for another thread; throws what the other thread's construction threw, or
    /// why it cannot be waited for. A place that is given to the session is noted as such with
    /// ``StoragePlace/setBuilder(_:)``, and stays so until ``settle(_:by:_:)``.
    func claim(
        _ place: StoragePlace,
        for key: ServiceKey,
        by session: ResolutionSession.ID,
        in context: ResolutionContext
    ) throws(ResolutionError) -> PlaceClaim

    /// Ends the claim of a session on a place, after its instance was made known or with why there is none. Does nothing
    /// when the session has no claim.
    func settle(_ place: StoragePlace, by session: ResolutionSession.ID, _ failure: ResolutionError?)

    /// Called when the outermost request of a session that was given unfinished instances has its own instance: returns
    /// when those are complete, or throws why one of them is not.
    func waitForBorrowed(by session: ResolutionSession.ID, in context: ResolutionContext) throws(ResolutionError)

    /// The outermost request of a session that was given unfinished instances has failed.
    func forgetBorrowed(by session: ResolutionSession.ID)
}

/// What a ``ThreadCoordinator`` has decided about a place.
public enum PlaceClaim: Sendable {
    /// The session is to build.
    case build
    /// Another thread has built meanwhile: look again.
    case lookAgain
    /// Another thread is building and its callbacks want what this session builds: take what is there, unfinished.
    case borrow
    /// The threads wait for each other and nothing is there that one could be given: neither what is wanted nor what the
    /// session builds at the place can ever be finished.
    case never(WaitReport, building: StoragePlace)
}
