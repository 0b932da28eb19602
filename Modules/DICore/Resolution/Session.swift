// Unsafe: what runs lives behind a raw pointer, because a class property that other modules read is checked for
// exclusive access at each use. The memory is confined to one thread and freed by `ResolutionSession`, which the
// container holds; pointers to frames are valid because a frame is popped before its function returns.

public import Synchronization

/// What one thread of control is resolving: the chain of frames and the running graph.
@usableFromInline
struct Session: ~Copyable {
    /// The innermost frame.
    @usableFromInline var top: UnsafeMutablePointer<Frame>?

    /// The running graph or, while nothing runs, the one that the next resolve will use.
    @usableFromInline var graph: UnsafeMutablePointer<RunningGraph>

    /// Odd while this thread is between finding an entry and either having a frame that names it or having copied its
    /// instance. What is taken out of a registry or a cell meanwhile is not freed; see ``Reclamation``.
    @usableFromInline let section = Atomic<UInt>(0)

    /// The section that somebody has waited for in vain.
    let stuckSection = Atomic<UInt>(0)

    /// Whether some instance is stored whose cycle is not complete; see ``Provisional``.
    @usableFromInline var hasProvisional = false

    /// The failures that doom frames, each while it travels to the frame where it ends.
    var verdicts: [Verdict] = []

    /// Instances that are stored and whose cycle is not complete.
    var provisional: [Provisional] = []

    /// Entries that were replaced while a frame named them.
    var limbo: [AnyServiceEntry] = []

    /// The constructions that an observer follows, innermost last.
    var observed: [ObservedConstruction] = []

    /// The observers that are being told of something, which are not told of what they cause.
    var observing: [ObserverSlot] = []

    /// The place whose storage is being asked. Not retained: who asks holds it.
    var inside: Unmanaged<StoragePlace>?

    /// The lock of the views that let several threads use a plain container.
    var gate: (any SessionGate)?

    /// The graph that resolves use when none was opened by hand.
    let main: UnsafeMutablePointer<RunningGraph>

    /// An identifier that nobody else has and that stands for no graph.
    var spareIdentifier: GraphIdentifier?

    private var spare: UnsafeMutablePointer<RunningGraph>?

    @usableFromInline static var counters: UInt { 128 }

    struct Verdict {
        let error: ResolutionError
        /// The outermost frame that fails.
        let last: UnsafeMutablePointer<Frame>
    }

    /// An instance that holds, or may hold, one whose callbacks have not finished. If those fail it must go too.
    struct Provisional {
        let entry: AnyServiceEntry
        let context: ResolutionContext
        let kept: Kept
        /// The frame on whose success it depends.
        var root: UnsafeMutablePointer<Frame>
    }

    /// Makes the state of a session that lies at the given address.
    init(at address: UnsafeMutablePointer<Session>) {
        main = .allocate(capacity: 1)
        main.initialize(to: RunningGraph(session: address))
        graph = main
    }

    mutating func free() {
        while let graph = spare {
            spare = graph.pointee.nextSpare
            Session.free(graph)
        }
        Session.free(main)
    }

    private static func free(_ graph: UnsafeMutablePointer<RunningGraph>) {
        graph.pointee.free()
        graph.deinitialize(count: 1)
        graph.deallocate()
    }

    /// How many frames there are for the entries that share a counter. Zero means that an entry is not being built,
    /// which settles the cycle rule in nearly every case.
    ///
    /// Atomic because it also says to other threads which replaced entries must not be freed yet. The counters lie behind
    /// the session, where their address is known without a look into it.
    @inlinable
    @inline(__always)
    static func counter(
        _ session: UnsafeMutablePointer<Session>,
        of entry: UInt
    ) -> UnsafeMutablePointer<Atomic<UInt32>> {
        UnsafeMutableRawPointer(session + 1).assumingMemoryBound(to: Atomic<UInt32>.self)
            + Int(bitPattern: entry & (Session.counters &- 1))
    }

