/// A session in a wait cycle, and the slot that it waits for, which the next session builds.
struct WaitLink<Session, Slot> {
    let session: Session
    let awaits: Slot
}

extension ConstructionTable {
    /// A cycle of sleeping sessions that leads from a session back to it, in which at least one waits for a construction.
    ///
    /// A cycle of sessions that have all arrived is none: nobody in it waits for another one to build, and they are
    /// released together.
    func waitCycle(through start: Session) -> [WaitLink<Session, Slot>]? {
        var search = WaitCycleSearch(table: self, start: start)
        return search.path(from: start, throughConstruction: false)
    }
}

private struct WaitCycleSearch<Session: Hashable, Slot: Hashable, Label, Failure> {
    private struct Visit: Hashable {
        let session: Session
        let throughConstruction: Bool
    }

    let table: ConstructionTable<Session, Slot, Label, Failure>
    let start: Session
    private var seen: Set<Visit> = []

    init(table: ConstructionTable<Session, Slot, Label, Failure>, start: Session) {
        self.table = table
        self.start = start
    }

    mutating func path(from session: Session, throughConstruction: Bool) -> [WaitLink<Session, Slot>]? {
        var throughConstruction = throughConstruction
        if case .construction = table.waiters[session]?.wait { throughConstruction = true }
        for (slot, builder) in table.awaited(by: session) {
            let link = WaitLink(session: session, awaits: slot)
            if builder == start {
                if throughConstruction { return [link] }
                continue
            }
            guard seen.insert(Visit(session: builder, throughConstruction: throughConstruction)).inserted else {
                continue
            }
            if let rest = path(from: builder, throughConstruction: throughConstruction) { return [link] + rest }
        }
        return nil
    }
}
