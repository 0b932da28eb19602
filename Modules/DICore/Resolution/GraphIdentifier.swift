internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Bionic)
internal import Bionic
#else
internal import Darwin
#endif

/// Stands for one object graph, so that a later resolve can join it.
///
/// A factory gets it by resolving it, and ``Resolver/withObjectGraph(_:_:)`` joins it later:
///
///     container.register(Screen.self) { r in
///         Screen(graph: try r.require(GraphIdentifier.self))
///     }
///     container.withObjectGraph(screen.graph) { $0.resolve(Header.self) }
///
/// While the graph runs, joining it gives its own instances. After it has ended, an instance is found again for as long
/// as it lives; the identifier holds it weakly, so a value type is found only while the graph runs. Nothing is kept for
/// graphs whose identifier nobody has taken.
///
/// An identifier may be sent to other threads, and finds there what threads may share. A graph runs on one thread and is
/// nobody else's meanwhile. What a container for several threads has built of `registerUnshared` is not found again when its
/// graph is over.
public final class GraphIdentifier: Sendable {
    /// The address of the graph while it runs.
    private let running = Atomic<UInt>(0)

    /// The address of the session that runs it. Only that may look at the graph, which may end at any time elsewhere.
    private let runner = Atomic<UInt>(0)

    /// The thread that runs it, for storages that are handed the identifier and no session.
    private let thread = Atomic<UInt>(0)

    /// The one that this stands beside: a graph that was to join another, which another thread was running.
    private let origin: GraphIdentifier?

    /// What holds the containers of the wrappers that were made in the graph, while any of those is there.
    private let ownHold = Mutex(WeakHold())
    private let mayHaveHold = Atomic<Bool>(false)

    private struct WeakHold {
        weak var hold: GraphHold?
    }

    /// What can be found after the graph has ended.
    private let remembered = Mutex(Memory())
    private let mayRemember = Atomic<Bool>(false)

    /// Makes an identifier that stands for no graph yet; the first resolve that joins it begins one.
    public init() {
        origin = nil
    }

    /// Makes the identifier of a graph that cannot join a running one, and finds what is remembered of it.
    init(besides identifier: GraphIdentifier) {
        // The one that remembers: one that is beside another has nothing of its own.
        origin = identifier.origin ?? identifier
    }

    /// Whether it stands beside another one, through which its objects are found.
    var isBesideAnother: Bool { origin != nil }

    // Unchecked: a weak reference may be read and written on any thread. An object that threads must not share is read by its
    // own container alone, as who reads it may be the one that releases it.
    private struct WeakInstance: @unchecked Sendable {
        weak var object: AnyObject?
    }

    private struct Memory {
        var instances: [RecordKey: WeakInstance] = [:]
        var sweepAt = 16

        /// How many instances of containers are kept whose domain is not that of who sweeps, and who cannot look whether
        /// they live.
        static var strangers: Int { 4096 }
    }

    /// The graph, if it runs in this session.
    func runningGraph(in session: UnsafeMutablePointer<Session>) -> UnsafeMutablePointer<RunningGraph>? {
        runner.load(ordering: .acquiring) == UInt(bitPattern: session) ? runningGraph : nil
    }

    private var runningGraph: UnsafeMutablePointer<RunningGraph>? {
        UnsafeMutablePointer(bitPattern: running.load(ordering: .acquiring))
    }

    /// The graph, if it runs on the calling thread.
    private var ownRunningGraph: UnsafeMutablePointer<RunningGraph>? {
        thread.load(ordering: .relaxed) == GraphIdentifier.callingThread ? runningGraph : nil
    }

    // Unsafe: a handle of a thread is a word on each platform, here a number and there a pointer.
    private static var callingThread: UInt { withUnsafeBytes(of: pthread_self()) { $0.load(as: UInt.self) } }

    /// A graph is to run under this identifier. False when one does already, in another session.
    func graphBegins(_ graph: UnsafeMutablePointer<RunningGraph>) -> Bool {
        let bits = UInt(bitPattern: graph)
        guard running.compareExchange(expected: 0, desired: bits, ordering: .acquiringAndReleasing).exchanged
        else { return false }
        // After it has become this one's, and taken back before it is given up: a thread that finds itself here is right.
        runner.store(UInt(bitPattern: graph.pointee.session), ordering: .releasing)
        thread.store(GraphIdentifier.callingThread, ordering: .relaxed)
        return true
    }