    /// Makes a session with its counters.
    static func allocate() -> UnsafeMutablePointer<Session> {
        let size = MemoryLayout<Session>.stride + Int(Session.counters) * MemoryLayout<Atomic<UInt32>>.stride
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<Session>.alignment)
        let session = memory.bindMemory(to: Session.self, capacity: 1)
        session.initialize(to: Session(at: session))
        let counters = UnsafeMutableRawPointer(session + 1)
            .bindMemory(to: Atomic<UInt32>.self, capacity: Int(Session.counters))
        for index in 0..<Int(Session.counters) { (counters + index).initialize(to: Atomic(0)) }
        return session
    }

    // MARK: Reading sections

    @inlinable
    @inline(__always)
    func enterSection() {
        // One that was left open goes on, and ends with this one.
        section.bitwiseOr(1, ordering: .sequentiallyConsistent)
    }

    @inlinable
    @inline(__always)
    func leaveSection() {
        // The compiler is free to retain what was found here only after the store, of which it does not know that it lets
        // others free that; it does not move a retain over a fence. Takes no instruction on x86. The thread sanitizer,
        // which knows no fences, sees the order of the store.
        atomicMemoryFence(ordering: .releasing)
        section.store((section.load(ordering: .relaxed) | 1) &+ 1, ordering: .releasing)
    }

    /// Calls the body inside a reading section.
    static func reading<Result>(_ session: UnsafeMutablePointer<Session>, _ body: () -> Result) -> Result {
        let isInside = session.pointee.section.load(ordering: .relaxed) & 1 != 0
        if !isInside { session.pointee.enterSection() }
        let result = body()
        if !isInside { session.pointee.leaveSection() }
        return result
    }

    // MARK: Graphs opened by hand

    /// Marks a graph whose end is not the end of a frame. No frame has this address.
    private static var openedByHand: UnsafeMutablePointer<Frame>? {
        UnsafeMutablePointer(bitPattern: UInt(MemoryLayout<Frame>.alignment))
    }

    /// Makes another graph the running one: the one that the identifier stands for, a new one under that identifier,
    /// or without an identifier a new one. Gives back what ``close(_:_:)`` needs.
    static func open(
        _ session: UnsafeMutablePointer<Session>,
        _ identifier: GraphIdentifier?
    ) -> (outer: UnsafeMutablePointer<RunningGraph>, endsHere: Bool) {
        session.pointee.gate?.enter()
        let outer = session.pointee.graph
        if let running = identifier?.runningGraph(in: session) {
            session.pointee.graph = running
            return (outer, false)
        }
        let graph = takeSpare(session)
        graph.pointee.base = openedByHand
        if let identifier {
            // One that runs elsewhere cannot be joined: only what it leaves behind can be found.
            let begins = identifier.graphBegins(graph)
            let own = begins ? identifier : GraphIdentifier(besides: identifier)
            if !begins { _ = own.graphBegins(graph) }
            graph.pointee.identifier = own
            graph.pointee.setDirty()
        }
        session.pointee.graph = graph
        return (outer, true)
    }

    /// Makes the outer graph the running one again, and ends the inner one if it was begun for the occasion.
    static func close(
        _ session: UnsafeMutablePointer<Session>,
        _ opened: (outer: UnsafeMutablePointer<RunningGraph>, endsHere: Bool)
    ) {
        let gate = session.pointee.gate
        defer { gate?.leave() }
        let graph = session.pointee.graph
        session.pointee.graph = opened.outer
        guard opened.endsHere else { return }
        finish(session, graph)
        graph.pointee.nextSpare = session.pointee.spare
        session.pointee.spare = graph
    }

    private static func takeSpare(_ session: UnsafeMutablePointer<Session>) -> UnsafeMutablePointer<RunningGraph> {
        if let graph = session.pointee.spare {
            session.pointee.spare = graph.pointee.nextSpare
            return graph
        }
        let graph = UnsafeMutablePointer<RunningGraph>.allocate(capacity: 1)
        graph.initialize(to: RunningGraph(session: session))
        return graph
    }

    /// Ends a graph that has something to do at its end, and lets replaced entries go once no frame can name them.
    @usableFromInline
    static func finish(_ session: UnsafeMutablePointer<Session>, _ graph: UnsafeMutablePointer<RunningGraph>) {
        RunningGraph.finish(graph)
        guard session.pointee.top == nil else { return }
        if !session.pointee.limbo.isEmpty {
            var limbo: [AnyServiceEntry] = []
            swap(&limbo, &session.pointee.limbo)
        }
        Reclamation.drain()
    }

    /// The identifier of the running graph, made now if nobody has asked before.
    static func identifier(_ session: UnsafeMutablePointer<Session>) -> GraphIdentifier {
        let graph = session.pointee.graph
        if let identifier = graph.pointee.identifier { return identifier }
        let identifier = session.pointee.spareIdentifier.take() ?? GraphIdentifier()
        graph.pointee.identifier = identifier
        graph.pointee.setDirty()
        _ = identifier.graphBegins(graph)
        return identifier
    }

    /// An identifier for somebody who keeps it: that of the running graph or, when none runs, one for a graph to come.
    static func identifierToKeep(_ session: UnsafeMutablePointer<Session>) -> GraphIdentifier {
        session.pointee.isRunning ? identifier(session) : GraphIdentifier()
    }

    /// Ends the graph of a request that was answered without building anything.
    static func finishIfIdle(_ session: UnsafeMutablePointer<Session>) {
        let graph = session.pointee.graph
        if !session.pointee.isRunning, graph.pointee.isDirty { finish(session, graph) }
    }

    /// Whether frames, or its having been opened by hand, make the graph a running one.
    var isRunning: Bool { top != graph.pointee.base }

    // MARK: Replaced entries

    /// Keeps an entry that was taken out of a registry until no frame can name it.
    mutating func retire(_ entry: AnyServiceEntry) {
        var frame = top
        while let current = frame {
            if current.pointee.entry.toOpaque() == Unmanaged.passUnretained(entry).toOpaque() {
                limbo.append(entry)
                main.pointee.setDirty()
                graph.pointee.setDirty()
                return
            }
            frame = current.pointee.parent
        }
    }
}

/// Owns the memory of what one thread of control resolves.
///
/// A plain container tree has one. A container for several threads has one for each thread that is resolving, and hands
/// the calling thread's to ``ResolutionContext/locate(_:for:)``.
public final class ResolutionSession {
    @usableFromInline let memory: UnsafeMutablePointer<Session>

    /// Makes a session in which nothing runs.
    public init() {
        memory = Session.allocate()
    }

    /// Makes a session for a thread that uses containers which other threads use as well. It must be kept for ever, and
    /// be handed to another thread when this one ends: threads look at each other's sessions.
    public static func forThread() -> ResolutionSession {
        let session = ResolutionSession()
        Reclamation.add(session.memory)
        return session
    }

    /// Says that the thread that used the session has ended. What it had looked up and not used holds nothing up then.
    public func threadEnds() {
        if memory.pointee.section.load(ordering: .relaxed) & 1 != 0 { memory.pointee.leaveSection() }
    }

    /// Tells sessions apart.
    public struct ID: Hashable, Sendable {
        let bits: UInt
    }

    /// What this session is told apart by.
    public var id: ID { ID(bits: UInt(bitPattern: memory)) }

    deinit {
        memory.pointee.free()
        memory.deinitialize(count: 1)
        memory.deallocate()
    }
}
