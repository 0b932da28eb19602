/// Where an instance was put, so that it can be published or taken out again.
@usableFromInline
enum Kept {
    case nowhere
    /// An instance in a graph that runs.
    case graph(UnsafeMutablePointer<RunningGraph>, UnsafeMutableRawPointer)
    /// An object of a graph that has ended, to be found through its identifier when it is complete.
    case ended(GraphIdentifier, AnyObject)
    /// A box in the cell of a place, the boxes that it has replaced there, and its name if threads may borrow it.
    case cell(StoragePlace, InstanceCell, AnyInstanceBox, replaced: [AnyInstanceBox], UnfinishedInstance?)
    /// An instance in the storage of a place, which of those put in there it is, the object if it is one, what it has replaced,
    /// and its name if threads may borrow it.
    case storage(StoragePlace, number: UInt, AnyObject?, replaced: Any?, UnfinishedInstance?)

    /// The place, where it is not the graph.
    var place: StoragePlace? {
        switch self {
        case .cell(let place, _, _, _, _), .storage(let place, _, _, _, _): place
        case .nowhere, .graph, .ended: nil
        }
    }

    /// The name by which threads may have borrowed the instance.
    var unfinished: UnfinishedInstance? {
        switch self {
        case .cell(_, _, _, _, let unfinished), .storage(_, _, _, _, let unfinished): unfinished
        case .nowhere, .graph, .ended: nil
        }
    }

    /// Lets everybody see an instance that is complete.
    func publish(_ key: RecordKey, _ released: inout ReleasedObjects) {
        switch self {
        case .nowhere, .graph: break
        case .ended(let identifier, let object): if key.outlivesGraph { identifier.keepInMind([(key, object)]) }
        case .cell(_, let cell, let box, let replaced, _):
            for box in replaced { released.append(box, from: cell) }
            cell.publish(box, &released)
        case .storage(_, _, _, let replaced, _): released.append(replaced)
        }
    }

    /// Takes out an instance that must not be seen any more, and says so to the threads that have borrowed it.
    func revoke(
        _ session: UnsafeMutablePointer<Session>,
        _ context: ResolutionContext,
        _ failure: ResolutionError,
        _ released: inout ReleasedObjects
    ) {
        takeOut(session, &released)
        if let unfinished { context.coordinator?.revoked(unfinished, failure) }
    }

    private func takeOut(_ session: UnsafeMutablePointer<Session>, _ released: inout ReleasedObjects) {
        switch self {
        case .nowhere, .ended: break
        case .graph(let graph, let instance): graph.pointee.forget(instance)
        case .cell(_, let cell, let box, let replaced, _):
            for box in replaced { released.append(box, from: cell) }
            cell.take(box, &released)
        case .storage(let place, let number, let object, let replaced, _):
            released.append(replaced)
            let identifier = Session.identifier(session)
            let instance = place.withStorage(session) { storage -> Any? in
                guard place.isNewest(number) else {
                    // Another activation has put in another one since, maybe in another graph.
                    if let object { session.pointee.graph.pointee.forgetStored(object) }
                    return nil
                }
                let instance = storage.instance
                storage.setInstance(nil, inGraph: identifier)
                return instance
            }
            released.append(instance)
        }
    }
}

/// What the end of a frame lets go of, held until the frame is popped and its claims are settled: releasing it may run any
/// code.
@usableFromInline
struct ReleasedObjects {
    private var cells: [(cell: InstanceCell, box: AnyInstanceBox)] = []
    private var others: [Any] = []

    @usableFromInline init() {}

    /// A box that was taken out of a cell, which threads may be reading.
    mutating func append(_ box: AnyInstanceBox, from cell: InstanceCell) {
        cells.append((cell, box))
    }

    mutating func append(_ other: Any?) {
        if let other { others.append(other) }
    }

    var isEmpty: Bool { cells.isEmpty && others.isEmpty }

    /// Releases all of it. Nothing of the framework's is being changed here.
    mutating func release() {
        for (cell, box) in cells { cell.retire(box) }
        cells = []
        others = []
    }
}
