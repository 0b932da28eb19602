internal import Synchronization

// Unsafe: entries and contexts are passed on without being retained. Both are held by the resolver that is being asked
// or, when an entry is replaced meanwhile, by the session; see `Frame`. A value that is read as a service was stored by
// the entry that answers, and a key answers for its service type alone.

// Asks the storage of an entry for what it has.

/// The address of the instance that the running graph holds for a request, if it holds one.
@usableFromInline
func recall(_ located: UnsafeLocatedEntry) -> UnsafeMutableRawPointer? {
    let session = located.session
    let key = located.key
    guard let held = session.pointee.graph.pointee.recall(key) else { return nil }
    if Session.chain(session, of: key.entry).pointee.load(ordering: .relaxed) != 0 || session.pointee.hasProvisional {
        Session.noteBorrowing(session, of: key)
    }
    Session.noteSharing(session, of: key)
    return held
}

/// The instance that an earlier run of the graph has left, while somebody holds it.
@usableFromInline
func remembered<Service>(_ located: UnsafeLocatedEntry, _ serviceType: Service.Type) -> Service? {
    guard let object = located.session.pointee.graph.pointee.identifier?.remember(located.key) else { return nil }
    Session.noteSharing(located.session, of: located.key)
    return object as? Service
}

/// What a storage has given, as the service.
@inlinable
@inline(__always)
func typed<Service>(
    _ found: Found,
    _ activation: Activation,
    _ serviceType: Service.Type
) throws(ResolutionError) -> Service? {
    switch found {
    case .nothing: return nil
    case .record(let address): return address.assumingMemoryBound(to: Service.self).pointee
    case .box(let box): return unsafeDowncast(box, to: InstanceBox<Service>.self).value
    case .remembered(let object):
        guard let instance = object as? Service else { return nil }
        keepInGraph(instance, activation.key, activation.session)
        return instance
    case .value(let value):
        if let instance = value as? Service { return instance }
        throw mismatch(activation, value)
    }
}

/// What a storage has given.
@usableFromInline
enum Found {
    case nothing
    /// The address of an instance of the service, in the running graph.
    case record(UnsafeMutableRawPointer)
    /// A box of an instance of the service.
    case box(AnyInstanceBox)
    /// An object that an earlier run of the graph has left.
    case remembered(AnyObject)
    /// A value of whatever type.
    case value(Any)
}

/// Asks the entry's storage for what it has for the running graph.
@usableFromInline
func find(_ activation: Activation) -> Found {
    let session = activation.session
    if activation.flags.contains(.graph) {
        let graph = session.pointee.graph
        if let address = graph.pointee.recall(activation.key) {
            Session.noteBorrowing(session, of: activation.key)
            Session.noteSharing(session, of: activation.key)
            return .record(address)
        }
        guard let object = graph.pointee.identifier?.remember(activation.key) else { return .nothing }
        Session.noteSharing(session, of: activation.key)
        return .remembered(object)
    }
    guard let place = activation.place?.takeUnretainedValue() else { return .nothing }
    return find(activation, in: place)
}

/// Asks a place that is this session's, or nobody else's, for what it has for the running graph.
func find(_ activation: Activation, in place: StoragePlace) -> Found {
    let session = activation.session
    let found: Found
    if let cell = place.cell {
        guard let box = cell.box(session) else { return .nothing }
        found = Found(box)
    } else {
        let identifier = Session.identifier(session)
        guard let instance = place.withStorage(session, { $0.instance(inGraph: identifier) }) else { return .nothing }
        found = .value(instance)
    }
    Session.noteBorrowing(session, of: activation.key)
    return found
}

extension Found {
    @usableFromInline var isNothing: Bool {
        if case .nothing = self { true } else { false }
    }

    init(_ box: AnyInstanceBox) {
        self = box is ForeignBox ? .value(box.anyValue) : .box(box)
    }
}

/// The error of a storage that has something else than the service.
@usableFromInline
func mismatch(_ activation: Activation, _ value: Any) -> ResolutionError {
    Session.finishIfIdle(activation.session)
    let entry = activation.entry.takeUnretainedValue()
    return ResolutionError.report(
        .typeMismatch,
        key: entry.key,
        detail: "its storage holds \(TypeName.short(type(of: value)))",
        near: [entry],
        in: activation.context.takeUnretainedValue()
    )
}
