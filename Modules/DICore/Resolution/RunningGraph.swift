// Unsafe: instances are kept as typed values in raw memory, without boxes. What keeps it sound: every record carries
// the type it was initialised with, a record is read only by the entry that made it (whose service type that is), and
// records are destroyed once, by `finish`, after they have been taken out of the graph.

public import Synchronization

/// The memory of one object graph while it runs: the instances that it shares, and who wants to know when it ends.
///
/// Confined to the thread that runs it. Records lie in chunks that are used again by the next graph, so that a graph
/// costs no allocation of its own; a table over them finds an instance by its ``RecordKey``.
@usableFromInline
struct RunningGraph: ~Copyable {
    /// A frame with this parent is the root: when it ends, the graph ends. A graph that was opened by hand has a value
    /// here that no frame has, and ends where it was opened.
    @usableFromInline var base: UnsafeMutablePointer<Frame>?

    /// The session that runs it. Only there can it be joined.
    let session: UnsafeMutablePointer<Session>

    /// Whether anything has to be done when the graph ends. Atomic because a thread that has replaced an entry which is
    /// being built here leaves word with it.
    @usableFromInline let dirt = Atomic<Bool>(false)

    @inlinable
    @inline(__always)
    var isDirty: Bool { dirt.load(ordering: .relaxed) }

    func setDirty() {
        dirt.store(true, ordering: .relaxed)
    }

    /// The identifier, once somebody has asked for it.
    @usableFromInline var identifier: GraphIdentifier?

    private var newest: UnsafeMutablePointer<Record>?
    @usableFromInline private(set) var count = 0
    private var table: UnsafeMutablePointer<UnsafeMutablePointer<Record>?>
    private var capacity = RunningGraph.initialCapacity
    private var chunk: UnsafeMutablePointer<Chunk>?
    private var cursor: UInt = 0
    private var end: UInt = 0
    private var places: [StoragePlace] = []

    /// The next unused graph in the pool of the session.
    var nextSpare: UnsafeMutablePointer<RunningGraph>?

    private static let initialCapacity = 32
    private static let chunkSize = 1024

    /// The largest chunk that is kept for the next graph.
    private static let keptChunkSize = 16 * 1024

    /// In front of each value. The type destroys it.
    private struct Record {
        let older: UnsafeMutablePointer<Record>?
        var key: RecordKey
        let type: Any.Type
    }

