import DICore
import Synchronization

/// An instance of a service: what it was made of, and how far it is.
// Unchecked: the subclass adds nothing, and all that is here is constant or behind a lock.
class FuzzItem: @unchecked Sendable {
    let trace: FuzzTrace
    let wrappers = Mutex<[FuzzWrapper]>([])

    init(_ trace: FuzzTrace) {
        self.trace = trace
        trace.round.alive.add(1, ordering: .relaxed)
    }

    deinit {
        trace.round.alive.subtract(1, ordering: .relaxed)
        if let farewell = trace.plan.farewell { trace.round.perform(farewell, inBudget: true) }
    }
}

/// An instance of one service; each has a tag, so that it is a type of its own.
final class FuzzService<Tag>: FuzzItem, @unchecked Sendable {}

/// What is known of an instance, also when it has ended.
final class FuzzTrace: Sendable {
    let round: FuzzRound
    let entry: Int
    let context: Int
    /// The graph that it was built in; nil where that cannot be told.
    let graph: Int?
    let builder: Int

    let isFinished = Atomic<Bool>(false)
    let callbacksBegun = Atomic<Int>(0)
    let parts = Mutex<[FuzzItem]>([])

    init(_ round: FuzzRound, entry: Int, context: Int, graph: Int?, builder: Int) {
        self.round = round
        self.entry = entry
        self.context = context
        self.graph = graph
        self.builder = builder
    }

    /// Tells instances apart in a log.
    var label: String { "\(entry)@\(context)#\(UInt(bitPattern: ObjectIdentifier(self).hashValue) >> 4 & 0xFFFF)" }

    var plan: FuzzProgram.EntryPlan { round.program.entries[entry] }
    var place: FuzzWiring.Place { FuzzWiring.Place(entry: entry, context: context) }

    /// Without it instances that hold each other would stay.
    func part() {
        let parts = parts.withLock { parts in
            defer { parts = [] }
            return parts
        }
        withExtendedLifetime(parts) {}
    }
}

struct FuzzFailure: Error {
    let entry: Int
}
