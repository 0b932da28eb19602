public import Synchronization

/// The answer of a ``Resolver`` to a key: the registration, the container that was asked, and what is running there.
///
/// Opaque and valid for the duration of the request. A resolver makes one from an entry that it holds, or passes one on
/// from another resolver; one made with a nil entry says that there is no such registration.
@frozen
public struct LocatedEntry {
    /// The address of the entry, or zero. The low bit asks for a closer look: an observer wants to know of the resolve,
    /// or the entry's own instance is not the one for this container.
    @usableFromInline let bits: UInt

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
        if let entry, entry.owner == nil { entry.owner = context }
        self.init(
            bits: entry.map { Unmanaged.passUnretained($0).bits | context.closerLookBit } ?? 0,
            session: memory,
            context: Unmanaged.passUnretained(context)
        )
    }

    /// Whether there is a registration.
    @inlinable
    public var isFound: Bool { bits & ~1 != 0 }

    /// The registration, if there is one.
    public var entry: AnyServiceEntry? { isFound ? AnyServiceEntry.fromBits(bits & ~1) : nil }

    @inlinable
    @inline(__always)
    var needsCloserLook: Bool { bits & 1 != 0 }

    /// The bits of the box that every request may have, or zero.
    @inlinable
    @inline(__always)
    var publishedBits: UInt {
        if bits & 1 != 0 || bits == 0 { return 0 }
        return unmanagedEntry._withUnsafeGuaranteedRef { $0.cell.ready.load(ordering: .acquiring) }
    }

    /// Only when found.
    @inlinable
    @inline(__always)
    var unmanagedEntry: Unmanaged<AnyServiceEntry> {
        // Unsafe: the bits are the address of an entry that the resolver holds for the duration of the request.
        Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: bits & ~1).unsafelyUnwrapped)
    }

    /// The same request for another registration.
    func with(_ entry: AnyServiceEntry) -> LocatedEntry {
        LocatedEntry(
            bits: Unmanaged.passUnretained(entry).bits | (context._withUnsafeGuaranteedRef { $0.closerLookBit }),
            session: session,
            context: context
        )
    }
}

extension ResolutionContext {
    /// The low bit for an entry that may belong to another container.
    var closerLookBit: UInt {
        hasPrivateParents || session.memory.pointee.resolutionObservers != 0 ? 1 : 0
    }
}
