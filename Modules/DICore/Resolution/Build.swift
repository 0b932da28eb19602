// Unsafe: entries and contexts are passed on without being retained. Both are held by the resolver that is being asked
// or, when an entry is replaced meanwhile, by the session; see `Frame`. A value that is read as a service was stored by
// the entry that answers, and a key answers for its service type alone.

public import Synchronization

// The resolution algorithm: what happens between finding an entry and giving an instance. There is this one copy of it,
// for every resolver, number of arguments and scope.
//
// `build` is specialised for the service where it is called and never inlined: together with the look-up it would cost
// every hit 45 instructions. What it needs seldom is in functions of its own that stay here.

/// Gives an instance of a located entry that has none published.
@inlinable
@inline(never)
func build<Service, Arguments: RuntimeArguments>(
    _ located: UnsafeLocatedEntry,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Service {
    try buildHere(located, serviceType, arguments, for: resolver)
}

/// The same, where it is called.
@inlinable
@inline(__always)
func buildHere<Service, Arguments: RuntimeArguments>(
    _ located: UnsafeLocatedEntry,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    for resolver: any Resolver
) throws(ResolutionError) -> Service {
    let entry = located.unmanagedEntry
    let flags = entry._withUnsafeGuaranteedRef { $0.flags }
    let session = located.session
    if flags.needsCare || located.needsCloserLook {
        return try buildWithCare(located, serviceType, arguments, for: resolver)
    }
    if flags.contains(.graph), session.pointee.graph.pointee.mayKnowInstances,
        let instance = graphInstance(located, serviceType)
    {
        located.endReading()
        return instance
    }
    return try construct(
        Activation(
            entry: entry,
            flags: flags,
            context: located.context,
            session: session,
            place: nil,
            status: [],
            isReading: located.isReading
        ),
        serviceType,
        arguments,
        with: resolver
    )
}

/// The instance that the running graph has for a request. Apart, since it needs the metadata of the service.
@inlinable
@inline(never)
func graphInstance<Service>(_ located: UnsafeLocatedEntry, _ serviceType: Service.Type) -> Service? {
    // Unsafe: the record was made for this very entry, see `RunningGraph`.
    if let held = recall(located) { return held.assumingMemoryBound(to: Service.self).pointee }
    guard located.session.pointee.graph.pointee.identifier != nil, let instance = remembered(located, serviceType)
    else { return nil }
    // From here on: another thread may leave another one behind meanwhile, and one run gives one.
    keepInGraph(instance, located.key, located.session)
    return instance
}

/// Keeps an instance in the running graph.
@inlinable
@inline(never)
func keepInGraph<Service>(_ instance: Service, _ key: RecordKey, _ session: UnsafeMutablePointer<Session>) {
    session.pointee.graph.pointee.reserve(key, for: Service.self).initialize(to: instance)
}

/// One factory call to be made: for which entry, on behalf of which container.
@usableFromInline
struct Activation {
    @usableFromInline let entry: Unmanaged<AnyServiceEntry>
    @usableFromInline let flags: EntryFlags
    @usableFromInline let context: Unmanaged<ResolutionContext>
    @usableFromInline let session: UnsafeMutablePointer<Session>

    /// Where the instance is kept, and what the frame is from its beginning; see ``Frame``.
    @usableFromInline let place: Unmanaged<StoragePlace>?
    @usableFromInline let status: Frame.Status

    /// Whether the session is in the reading section in which the entry was found, until a frame names it.
    @usableFromInline let isReading: Bool

    @inlinable
    init(
        entry: Unmanaged<AnyServiceEntry>,
        flags: EntryFlags,
        context: Unmanaged<ResolutionContext>,
        session: UnsafeMutablePointer<Session>,
        place: Unmanaged<StoragePlace>?,
        status: Frame.Status,
        isReading: Bool
    ) {
        self.entry = entry
        self.flags = flags
        self.context = context
        self.session = session
        self.place = place
        self.status = status
        self.isReading = isReading
    }

    /// The one that a frame stands for. Made where it is needed: handing it on from the beginning would have every resolve
    /// write it to memory.
    @inlinable
    init(_ frame: UnsafeMutablePointer<Frame>, _ session: UnsafeMutablePointer<Session>, _ flags: EntryFlags) {
        self.init(
            entry: frame.pointee.entry,
            flags: flags,
            context: frame.pointee.context,
            session: session,
            place: frame.pointee.place,
            status: frame.pointee.status,
            isReading: false
        )
    }

    /// Whether an observer wants to know when the activation ends.
    @inlinable var isObserved: Bool { status.contains(.observed) }

    @inlinable
    @inline(__always)
    var key: RecordKey { RecordKey(entry, for: context) }

    /// Notes that the entry has produced an instance, which makes a later change of its scope an error.
    @inlinable
    @inline(__always)
    func markProduced() {
        if !flags.contains(.produced) { noteProduced(entry) }
    }
}

@usableFromInline
func noteProduced(_ entry: Unmanaged<AnyServiceEntry>) {
    entry._withUnsafeGuaranteedRef { $0.insert(.produced) }
}

/// Calls the factory inside a frame, keeps what it makes, and runs the callbacks.
@inlinable
@inline(__always)
func construct<Service, Arguments: RuntimeArguments>(
    _ activation: Activation,
    _ serviceType: Service.Type,
    _ arguments: Arguments,
    with builder: any Resolver
) throws(ResolutionError) -> Service {
    let session = activation.session
    if activation.isReading { pauseReader() }
    let chain = Session.chain(session, of: activation.entry._withUnsafeGuaranteedRef { $0.id })
    let nextInChain = chain.pointee.load(ordering: .relaxed)
    // What is left to do after the factory: nothing at all for a transient one that was made before.
    let rest = (activation.flags.rawValue ^ EntryFlags.produced.rawValue) & EntryFlags.rest
    var frame = Frame(
        parent: session.pointee.top,
        nextInChain: nextInChain,
        entry: activation.entry,
        context: activation.context,
        place: activation.place,
        status: activation.status
    )
    // Not the plain form, which would add a stack protector to each resolve: the pointer goes to our own code alone.
    return try _withUnprotectedUnsafeMutablePointer(to: &frame) { frame throws(ResolutionError) -> Service in
        // Others see by the chain that the entry is in use, so that it may be let out of the reading section now.
        chain.pointee.store(UInt(bitPattern: frame), ordering: .releasing)
        if activation.isReading { session.pointee.leaveSection() }
        if nextInChain != 0 { try checkRepeat(frame, session, activation.flags) }
        session.pointee.top = frame
        let instance: Service
        do {
            instance = try arguments.callFactory(of: activation.entry, as: serviceType, with: builder)
        } catch {
            throw failConstruction(frame, session, activation.flags, error)
        }
        if frame.pointee.status.rawValue | rest != 0 {
            let needsCare = EntryFlags.shared.rawValue | EntryFlags.callbacks.rawValue
            if frame.pointee.status.rawValue | (activation.flags.rawValue & needsCare) != 0 {
                // Also ends the frame.
                return try complete(frame, session, activation.flags, instance, with: builder)
            }
            if activation.flags.contains(.graph), !isBareRoot(frame, session) {
                keepInGraph(instance, frame.pointee.key, session)
            }
            activation.markProduced()
        }
        session.pointee.top = frame.pointee.parent
        chain.pointee.store(nextInChain, ordering: .releasing)
        if activation.isReading, frame.pointee.parent == nil { Session.outermostEnds() }
        let graph = session.pointee.graph
        if graph.pointee.isDirty, frame.pointee.parent == graph.pointee.base { Session.finish(session, graph) }
        return instance
    }
}

/// Whether this is the root of a graph that nobody can ask again, so that its instance need not be kept.
@inlinable
@inline(__always)
func isBareRoot(_ frame: UnsafeMutablePointer<Frame>, _ session: UnsafeMutablePointer<Session>) -> Bool {
    frame.pointee.parent == session.pointee.graph.pointee.base
        && session.pointee.graph.pointee.identifier == nil
}
