/// What an instance in a running graph is found by: the entry and the container that asked.
///
/// The container is part of it so that what was built for a child is never found by what its owner builds.
@usableFromInline
struct RecordKey: Hashable, Sendable {
    /// The identity of the entry or, for a storage that keeps in the graph on its own behalf, of the storage.
    @usableFromInline let entry: UInt

    /// The identity of the asking container, or zero for a storage.
    @usableFromInline let context: UInt

    @inlinable
    init(entry: UInt, context: UInt) {
        self.entry = entry
        self.context = context
    }

    /// That of an entry for the container that asks.
    @inlinable
    @inline(__always)
    init(_ entry: Unmanaged<AnyServiceEntry>, for context: Unmanaged<ResolutionContext>) {
        // Unsafe: who asks holds both.
        self.init(
            entry: entry._withUnsafeGuaranteedRef { $0.id },
            context: context._withUnsafeGuaranteedRef { $0.id }
        )
    }

    init(storage: GraphStorage) {
        self.init(entry: storage.id, context: 0)
    }

    /// The bit of an identity that marks an entry whose instances threads must not share, and a container that several
    /// threads use.
    static var mark: UInt { 1 << (UInt.bitWidth - 1) }

    /// Whether the container that asked is one that several threads use.
    var isForThreads: Bool { context & RecordKey.mark != 0 }

    /// Whether the instance may be found again when its graph is over, which may be on another thread.
    var outlivesGraph: Bool { entry & context & RecordKey.mark == 0 }
}
