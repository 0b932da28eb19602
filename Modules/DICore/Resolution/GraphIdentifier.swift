internal import Synchronization

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
public final class GraphIdentifier: Sendable {
    /// The address of the graph while it runs.
    private let running = Atomic<UInt>(0)

    /// The address of the session that runs it. Only that may look at the graph, which may end at any time elsewhere.
    private let runner = Atomic<UInt>(0)

    /// The one that this stands beside: a graph that was to join another, which another thread was running.
    private let origin: GraphIdentifier?

    /// What can be found after the graph has ended.
    private let remembered = Mutex<[RecordKey: WeakInstance]>([:])

    /// Makes an identifier that stands for no graph yet; the first resolve that joins it begins one.
    public init() {
        origin = nil
    }

    /// Makes the identifier of a graph that cannot join a running one, and finds what is remembered of it.
    init(besides origin: GraphIdentifier) {
        self.origin = origin
    }

    // Unchecked: a weak reference may be read and written on any thread; what is done with the object is up to the
    // container, which hands it to its own isolation domain alone.
    private struct WeakInstance: @unchecked Sendable {
        weak var object: AnyObject?
    }

    /// The graph, if it runs in this session.
    func runningGraph(in session: UnsafeMutablePointer<Session>) -> UnsafeMutablePointer<RunningGraph>? {
        runner.load(ordering: .acquiring) == UInt(bitPattern: session) ? runningGraph : nil
    }

    private var runningGraph: UnsafeMutablePointer<RunningGraph>? {
        UnsafeMutablePointer(bitPattern: running.load(ordering: .acquiring))
    }

    /// A graph is to run under this identifier. False when one does already, in another session.
    func graphBegins(_ graph: UnsafeMutablePointer<RunningGraph>) -> Bool {
        let bits = UInt(bitPattern: graph)
        guard running.compareExchange(expected: 0, desired: bits, ordering: .acquiringAndReleasing).exchanged
        else { return false }
        runner.store(UInt(bitPattern: graph.pointee.session), ordering: .releasing)
        return true
    }

    /// The graph is over. Its objects are remembered if somebody has the identifier to ask for them.
    func graphEnds(_ graph: UnsafeMutablePointer<RunningGraph>, remembering isTaken: Bool) {
        if runningGraph(in: graph.pointee.session) == graph {
            runner.store(0, ordering: .releasing)
            running.store(0, ordering: .releasing)
        }
        guard isTaken else { return }
        var found: [(RecordKey, AnyObject)] = []
        graph.pointee.forEach { key, value in
            if let object = ObjectReference.object(in: value) { found.append((key, object)) }
        }
        if !found.isEmpty { (origin ?? self).keepInMind(found) }
    }

    private func keepInMind(_ found: [(RecordKey, AnyObject)]) {
        // What is read while the dead are looked for may become the last reference, so it is held until after the lock.
        var alive: [AnyObject] = []
        remembered.withLock { remembered in
            for (key, object) in found { remembered[key] = WeakInstance(object: object) }
            // A graph that is joined again and again would otherwise collect the keys of dead objects.
            if remembered.count > 2 * found.count + 16 {
                remembered = remembered.filter { instance in
                    guard let object = instance.value.object else { return false }
                    alive.append(object)
                    return true
                }
            }
        }
    }

    /// The object of an ended graph, while it lives.
    func remember(_ key: RecordKey) -> AnyObject? {
        remembered.withLock { $0[key]?.object } ?? origin?.remember(key)
    }

    /// The instance under a key, running or remembered.
    func recollect(_ key: RecordKey) -> Any? {
        guard let graph = runningGraph else { return remember(key) }
        // Unsafe: what a storage keeps in a graph is kept as `Any`, under a key of its own.
        if let address = graph.pointee.recall(key) { return address.assumingMemoryBound(to: Any.self).pointee }
        guard let object = remember(key) else { return nil }
        // Kept from here on: another thread may leave another one behind meanwhile, and one run gives one.
        graph.pointee.reserve(key, for: Any.self).initialize(to: object)
        return object
    }

    /// Keeps an instance for a storage in the running graph, as `Any`.
    func hold(_ instance: Any?, as key: RecordKey) {
        if let graph = runningGraph {
            graph.pointee.forget(key)
            if let instance { graph.pointee.reserve(key, for: Any.self).initialize(to: instance) }
        } else {
            let object = instance.flatMap(ObjectReference.object(in:))
            (origin ?? self).remembered.withLock { $0[key] = object.map { WeakInstance(object: $0) } }
        }
    }

    /// Drops what is remembered under a key.
    func forget(_ key: RecordKey) {
        remembered.withLock { $0[key] = nil }
        origin?.forget(key)
    }
}

extension GraphIdentifier: Hashable {
    /// Whether both are the same identifier.
    public static func == (left: GraphIdentifier, right: GraphIdentifier) -> Bool { left === right }

    /// Feeds the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
