// Unsafe: what runs lives behind a raw pointer, because a class property that other modules read is checked for
// exclusive access at each use. The memory is confined to one thread and freed by `ResolutionSession`, which the
// container holds; pointers to frames are valid because a frame is popped before its function returns.

/// What one thread of control is resolving: the chain of frames and the running graph.
@usableFromInline
struct Session {
    /// The innermost frame.
    @usableFromInline var top: UnsafeMutablePointer<Frame>?

    /// The running graph or, while nothing runs, the one that the next resolve will use.
    @usableFromInline var graph: UnsafeMutablePointer<RunningGraph>

    /// How many frames there are for the entries that share a counter. Zero means that an entry is not being built,
    /// which settles the cycle rule in nearly every case.
    @usableFromInline let busy: UnsafeMutablePointer<UInt32>

    /// Whether some instance is stored whose cycle is not complete; see ``Provisional``.
    @usableFromInline var hasProvisional = false

    /// How many observers of this container tree want to know of each resolve.
    var resolutionObservers = 0

    /// The most activations of one registration at a time.
    var depthLimit = 200

    /// The failures that doom frames, each while it travels to the frame where it ends.
    var verdicts: [Verdict] = []

    /// Instances that are stored and whose cycle is not complete.
    var provisional: [Provisional] = []

    /// Entries that were replaced while a frame named them.
    var limbo: [AnyServiceEntry] = []

    /// The constructions that an observer follows, innermost last.
    var observed: [ObservedConstruction] = []

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
        busy = .allocate(capacity: Int(Session.counters))
        busy.initialize(repeating: 0, count: Int(Session.counters))
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
        busy.deallocate()
    }

    private static func free(_ graph: UnsafeMutablePointer<RunningGraph>) {
        graph.pointee.free()
        graph.deinitialize(count: 1)
        graph.deallocate()
    }

    @inlinable
    @inline(__always)
    func counter(of entry: UInt) -> UnsafeMutablePointer<UInt32> {
        busy + Int(bitPattern: entry & (Session.counters &- 1))
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
        let outer = session.pointee.graph
        if let running = identifier?.runningGraph, running.pointee.session == session {
            session.pointee.graph = running
            return (outer, false)
        }
        let graph = takeSpare(session)
        graph.pointee.base = openedByHand
        if let identifier {
            graph.pointee.identifier = identifier
            graph.pointee.isDirty = true
            identifier.graphBegins(graph)
        }
        session.pointee.graph = graph
        return (outer, true)
    }

    /// Makes the outer graph the running one again, and ends the inner one if it was begun for the occasion.
    static func close(
        _ session: UnsafeMutablePointer<Session>,
        _ opened: (outer: UnsafeMutablePointer<RunningGraph>, endsHere: Bool)
    ) {
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
        if session.pointee.top == nil, !session.pointee.limbo.isEmpty {
            var limbo: [AnyServiceEntry] = []
            swap(&limbo, &session.pointee.limbo)
        }
    }

    /// The identifier of the running graph, made now if nobody has asked before.
    static func identifier(_ session: UnsafeMutablePointer<Session>) -> GraphIdentifier {
        let graph = session.pointee.graph
        if let identifier = graph.pointee.identifier { return identifier }
        let identifier = session.pointee.spareIdentifier.take() ?? GraphIdentifier()
        graph.pointee.identifier = identifier
        graph.pointee.isDirty = true
        identifier.graphBegins(graph)
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
                main.pointee.isDirty = true
                graph.pointee.isDirty = true
                return
            }
            frame = current.pointee.parent
        }
    }
}

/// Owns the memory of what one thread of control resolves.
///
/// A plain container tree has one. A container for several threads has one for each thread that is resolving, and hands
/// the calling thread's to ``LocatedEntry/init(_:context:session:)``.
public final class ResolutionSession {
    @usableFromInline let memory: UnsafeMutablePointer<Session>

    /// Makes a session in which nothing runs.
    public init() {
        memory = .allocate(capacity: 1)
        memory.initialize(to: Session(at: memory))
    }

    deinit {
        memory.pointee.free()
        memory.deinitialize(count: 1)
        memory.deallocate()
    }
}
