internal import DICore

/// An instance that a thread is building and others may wait for.
final class Construction {
    let place: StoragePlace
    let key: ServiceKey
    let builder: ResolutionSession.ID

    /// Later ones have greater numbers.
    let number: UInt

    /// What became of it; nil while it is being built.
    var outcome: Outcome?

    enum Outcome {
        case finished
        case failed(ResolutionError)
    }

    init(_ place: StoragePlace, _ key: ServiceKey, by builder: ResolutionSession.ID, number: UInt) {
        self.place = place
        self.key = key
        self.builder = builder
        self.number = number
    }
}

/// A thread that waits, or that was given what another one has not finished.
final class Waiter {
    let session: ResolutionSession.ID
    let bed: WaitingRoom.Bed

    /// What it wants and is waiting for.
    var wants: Construction?

    /// Somebody has found that what it wants cannot be finished without it: it is to take it as it is.
    var mayBorrow = false

    /// Somebody has found that what it wants can never be finished.
    var deadlock: Deadlock?

    /// What it was given unfinished in its outermost request.
    var borrowed: [Construction] = []

    /// Whether its outermost request is done but for what it has borrowed.
    var hasArrived = false

    /// Whether all that it has borrowed, directly or through others, has arrived as well.
    var isReleased = false

    init(_ session: ResolutionSession.ID, _ room: WaitingRoom) {
        self.session = session
        bed = WaitingRoom.Bed(room)
    }

    /// The part of one thread in a loop that nobody can break.
    struct Deadlock {
        let report: WaitReport
        /// What it is building, for which the one before it in the loop waits.
        let held: StoragePlace
    }

    /// What it cannot go on without.
    var awaited: [Construction] {
        if let wants { return [wants] }
        guard hasArrived, !isReleased else { return [] }
        return borrowed.filter { $0.outcome == nil }
    }
}
