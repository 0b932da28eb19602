internal import Synchronization

/// Numbers that are never given out twice in a process: entries, containers and storages are told apart by them,
/// since an address may be used again within one graph.
enum Identity {
    private static let last = Atomic<UInt>(0)

    static func next() -> UInt { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
