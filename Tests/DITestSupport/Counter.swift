internal import Synchronization

/// Counts from any thread.
public final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    public init() {}

    public var value: Int { count.load(ordering: .sequentiallyConsistent) }

    /// Adds one and gives the sum.
    @discardableResult
    public func add() -> Int {
        count.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
    }
}

/// Collects what happens in the order in which it does, from any thread.
public final class Journal<Entry: Sendable>: Sendable {
    private let list = Mutex<[Entry]>([])

    public init() {}

    public var entries: [Entry] { list.withLock { $0 } }

    public func add(_ entry: Entry) {
        list.withLock { $0.append(entry) }
    }
}
