/// Where an instance was put, so that it can be published or taken out again.
@usableFromInline
enum Kept {
    case nowhere
    case graph(UnsafeMutablePointer<RunningGraph>)
    case cell(StoragePlace, InstanceCell, AnyInstanceBox)
    case storage(StoragePlace)

    /// The place, where it is not the graph.
    var place: StoragePlace? {
        switch self {
        case .cell(let place, _, _), .storage(let place): place
        case .nowhere, .graph: nil
        }
    }

    /// Lets everybody see an instance that is complete.
    func publish() {
        if case .cell(_, let cell, let box) = self { cell.publish(box) }
    }

    /// Takes out an instance that must not be seen any more.
    func revoke(_ key: RecordKey, _ session: UnsafeMutablePointer<Session>) {
        switch self {
        case .nowhere: break
        case .graph(let graph):
            graph.pointee.identifier?.forget(key)
            if graph == session.pointee.graph { graph.pointee.forget(key) }
        case .cell(_, let cell, let box): cell.take(box)
        case .storage(let place):
            let identifier = Session.identifier(session)
            let instance = place.withStorage(session) { storage in
                let instance = storage.instance
                storage.setInstance(nil, inGraph: identifier)
                return instance
            }
            withExtendedLifetime(instance) {}
        }
    }
}
