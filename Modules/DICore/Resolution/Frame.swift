// Unsafe: a frame names its entry and context without retaining them; each field says who does.

/// One factory that is running: an activation of an entry for a container.
///
/// Frames live on the machine stack of the resolve that pushed them and are linked from the innermost outwards, one
/// chain per thread across graphs. They give errors their path and the cycle rule its evidence, for a few stores.
@usableFromInline
struct Frame {
    @usableFromInline let parent: UnsafeMutablePointer<Frame>?

    /// The address of the next frame further out whose entry has the same chain, or zero; see ``Session/chain(_:of:)``.
    @usableFromInline let nextInChain: UInt

    /// Not retained: an entry that is replaced while a frame names it is kept by the session until the chain is empty.
    @usableFromInline let entry: Unmanaged<AnyServiceEntry>

    /// Not retained: the resolver that is being asked holds it.
    @usableFromInline let context: Unmanaged<ResolutionContext>

    /// Where the instance is kept, for an entry that is kept in a storage: decided once, when the request looks for it.
    /// Not retained: the request holds it.
    @usableFromInline let place: Unmanaged<StoragePlace>?

    @usableFromInline var status: Status

    /// The outermost frame whose unfinished instance this activation, or something it was given, may hold.
    @usableFromInline var borrowedFrom: UnsafeMutablePointer<Frame>?

    /// The number of the next provisional instance when the callbacks began; meaningful in that phase alone.
    @usableFromInline var provisionalMark: Int

    @inlinable
    init(
        parent: UnsafeMutablePointer<Frame>?,
        nextInChain: UInt,
        entry: Unmanaged<AnyServiceEntry>,
        context: Unmanaged<ResolutionContext>,
        place: Unmanaged<StoragePlace>?,
        status: Status
    ) {
        self.parent = parent
        self.nextInChain = nextInChain
        self.entry = entry
        self.context = context
        self.place = place
        self.status = status
        self.borrowedFrom = nil
        self.provisionalMark = 0
    }

    /// What has to be looked at before the frame ends; empty in the normal case.
    @usableFromInline
    struct Status: OptionSet {
        @usableFromInline let rawValue: UInt

        @inlinable
        init(rawValue: UInt) { self.rawValue = rawValue }

        /// The same entry was asked for again while this one was being built, and legally so.
        @usableFromInline static var reentered: Status { Status(rawValue: 1) }
        /// Part of a failure that no factory may swallow.
        @usableFromInline static var doomed: Status { Status(rawValue: 2) }
        /// The instance is stored and its callbacks are running.
        @usableFromInline static var completing: Status { Status(rawValue: 4) }
        /// Was given an instance that is not finished; see ``Frame/borrowedFrom``.
        @usableFromInline static var borrowing: Status { Status(rawValue: 8) }
        /// Holds, or may hold, an unfinished instance of another thread.
        @usableFromInline static var borrowingElsewhere: Status { Status(rawValue: 32) }
        /// Is the outermost frame, inside of which an unfinished instance of another thread was taken. It does not end
        /// before that is complete.
        @usableFromInline static var awaitingLoans: Status { Status(rawValue: 256) }
        /// An observer wants to know when it ends.
        @usableFromInline static var observed: Status { Status(rawValue: 16) }
        /// Is in its chain, and not yet found to be allowed.
        @usableFromInline static var pending: Status { Status(rawValue: 128) }
        /// Has claimed its place: it is the outermost activation that builds there, and ends the claim when it ends.
        @usableFromInline static var claimed: Status { Status(rawValue: 64) }
    }

    @inlinable
    var key: RecordKey { RecordKey(entry, for: context) }
}