    /// The graph is over. Its objects are remembered if somebody has the identifier to ask for them.
    func graphEnds(_ graph: UnsafeMutablePointer<RunningGraph>, remembering isTaken: Bool) {
        if runningGraph(in: graph.pointee.session) == graph {
            thread.store(0, ordering: .relaxed)
            runner.store(0, ordering: .releasing)
            running.store(0, ordering: .releasing)
        }
        guard isTaken else { return }
        var found: [(RecordKey, AnyObject)] = []
        graph.pointee.forEach { key, value in
            if key.outlivesGraph, let object = ObjectReference.object(in: value) { found.append((key, object)) }
        }
        if !found.isEmpty { (origin ?? self).keepInMind(found) }
    }

    // MARK: The containers of its wrappers

    /// What wrappers that are made in the graph hold their containers by.
    var hold: GraphHold {
        if let origin { return origin.hold }
        return ownHold.withLock { known in
            if let hold = known.hold { return hold }
            let hold = GraphHold()
            known.hold = hold
            mayHaveHold.store(true, ordering: .relaxed)
            return hold
        }
    }

    /// Has the wrappers that were made for an object let their containers go, and returns those.
    func endHold(for key: RecordKey, _ session: UnsafeMutablePointer<Session>) -> [AnyObject] {
        if let origin { return origin.endHold(for: key, session) }
        guard mayHaveHold.load(ordering: .relaxed) else { return [] }
        return ownHold.withLock(\.hold)?.end(for: key, session) ?? []
    }

    /// The graph has ended and nobody else knows the identifier. Returns whether it can stand for an unrelated graph, which
    /// must find nothing through it.
    func becomesSpare() -> Bool {
        // What a thread has left that has just let the identifier go: finding it to be the last reference orders nothing.
        atomicMemoryFence(ordering: .acquiring)
        guard origin == nil, !mayRemember.load(ordering: .relaxed) else { return false }
        if mayHaveHold.load(ordering: .relaxed) {
            ownHold.withLock { $0.hold = nil }
            mayHaveHold.store(false, ordering: .relaxed)
        }
        return true
    }

    /// Remembers objects of the graph.
    func keepInMind(_ found: [(RecordKey, AnyObject)]) {
        mayRemember.store(true, ordering: .relaxed)
        // What is read while the dead are looked for may become the last reference, so it is held until after the lock.
        var alive: [AnyObject] = []
        remembered.withLock { memory in
            for (key, object) in found { memory.instances[key] = WeakInstance(object: object) }
            // A graph that is joined again and again would otherwise collect the keys of dead objects.
            guard memory.instances.count > memory.sweepAt else { return }
            // A storage that keeps on its own behalf says no container.
            let own = Set(found.map(\.0.context)).subtracting([0])
            let strangers = memory.instances.keys.filter { !$0.isForThreads && !own.contains($0.context) }
            if strangers.count > Memory.strangers {
                // Those of the oldest containers.
                for key in strangers.sorted(by: { $0.context < $1.context }).dropLast(Memory.strangers / 2) {
                    memory.instances[key] = nil
                }
            }
            memory.instances = memory.instances.filter { key, instance in
                guard key.isForThreads || own.contains(key.context) else { return true }
                guard let object = instance.object else { return false }
                alive.append(object)
                return true
            }
            memory.sweepAt = max(16, 2 * memory.instances.count)
        }
        withExtendedLifetime(alive) {}
    }

    /// The object of an ended graph, while it lives.
    func remember(_ key: RecordKey) -> AnyObject? {
        remembered.withLock { $0.instances[key]?.object } ?? origin?.remember(key)
    }

    /// The instance under a key, running on this thread or remembered.
    func recollect(_ key: RecordKey) -> Any? {
        guard let graph = ownRunningGraph else { return remember(key) }
        // Unsafe: what a storage keeps in a graph is kept as `Any`, under a key of its own.
        if let address = graph.pointee.recall(key) { return address.assumingMemoryBound(to: Any.self).pointee }
        guard let object = remember(key) else { return nil }
        // Kept from here on: another thread may leave another one behind meanwhile, and one run gives one.
        graph.pointee.reserve(key, for: Any.self).initialize(to: object)
        return object
    }

    /// Keeps an instance for a storage in the running graph, as `Any`; weakly when none runs on this thread.
    func hold(_ instance: Any?, as key: RecordKey) {
        if let graph = ownRunningGraph {
            if let known = graph.pointee.recall(key) { graph.pointee.forget(known) }
            if let instance { graph.pointee.reserve(key, for: Any.self).initialize(to: instance) }
        } else {
            let object = instance.flatMap(ObjectReference.object(in:))
            (origin ?? self).mayRemember.store(true, ordering: .relaxed)
            (origin ?? self).remembered.withLock { $0.instances[key] = object.map { WeakInstance(object: $0) } }
        }
    }
}

extension GraphIdentifier: Hashable {
    /// Whether both are the same identifier.
    public static func == (left: GraphIdentifier, right: GraphIdentifier) -> Bool { left === right }

    /// Feeds the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
