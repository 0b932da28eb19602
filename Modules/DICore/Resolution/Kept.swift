/// Where an instance was put, so that it can be published or taken out again.
@usableFromInline
enum Kept {
    case nowhere
    case graph(UnsafeMutablePointer<RunningGraph>)
    case cell(InstanceCell, AnyInstanceBox)
    case storage(any InstanceStorage)

    /// Lets everybody see an instance that is complete.
    func publish() {
        if case .cell(let cell, let box) = self { cell.publish(box) }
    }

    /// Takes out an instance that must not be seen any more.
    func revoke(_ key: RecordKey, _ session: UnsafeMutablePointer<Session>) {
        switch self {
        case .nowhere: break
        case .graph(let graph):
            graph.pointee.identifier?.forget(key)
            if graph == session.pointee.graph { graph.pointee.forget(key) }
        case .cell(let cell, let box): cell.take(box)
        case .storage(let storage):
            let instance = storage.instance
            storage.setInstance(nil, inGraph: Session.identifier(session))
            withExtendedLifetime(instance) {}
        }
    }
}
