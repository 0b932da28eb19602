// Unsafe: the cell owns one reference count of each box whose bits it holds; every place that puts bits in or takes
// bits out says who owns the count afterwards.

public import Synchronization

/// Holds one instance, typed by its service and one load away.
///
/// A storage that keeps one instance until it is reset offers its cell to the core (see
/// ``InstanceStorage/sharedCell``); the core then answers from the cell without asking the storage. A cell serves one
/// entry.
///
/// A cell belongs to its storage: it is not `Sendable`, since it may hold what is not.
public final class InstanceCell {
    /// What every request may have: the bits of an ``InstanceBox`` of the service, or zero.
    @usableFromInline let ready = Atomic<UInt>(0)

    /// An instance that is stored but whose callbacks have not finished, or that was put in with a wrong type.
    let unfinished = Atomic<UInt>(0)

    /// The entry whose service types the boxes: bits of a metatype, or zero while nobody uses the cell.
    private let serviceType = Atomic<UInt>(0)

    /// Whether threads may be reading the cell, so that what it lets go of must wait for them.
    private let isForThreads = Atomic<Bool>(false)

    /// Makes an empty cell.
    public init() {}

    deinit {
        // Nobody is left who could be reading.
        for bits in [ready.load(ordering: .acquiring), unfinished.load(ordering: .acquiring)] where bits != 0 {
            Unmanaged<AnyInstanceBox>.fromOpaque(UnsafeRawPointer(bitPattern: bits)!).release()
        }
    }

    func share() {
        isForThreads.store(true, ordering: .relaxed)
    }

    /// The cell of every entry that has none: always empty.
    // Unsafe: nobody puts anything into it.
    nonisolated(unsafe) static let none = InstanceCell()

    /// The instance, or nil; what is set becomes the answer to the next request.
    public var instance: Any? {
        get {
            let isForThreads = isForThreads.load(ordering: .relaxed)
            if isForThreads { Reclamation.anonymousReaderEnters() }
            let box =
                AnyInstanceBox.fromBits(ready.load(ordering: .sequentiallyConsistent))
                ?? AnyInstanceBox.fromBits(unfinished.load(ordering: .sequentiallyConsistent))
            if isForThreads { Reclamation.anonymousReaderLeaves() }
            return box?.anyValue
        }
        set {
            guard let newValue else { return clear() }
            put(newValue)
        }
    }

    /// Claims the cell for a service. False when it serves another one already, and then it cannot be read typed.
    func bind(to type: Any.Type) -> Bool {
        let bits = UInt(bitPattern: ObjectIdentifier(type))
        let (exchanged, original) = serviceType.compareExchange(expected: 0, desired: bits, ordering: .relaxed)
        guard exchanged else { return original == bits }
        if let early = instance { put(early) }
        return true
    }

    /// The box that is ready.
    func finishedBox(_ session: UnsafeMutablePointer<Session>) -> AnyInstanceBox? {
        reading(session) { InstanceCell.box(ready.load(ordering: .sequentiallyConsistent)) }
    }

    /// The box that is ready or, failing that, the unfinished one.
    func box(_ session: UnsafeMutablePointer<Session>) -> AnyInstanceBox? {
        finishedBox(session)
            ?? reading(session) { InstanceCell.box(unfinished.load(ordering: .sequentiallyConsistent)) }
    }

    private static func box(_ bits: UInt) -> AnyInstanceBox? {
        pauseReader()
        return AnyInstanceBox.fromBits(bits)
    }

    private func reading(
        _ session: UnsafeMutablePointer<Session>,
        _ body: () -> AnyInstanceBox?
    ) -> AnyInstanceBox? {
        isForThreads.load(ordering: .relaxed) ? Session.reading(session, body) : body()
    }

    /// Keeps a box that only the session that builds may see as done. Gives back what it replaces.
    func store(unfinished box: AnyInstanceBox) -> [AnyInstanceBox] {
        let old = unfinished.exchange(Unmanaged.passRetained(box).bits, ordering: .sequentiallyConsistent)
        return [InstanceCell.taking(old)].compactMap(\.self)
    }

    /// Keeps a box as the answer to every request. Gives back what it replaces.
    func store(ready box: AnyInstanceBox) -> [AnyInstanceBox] {
        let old = ready.exchange(Unmanaged.passRetained(box).bits, ordering: .sequentiallyConsistent)
        let unfinished = unfinished.exchange(0, ordering: .sequentiallyConsistent)
        // The usual case needs no memory.
        if old | unfinished == 0 { return [] }
        return [InstanceCell.taking(old), InstanceCell.taking(unfinished)].compactMap(\.self)
    }

    /// Whether nothing would be replaced when what is unfinished is published.
    var isUnfinishedAlone: Bool { ready.load(ordering: .relaxed) == 0 || unfinished.load(ordering: .relaxed) == 0 }

    /// Makes the unfinished box the answer to every request, if it is still this one.
    func publish(_ box: AnyInstanceBox, _ released: inout ReleasedObjects) {
        let bits = Unmanaged.passUnretained(box).bits
        guard unfinished.compareExchange(expected: bits, desired: 0, ordering: .sequentiallyConsistent).exchanged
        else { return }
        let old = ready.exchange(bits, ordering: .sequentiallyConsistent)
        if let old = InstanceCell.taking(old) { released.append(old, from: self) }
    }

    /// Takes a box out, if it is the one that is kept.
    func take(_ box: AnyInstanceBox, _ released: inout ReleasedObjects) {
        let bits = Unmanaged.passUnretained(box).bits
        if unfinished.compareExchange(expected: bits, desired: 0, ordering: .sequentiallyConsistent).exchanged,
            let box = InstanceCell.taking(bits)
        {
            released.append(box, from: self)
        }
        if ready.compareExchange(expected: bits, desired: 0, ordering: .sequentiallyConsistent).exchanged,
            let box = InstanceCell.taking(bits)
        {
            released.append(box, from: self)
        }
    }

    private func clear() {
        let old = ready.exchange(0, ordering: .sequentiallyConsistent)
        let unfinished = unfinished.exchange(0, ordering: .sequentiallyConsistent)
        retire([InstanceCell.taking(old), InstanceCell.taking(unfinished)].compactMap(\.self))
    }

    private func put(_ value: Any) {
        let bits = serviceType.load(ordering: .relaxed)
        guard bits != 0 else { return retire(store(unfinished: ForeignBox(value))) }
        func box<Service>(_ type: Service.Type) -> AnyInstanceBox? { (value as? Service).map(InstanceBox.init) }
        if let box = _openExistential(unsafeBitCast(bits, to: Any.Type.self), do: box) {
            retire(store(ready: box))
        } else {
            // Kept apart so that the request finds it and says which type it has; a typed read would be unsound.
            let old = ready.exchange(0, ordering: .sequentiallyConsistent)
            retire(store(unfinished: ForeignBox(value)) + [InstanceCell.taking(old)].compactMap(\.self))
        }
    }

    /// Takes over the count that the cell had.
    private static func taking(_ bits: UInt) -> AnyInstanceBox? {
        UnsafeRawPointer(bitPattern: bits).map { Unmanaged<AnyInstanceBox>.fromOpaque($0).takeRetainedValue() }
    }

    private func retire(_ boxes: [AnyInstanceBox]) {
        for box in boxes { retire(box) }
    }

    /// Sees to it that a box that was taken out is not freed while a thread reads it. The caller releases it after.
    func retire(_ box: AnyInstanceBox) {
        if isForThreads.load(ordering: .relaxed) { Reclamation.retire(box) }
    }
}