    private static func value(of record: UnsafeMutablePointer<Record>) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer(record + 1)
    }

    private struct Chunk {
        var previous: UnsafeMutablePointer<Chunk>?
        let size: Int
    }

    init(session: UnsafeMutablePointer<Session>) {
        self.session = session
        table = .allocate(capacity: capacity)
        table.initialize(repeating: nil, count: capacity)
    }

    /// Frees the memory of a graph that has ended.
    func free() {
        table.deallocate()
        chunk.map { UnsafeMutableRawPointer($0).deallocate() }
    }

    // MARK: Instances

    /// Whether it is of any use to ask for an instance.
    @inlinable
    @inline(__always)
    var mayKnowInstances: Bool { count != 0 || identifier != nil }

    /// The address of the instance that is kept under a key; it has the service type of the key's entry.
    func recall(_ key: RecordKey) -> UnsafeMutableRawPointer? {
        record(key).map(RunningGraph.value)
    }

    /// Makes room for an instance under a key. The caller initialises it at once.
    @inlinable
    mutating func reserve<Service>(_ key: RecordKey, for type: Service.Type) -> UnsafeMutablePointer<Service> {
        // The record in front of the value is aligned too.
        let alignment = max(MemoryLayout<Service>.alignment, MemoryLayout<UInt>.alignment)
        return reserve(key, type, UInt(bitPattern: MemoryLayout<Service>.size), UInt(bitPattern: alignment &- 1))
            .assumingMemoryBound(to: Service.self)
    }

    // Without checks for overflow, which are a quarter of it: sizes are those of types, addresses those of memory.
    @usableFromInline
    mutating func reserve(
        _ key: RecordKey,
        _ type: Any.Type,
        _ size: UInt,
        _ alignmentMask: UInt
    ) -> UnsafeMutableRawPointer {
        setDirty()
        if count &* 2 >= capacity { grow() }
        let header = UInt(bitPattern: MemoryLayout<Record>.stride)
        var start = (cursor &+ header &+ alignmentMask) & ~alignmentMask
        if start &+ size > end {
            addChunk(atLeast: Int(header &+ size &+ alignmentMask))
            start = (cursor &+ header &+ alignmentMask) & ~alignmentMask
        }
        cursor = start &+ size
        let value = UnsafeMutableRawPointer(bitPattern: start).unsafelyUnwrapped
        let record = (value - MemoryLayout<Record>.stride).assumingMemoryBound(to: Record.self)
        record.initialize(to: Record(older: newest, key: key, type: type))
        newest = record
        count &+= 1
        insert(record)
        return value
    }

    /// The instance that was kept last, to be told from others under the same key.
    @usableFromInline var newestInstance: UnsafeMutableRawPointer? { newest.map(RunningGraph.value) }

    /// Makes an instance unfindable; it is released with the graph.
    func forget(_ instance: UnsafeMutableRawPointer) {
        RunningGraph.record(of: instance).pointee.key = RecordKey(entry: 0, context: 0)
    }

    /// Makes an object unfindable that a storage has kept in the graph on its own behalf.
    func forgetStored(_ object: AnyObject) {
        var next = newest
        while let record = next {
            let isStored = record.pointee.key.entry != 0 && record.pointee.key.context == 0
            if isStored, self.object(RunningGraph.value(of: record)) === object {
                forget(RunningGraph.value(of: record))
            }
            next = record.pointee.older
        }
    }

    /// The object in a kept instance, if it is one.
    func object(_ instance: UnsafeMutableRawPointer) -> AnyObject? {
        ObjectReference.object(in: RunningGraph.boxed(RunningGraph.record(of: instance).pointee.type, instance))
    }

    private static func record(of instance: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Record> {
        (instance - MemoryLayout<Record>.stride).assumingMemoryBound(to: Record.self)
    }

    private static func boxed<Service>(_ type: Service.Type, _ instance: UnsafeMutableRawPointer) -> Any {
        instance.assumingMemoryBound(to: Service.self).pointee
    }

    /// Calls the body with the key and a boxed copy of each instance that can be found.
    func forEach(_ body: (RecordKey, Any) -> Void) {
        var next = newest
        while let address = next {
            let record = address.pointee
            if record.key.entry != 0 {
                body(record.key, RunningGraph.boxed(record.type, RunningGraph.value(of: address)))
            }
            next = record.older
        }
    }

    /// Remembers to tell a storage when the graph has ended.
    mutating func touch(_ place: StoragePlace) {
        setDirty()
        if !places.contains(where: { $0 === place }) { places.append(place) }
    }

    // MARK: The end

    /// Ends the graph: what it held is released, then storages are told. The memory can be used again at once, also by
    /// a deinit that runs here and resolves.
    static func finish(_ graph: UnsafeMutablePointer<RunningGraph>) {
        let places = graph.pointee.places
        let session = graph.pointee.session
        graph.pointee.places = []
        graph.pointee.dirt.store(false, ordering: .relaxed)
        if graph.pointee.identifier != nil {
            let isTaken =
                !isKnownUniquelyReferenced(&graph.pointee.identifier)
                || graph.pointee.identifier?.isBesideAnother == true
            if isTaken, session.pointee.hasProvisional { Session.graphEnds(session, graph, graph.pointee.identifier) }
            if let identifier = graph.pointee.identifier.take() {
                identifier.graphEnds(graph, remembering: isTaken)
                // Storages ask for an identifier often.
                if !isTaken, identifier.becomesSpare() { graph.pointee.session.pointee.spareIdentifier = identifier }
            }
        }
        if session.pointee.hasProvisional { Session.graphEnds(session, graph, nil) }
        guard let newest = graph.pointee.newest else { return notify(places, session) }
        let chunk = graph.pointee.chunk
        graph.pointee.reset()
        destroy(newest)
        graph.pointee.reclaim(chunk)
        notify(places, session)
    }

    private static func notify(_ places: [StoragePlace], _ session: UnsafeMutablePointer<Session>) {
        for place in places { place.withStorage(session) { $0.graphResolutionCompleted() } }
    }

    private static func destroy(_ newest: UnsafeMutablePointer<Record>) {
        func destroy<Service>(_ type: Service.Type, _ value: UnsafeMutableRawPointer) {
            value.assumingMemoryBound(to: Service.self).deinitialize(count: 1)
        }
        var next: UnsafeMutablePointer<Record>? = newest
        while let address = next {
            let record = address.pointee
            destroy(record.type, value(of: address))
            next = record.older
        }
    }

    private mutating func reset() {
        newest = nil
        count = 0
        chunk = nil
        cursor = 0
        end = 0
        if capacity > 8 * RunningGraph.initialCapacity {
            table.deallocate()
            capacity = RunningGraph.initialCapacity
            table = .allocate(capacity: capacity)
            table.initialize(repeating: nil, count: capacity)
        } else {
            table.update(repeating: nil, count: capacity)
        }
    }

    /// Keeps the largest chunk of a finished graph for the next one, and frees the others.
    private mutating func reclaim(_ finished: UnsafeMutablePointer<Chunk>?) {
        var next = finished
        while let chunk = next {
            next = chunk.pointee.previous
            // Each is at least twice as large as the one before it.
            if self.chunk == nil, chunk.pointee.size <= RunningGraph.keptChunkSize {
                chunk.pointee.previous = nil
                use(chunk)
            } else {
                UnsafeMutableRawPointer(chunk).deallocate()
            }
        }
    }

    // MARK: Memory

    private mutating func addChunk(atLeast needed: Int) {
        let larger = chunk.map { $0.pointee.size * 2 } ?? RunningGraph.chunkSize
        let size = max(larger, needed + MemoryLayout<Chunk>.stride)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        let fresh = memory.assumingMemoryBound(to: Chunk.self)
        fresh.initialize(to: Chunk(previous: chunk, size: size))
        use(fresh)
    }

    private mutating func use(_ chunk: UnsafeMutablePointer<Chunk>) {
        self.chunk = chunk
        let start = UInt(bitPattern: chunk)
        cursor = start + UInt(MemoryLayout<Chunk>.stride)
        end = start + UInt(chunk.pointee.size)
    }

    // MARK: The table

    @inline(__always)
    private func firstSlot(of key: RecordKey) -> Int {
        WordHash.slot(of: key.entry, capacity: capacity)
    }

    private func record(_ key: RecordKey) -> UnsafeMutablePointer<Record>? {
        var slot = firstSlot(of: key)
        while let record = table[slot] {
            if record.pointee.key.entry == key.entry, record.pointee.key.context == key.context { return record }
            slot = (slot &+ 1) & (capacity &- 1)
        }
        return nil
    }

    private func insert(_ record: UnsafeMutablePointer<Record>) {
        var slot = firstSlot(of: record.pointee.key)
        while table[slot] != nil { slot = (slot &+ 1) & (capacity &- 1) }
        table[slot] = record
    }

    private mutating func grow() {
        table.deallocate()
        capacity *= 2
        table = .allocate(capacity: capacity)
        table.initialize(repeating: nil, count: capacity)
        // The oldest first: of those under one key it is the one that is found.
        var found: [UnsafeMutablePointer<Record>] = []
        found.reserveCapacity(count)
        var next = newest
        while let record = next {
            if record.pointee.key.entry != 0 { found.append(record) }
            next = record.pointee.older
        }
        for record in found.reversed() { insert(record) }
    }
}
