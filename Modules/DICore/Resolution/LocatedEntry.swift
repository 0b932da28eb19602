/// The answer of a ``Resolver`` to a key: the registration, the container that was asked, and what is running there.
///
/// Opaque and valid for the duration of the request. A resolver makes one from an entry that it holds, or passes one on
/// from another resolver; one made with a nil entry says that there is no such registration.
@frozen
public struct LocatedEntry {
    /// The address of the entry, or zero. The lowest bit asks for a closer look: there is no entry, an observer wants to
    /// know of the resolve, or the entry's own instance is not the one for this container. The next one says that the
    /// session is in a reading section, which the request is to leave; see ``Session/section``.
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

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - entry: the registration, or nil when there is none. The resolver keeps it alive, and says so to
    ///     ``ResolutionContext/retire(_:)`` when it does so no longer. Belongs to the first context that it is given.
    ///   - context: that of the resolver that is asked.
    ///   - session: what runs on the calling thread; without one, what the context runs.
    public init(_ entry: AnyServiceEntry?, context: ResolutionContext, session: ResolutionSession? = nil) {
        let memory = (session ?? context.session).memory
        if let entry, entry.owner == nil { entry.setOwner(context) }
        self.init(
            bits: entry.map { Unmanaged.passUnretained($0).bits | context.closerLookBit } ?? LocatedEntry.missing,
            session: memory,
            context: Unmanaged.passUnretained(context)
        )
    }

    /// Whether there is a registration.
    @inlinable
    public var isFound: Bool { bits & ~3 != 0 }

    /// The registration, if there is one.
    public var entry: AnyServiceEntry? { isFound ? AnyServiceEntry.fromBits(bits & ~3) : nil }

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
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: bits & ~3).unsafelyUnwrapped)
    }

    /// The same answer for a view behind the gate of the container tree: what is not built yet is built inside the gate.
    public func behindGate() -> LocatedEntry {
        isFound && publishedBits == 0 ? LocatedEntry(bits: bits | 1, session: session, context: context) : self
    }

    /// The registration, for somebody who does not resolve it.
    func takeEntry() -> AnyServiceEntry? {
        defer { endReading() }
        return entry
    }

    /// The same request for another registration, which the caller holds.
    func with(_ entry: AnyServiceEntry) -> LocatedEntry {
        let context = context.takeUnretainedValue()
        if context.isForThreads { session.pointee.enterSection() }
        return LocatedEntry(
            bits: Unmanaged.passUnretained(entry).bits | context.closerLookBit | (context.isForThreads ? 2 : 0),
            session: session,
            context: self.context
        )
    }
}
