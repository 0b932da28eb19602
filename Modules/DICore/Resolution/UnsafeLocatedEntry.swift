/// The answer of a container to a key, unchecked and without holding anything: what a ``LocatedEntry`` is for speed.
///
/// Unsafe: it is valid during the request that it was made for, while the container lives, and for the key that it was
/// made for. A resolver that has just been given one by its container may pass it on in
/// ``Resolver/unsafeLocate(unnamed:)``; kept, or given for another key, it makes a request read freed memory or take an
/// instance for one of another type. Nobody has to use it: without it a request asks ``Resolver/locate(_:)``.
@frozen
public struct UnsafeLocatedEntry {
    /// The address of the entry, or zero. The lowest bit asks for a closer look: there is no entry, an observer wants to
    /// know of the resolve, or the entry's own instance is not the one for this container. The next one says that the
    /// session is in a reading section, which the request is to leave; see ``Session/section``. The third one says that
    /// nothing has been looked up; see ``unlocated``.
    @usableFromInline let bits: UInt

    /// The bits of an answer without an entry.
    @usableFromInline static var missing: UInt { 1 }

    /// What runs on the calling thread.
    @usableFromInline let session: UnsafeMutablePointer<Session>

    /// The container that was asked.
    @usableFromInline let context: Unmanaged<ResolutionContext>

    @usableFromInline
    init(bits: UInt, session: UnsafeMutablePointer<Session>, context: Unmanaged<ResolutionContext>) {
        self.bits = bits
        self.session = session
        self.context = context
    }

    /// The answer of a resolver that is to be asked for a ``LocatedEntry``.
    ///
    /// What a resolver gives that has no better one: each request then calls ``Resolver/locate(_:)``.
    // Unsafe: the other words are never looked at; see `isUnlocated`.
    public static var unlocated: UnsafeLocatedEntry {
        UnsafeLocatedEntry(
            bits: missing | 4,
            session: UnsafeMutablePointer(bitPattern: MemoryLayout<Session>.alignment).unsafelyUnwrapped,
            context: .fromOpaque(UnsafeRawPointer(bitPattern: MemoryLayout<Session>.alignment).unsafelyUnwrapped)
        )
    }

    /// Whether the resolver is to be asked for a ``LocatedEntry``. There is no session and no context then.
    public var isUnlocated: Bool { bits & 4 != 0 }

    /// Makes the answer to a request that holds a located entry meanwhile.
    init(_ located: LocatedEntry) {
        if let entry = located.entry {
            self.init(entry, in: located.context)
        } else {
            self.init(
                bits: UnsafeLocatedEntry.missing,
                session: located.context.session,
                context: .passUnretained(located.context)
            )
        }
    }

    /// Makes the answer to a request that holds the entry and the context meanwhile.
    init(_ entry: AnyServiceEntry, in context: ResolutionContext) {
        let session = context.session
        if context.isForThreads { session.pointee.enterSection() }
        self.init(
            bits: Unmanaged.passUnretained(entry).bits | context.closerLookBit | (context.isForThreads ? 2 : 0),
            session: session,
            context: .passUnretained(context)
        )
    }

    /// Whether there is a registration.
    @inlinable
    public var isFound: Bool { bits & ~7 != 0 }

    /// The registration, if there is one.
    @usableFromInline var entry: AnyServiceEntry? { isFound ? AnyServiceEntry.fromBits(bits & ~7) : nil }

    /// What the instance of the request is found by in a graph.
    @inlinable
    var key: RecordKey { RecordKey(unmanagedEntry, for: context) }

    @inlinable
    @inline(__always)
    var needsCloserLook: Bool { bits & 1 != 0 }

    @inlinable
    @inline(__always)
    var isReading: Bool { bits & 2 != 0 }

    /// Ends the reading section that finding the entry has begun, if it has. Only what a frame names, or what is
    /// retained, may be used after that.
    @inlinable
    @inline(__always)
    func endReading() {
        if isReading { session.pointee.leaveSection() }
    }

    /// The bits of the box that every request may have, or zero.
    @inlinable
    @inline(__always)
    var publishedBits: UInt {
        if bits & 1 != 0 { return 0 }
        return unmanagedEntry._withUnsafeGuaranteedRef { $0.publishedBits }
    }

    /// A copy of the instance in a published box. To be called while the resolver is sure to live.
    @inlinable
    @inline(__always)
    func read<Service>(_ published: UInt) -> Service {
        pauseReader()
        let instance = InstanceBox<Service>.read(published)
        endReading()
        return instance
    }

    /// Only when found.
    @inlinable
    @inline(__always)
    var unmanagedEntry: Unmanaged<AnyServiceEntry> {
        // Unsafe: the bits are the address of an entry that the resolver holds for the duration of the request.
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: bits & ~7).unsafelyUnwrapped)
    }

    /// The same answer for a request that takes the slow path.
    var onSlowPath: UnsafeLocatedEntry { UnsafeLocatedEntry(bits: bits | 1, session: session, context: context) }

    /// The registration, for somebody who does not resolve it.
    func takeEntry() -> AnyServiceEntry? {
        defer { endReading() }
        return entry
    }

    /// The same request for another registration, which the caller holds.
    func with(_ entry: AnyServiceEntry) -> UnsafeLocatedEntry {
        let context = context.takeUnretainedValue()
        if context.isForThreads { session.pointee.enterSection() }
        return UnsafeLocatedEntry(
            bits: Unmanaged.passUnretained(entry).bits | context.closerLookBit | (context.isForThreads ? 2 : 0),
            session: session,
            context: self.context
        )
    }
}
