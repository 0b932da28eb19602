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

    /// The number of the next one of those.
    var nextProvisional = 0

    /// The innermost frame when the framework last began to run code that is no part of what is being built: an observer, or
    /// the deinit of something that it releases. Its failures reach no frame from here on outwards.
    var barrier: UnsafeMutablePointer<Frame>?

    /// Whether such code runs, inside of a frame or not.
    var isAside = false

    /// How many requests are running whose instances have a storage, or are given to wrappers that a container keeps: whatever is
    /// made meanwhile may become a part of something that the container keeps.
    var keptRequests = 0

    /// The contexts, one for each coordinator, from which unfinished instances of other threads were borrowed. The
    /// outermost request waits for those.
    var lenders: [ResolutionContext] = []

    /// The unfinished instances of other threads that are held here.
    var loans: [Loan] = []

    /// Entries that were replaced while a frame named them.
    var limbo: [AnyServiceEntry] = []

    /// What requests have let go of and that may run any code when it is released; see ``GraphHold``.
    var released: [AnyObject] = []

    /// The objects of graphs that something which is kept was given during the outermost request.
    var shared: [RecordKey] = []

    /// The constructions that an observer follows, innermost last.
    var observed: [ObservedConstruction] = []

    /// The observers that are being told of something, which are not told of what they cause.
    var observing: [ObserverSlot] = []

    /// The place whose storage is being asked. Not retained: who asks holds it.
    var inside: Unmanaged<StoragePlace>?

    /// The graph that resolves use when none was opened by hand.
    let main: UnsafeMutablePointer<RunningGraph>

    /// An identifier that nobody else has and that stands for no graph.
    var spareIdentifier: GraphIdentifier?

    private var spare: UnsafeMutablePointer<RunningGraph>?

    /// Whether it is the session of a thread, which other threads look at.
    let isForThread: Bool

    @usableFromInline static var chains: UInt { 128 }

    struct Verdict {
        let error: ResolutionError
        /// The outermost frame that fails.
        let last: UnsafeMutablePointer<Frame>
        /// Whether outer frames are part of the cause, which are spared because an observer or a deinit has asked.
        let reachesFurther: Bool
    }

    /// An unfinished instance of another thread.
    struct Loan {
        let instance: UnfinishedInstance
        /// The frame that holds it; nil when that has failed.
        var frame: UnsafeMutablePointer<Frame>?
    }

    /// An instance that holds, or may hold, one whose callbacks have not finished. If those fail it must go too.
    struct Provisional {
        /// Later ones have greater numbers.
        let number: Int
        let entry: AnyServiceEntry
        let context: ResolutionContext
        var kept: Kept
        /// The place that the ended frame had claimed. The claim goes on until the instance is published or revoked.
        var claimed: StoragePlace?
        /// The outermost frame whose unfinished instance it may hold. It depends on the success of that.
        var borrowedFrom: UnsafeMutablePointer<Frame>?
        /// The other threads' instances that it may hold. It is complete when the outermost frame has waited for them.
        var borrowed: [UnfinishedInstance]

        var isComplete: Bool { borrowedFrom == nil && borrowed.isEmpty }
    }

    /// Makes the state of a session that lies at the given address.
    private init(at address: UnsafeMutablePointer<Session>, isForThread: Bool) {
        self.isForThread = isForThread
        main = .allocate(capacity: 1)
        main.initialize(to: RunningGraph(session: address))
        graph = main
    }

    private mutating func free() {
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

    /// The chain of an entry: the address of the innermost frame of those whose entries share the chain. Zero means that an
    /// entry is not being built, which settles the cycle rule in nearly every case; and where frames share a chain, few do.
    ///
    /// Atomic because it also says to other threads which replaced entries must not be freed yet. The chains lie behind the
    /// session, where their address is known without a look into it.
    @inlinable
    @inline(__always)
    static func chain(
        _ session: UnsafeMutablePointer<Session>,
        of entry: UInt
    ) -> UnsafeMutablePointer<Atomic<UInt>> {
        UnsafeMutableRawPointer(session + 1).assumingMemoryBound(to: Atomic<UInt>.self)
            + Int(bitPattern: entry & (Session.chains &- 1))
    }

    /// How many requests of a thread hold the entries of a chain without a frame that names them. Behind the chains, in the
    /// sessions of threads alone.
    static func holds(
        _ session: UnsafeMutablePointer<Session>,
        of entry: UInt
    ) -> UnsafeMutablePointer<Atomic<UInt32>> {
        let chains = UnsafeMutableRawPointer(session + 1).assumingMemoryBound(to: Atomic<UInt>.self)
        return UnsafeMutableRawPointer(chains + Int(Session.chains)).assumingMemoryBound(to: Atomic<UInt32>.self)
            + Int(bitPattern: entry & (Session.chains &- 1))
    }

    /// Whether some frame of the session, or a request that holds it without one, may name an entry.
    static func mayName(_ session: UnsafeMutablePointer<Session>, _ entry: UInt) -> Bool {
        chain(session, of: entry).pointee.load(ordering: .acquiring) != 0
            || holds(session, of: entry).pointee.load(ordering: .acquiring) != 0
    }

    /// Makes the session of a thread. It is never freed, since other threads look at it.
    static func allocateForThread() -> UnsafeMutablePointer<Session> {
        let session = allocate(isForThread: true)
        Reclamation.add(session)
        return session
    }

    static func free(_ session: UnsafeMutablePointer<Session>) {
        session.pointee.free()
        session.deinitialize(count: 1)
        session.deallocate()
    }

    /// Makes a session with its chains.
    static func allocate(isForThread: Bool = false) -> UnsafeMutablePointer<Session> {
        let count = Int(Session.chains)
        let forThread = isForThread ? count * MemoryLayout<Atomic<UInt32>>.stride : 0
        let size = MemoryLayout<Session>.stride + count * MemoryLayout<Atomic<UInt>>.stride + forThread
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<Session>.alignment)
        let session = memory.bindMemory(to: Session.self, capacity: 1)
        session.initialize(to: Session(at: session, isForThread: isForThread))
        let chains = UnsafeMutableRawPointer(session + 1).bindMemory(to: Atomic<UInt>.self, capacity: count)
        for index in 0..<count { (chains + index).initialize(to: Atomic(0)) }
        guard isForThread else { return session }
        let holds = UnsafeMutableRawPointer(chains + count).bindMemory(to: Atomic<UInt32>.self, capacity: count)
        for index in 0..<count { (holds + index).initialize(to: Atomic(0)) }
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
        let graph = session.pointee.graph
        session.pointee.graph = opened.outer
        guard opened.endsHere else { return }
        finish(session, graph)
        graph.pointee.nextSpare = session.pointee.spare
        session.pointee.spare = graph
    }

    /// Calls the body in one graph: the running one or, when none runs, one that ends with the body.
    ///
    /// For requests that are more than one resolve and have no frame of their own.
    @inline(__always)
    static func inOneGraph<Result, Failure: Error>(
        _ session: UnsafeMutablePointer<Session>,
        _ context: Unmanaged<ResolutionContext>,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outside = StoragePlace.stepOut(session)
        defer { StoragePlace.stepIn(session, outside) }
        let gate = context._withUnsafeGuaranteedRef { $0.gate }
        gate?.enter()
        defer { gate?.leave() }
        if session.pointee.isRunning { return try body() }
        let graph = session.pointee.graph
        graph.pointee.base = openedByHand
        defer {
            graph.pointee.base = nil
            if graph.pointee.isDirty { finish(session, graph) }
        }
        return try body()
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
        aside(session) { RunningGraph.finish(graph) }
        guard session.pointee.top == nil else { return }
        releaseLimbo(session)
        Reclamation.drain()
    }

    private static func releaseLimbo(_ session: UnsafeMutablePointer<Session>) {
        session.pointee.shared = []
        let (limbo, released) = (session.pointee.limbo, session.pointee.released)
        if limbo.isEmpty, released.isEmpty { return }
        session.pointee.limbo = []
        session.pointee.released = []
        // Held until the lists are empty, or the compiler may release an old list before it writes the new one, and a deinit
        // that comes here would release it again.
        withExtendedLifetime((limbo, released)) {}
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

    /// What a request may be given of another thread's construction: an unfinished instance if there is a frame that waits for
    /// the rest before anything returns. What an observer or a deinit asks for returns before the frames around it end.
    var waitTerms: WaitTerms { isAside ? .finishedAside : top != nil ? .unfinished : .finished }

    /// Runs code that is no part of what is being built: a failure of its requests is its own.
    static func aside(_ session: UnsafeMutablePointer<Session>, _ body: () -> Void) {
        let (outer, wasAside) = (session.pointee.barrier, session.pointee.isAside)
        session.pointee.barrier = session.pointee.top
        session.pointee.isAside = true
        body()
        session.pointee.barrier = outer
        session.pointee.isAside = wasAside
    }

    // MARK: Replaced entries

    /// Holds an entry that no frame names yet, if it was replaced, until no frame can name it.
    static func hold(_ session: UnsafeMutablePointer<Session>, _ entry: AnyServiceEntry) {
        guard entry.flags.contains(.retired), !session.pointee.isForThread else { return }
        session.pointee.limbo.append(entry)
        session.pointee.setDirty()
    }

    /// Has the end of the outermost request look at what waits for it.
    func setDirty() {
        main.pointee.setDirty()
        graph.pointee.setDirty()
    }

    /// Keeps an entry that was taken out of a registry until no frame can name it.
    mutating func retire(_ entry: AnyServiceEntry) {
        var frame = top
        while let current = frame {
            if current.pointee.entry.toOpaque() == Unmanaged.passUnretained(entry).toOpaque() {
                limbo.append(entry)
                setDirty()
                return
            }
            frame = current.pointee.parent
        }
    }
}

extension Session {
    /// The thread of a session has ended. A lookup that it has not used holds nothing up then.
    static func threadEnds(_ session: UnsafeMutablePointer<Session>) {
        if session.pointee.section.load(ordering: .relaxed) & 1 != 0 { session.pointee.leaveSection() }
        Reclamation.drain()
    }

    /// Orders the end of an outermost request, which a chain shows to other threads, before the look at whether one of
    /// them has left something to be released.
    @usableFromInline
    static func outermostEnds() {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }
}

/// Owns the session of a tree of plain containers.
final class OwnedSession {
    let memory = Session.allocate()

    deinit {
        Session.free(memory)
    }
}

/// The identities of sessions. A session is what one thread of control resolves: that of a tree of plain containers, or that
/// of a thread where several use a container.
public enum ResolutionSession {
    /// Tells sessions apart.
    public struct ID: Hashable, Sendable {
        let bits: UInt
    }
}
