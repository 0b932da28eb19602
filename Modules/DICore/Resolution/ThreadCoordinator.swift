/// Decides which thread builds an instance that several share, for a container that several threads use.
///
/// The resolution algorithm asks it before it builds what a container keeps, and never while it holds a lock of its own.
/// One is handed to a `ResolutionContext` when it is made; DIThreadSafe has one that waits
/// for the very instance that is wanted and finds threads that wait for each other.
///
/// A claim belongs to the request that made it, from ``claim(_:for:by:terms:in:)`` until
/// ``settle(_:by:with:_:isOwn:)``: requests for the same place that the session makes meanwhile claim nothing.
public protocol ThreadCoordinator: AnyObject, Sendable {
    /// Decides what becomes of a request for the instance of a place, which has none that everybody may have. The session
    /// has no claim on the place.
    ///
    /// Returns at once or after a wait for another thread; throws the error of the other thread's construction, or the
    /// reason why it cannot be waited for.
    ///
    /// `terms` says what the session can be given. Unless that is ``WaitTerms/unfinished``, the answer must not be
    /// ``PlaceClaim/borrow``.
    func claim(
        _ place: StoragePlace,
        for key: ServiceKey,
        by session: ResolutionSession.ID,
        terms: WaitTerms,
        in context: ResolutionContext
    ) throws(ResolutionError) -> PlaceClaim

    /// Records that the session is about to store an instance in its place that is not finished, and returns the name of
    /// that instance. What was stored there before can be borrowed no more.
    func willStore(in place: StoragePlace, by session: ResolutionSession.ID) -> UnfinishedInstance

    /// Records that an unfinished instance is stored, so that it can be borrowed.
    func stored(_ instance: UnfinishedInstance)

    /// Records that the session's request has its instance, and that the claim goes on until another one is complete on which
    /// that depends.
    func provisional(_ place: StoragePlace, by session: ResolutionSession.ID)

    /// Records that an instance in the session's place is finished although its claim goes on: a request inside of the
    /// claim's own has built it. `instance` is its name, if it was stored unfinished.
    func published(_ instance: UnfinishedInstance?, in place: StoragePlace, by session: ResolutionSession.ID)

    /// Records that an unfinished instance was taken out because of a failure, whether or not a claim ends with it.
    func revoked(_ instance: UnfinishedInstance, _ failure: ResolutionError)

    /// Ends the claim of a session on a place, after its instance was published or with the reason why there is none. Does
    /// nothing when the session has no claim.
    ///
    /// `instance` is the name of the one that was published, if it was stored unfinished.
    ///
    /// `isOwn` says whether the failure is that of the service, whoever asks for it. If not, its cause is in what else the
    /// session builds, and threads that wait try for themselves.
    func settle(
        _ place: StoragePlace,
        by session: ResolutionSession.ID,
        with instance: UnfinishedInstance?,
        _ failure: ResolutionError?,
        isOwn: Bool
    )

    /// Records whether the session has found an unfinished instance after ``PlaceClaim/borrow``. Returns the name of the
    /// instance, or nil when it is not the one that was lent: then the session must ask again.
    func borrowed(_ place: StoragePlace, by session: ResolutionSession.ID, wasFound: Bool) -> UnfinishedInstance?

    /// Returns when the unfinished instances that the session was given are complete, or when some of them were revoked:
    /// those are returned, and the others waited for by another call. Called when the session's outermost request is
    /// complete but for them; throws the reason why it cannot wait.
    func waitForBorrowed(
        by session: ResolutionSession.ID,
        for key: ServiceKey,
        in context: ResolutionContext
    ) throws(ResolutionError) -> [FailedLoan]

    /// Records that the outermost request of a session that was given unfinished instances is over.
    func forgetBorrowed(by session: ResolutionSession.ID)
}

/// The name of an instance whose callbacks have not finished, or that depends on one.
///
/// A place may have several in the course of one claim: requests inside of the claim's own build there too, and a reset
/// takes instances out. Each comes to its own end.
public struct UnfinishedInstance: Hashable, Sendable {
    /// The place that the instance was stored in.
    public let place: StoragePlace

    /// A number that no other instance of the coordinator has.
    public let number: UInt

    /// Creates a name for a coordinator to return.
    public init(in place: StoragePlace, number: UInt) {
        self.place = place
        self.number = number
    }

    /// Returns whether two names are those of one instance.
    public static func == (left: UnfinishedInstance, right: UnfinishedInstance) -> Bool {
        left.number == right.number && left.place === right.place
    }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// What a request that waits for another thread's construction can be given.
public enum WaitTerms: Hashable, Sendable {
    /// An unfinished instance will do: a request around this one waits for the rest before it returns anything.
    case unfinished

    /// Only a finished instance will do.
    case finished

    /// Only a finished instance will do, and the request is that of an observer or a deinit inside of another one. Where the
    /// threads wait for each other for ever, it is the one that fails.
    case finishedAside
}

/// An unfinished instance that was revoked after a session was given it.
public struct FailedLoan: Sendable {
    /// The instance.
    public let instance: UnfinishedInstance

    /// The failure of its construction.
    public let error: ResolutionError

    /// Creates a value for a coordinator to return.
    public init(of instance: UnfinishedInstance, error: ResolutionError) {
        self.instance = instance
        self.error = error
    }
}

/// The decision of a ``ThreadCoordinator`` about a place.
public enum PlaceClaim: Sendable {
    /// The session is to build.
    case build
    /// Another thread has built meanwhile: look again.
    case lookAgain
    /// Another thread has stored an unfinished instance and its callbacks wait for this session: take that instance.
    case borrow
    /// The threads wait for each other and nothing is stored that one could be given: neither what is wanted nor what the
    /// session builds at the place can ever be finished.
    case never(WaitReport, building: StoragePlace)
}
