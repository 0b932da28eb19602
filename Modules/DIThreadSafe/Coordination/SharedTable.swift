internal import DICore

/// The one ``ConstructionTable`` of the process behind its lock, with a condition variable for each thread that sleeps.
enum SharedTable {
    typealias Table = ConstructionTable<ResolutionSession.ID, Slot, ServiceKey, ResolutionError>

    /// A place for an instance, told apart by its identity.
    struct Slot: Hashable, Sendable {
        let place: StoragePlace

        static func == (left: Slot, right: Slot) -> Bool { left.place === right.place }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(place)) }
    }

    private struct State {
        var table = Table()
        var conditions: [ResolutionSession.ID: Condition] = [:]
    }

    private static let state = ConditionLock(State())

    /// Carries out one step, and wakes the threads for which it made a decision.
    static func step<Result>(_ body: (inout Table) -> Result) -> Result {
        let (result, dropped) = state.withLock { state in
            let result = body(&state.table)
            for session in state.table.takeDecided() { state.conditions[session]?.signal() }
            return (result, state.table.takeDropped())
        }
        withExtendedLifetime(dropped) {}
        return result
    }

    /// Sleeps until there is a decision for the session, or until a time is over.
    static func decision(for session: ResolutionSession.ID, within time: Duration?) -> Table.Decision? {
        let condition = Condition()
        state.withLock { $0.conditions[session] = condition }
        state.sleep(at: condition, for: time) { !$0.table.hasDecision(for: session) }
        return state.withLock { state in
            state.conditions[session] = nil
            return state.table.takeDecision(of: session)
        }
    }
}

extension WaitReport {
    init(_ parties: [SharedTable.Table.Party]) {
        self.init(parties: parties.map { Party(holds: $0.holds, wants: $0.wants) })
    }
}
