// Unsafe: the cell owns one reference count of each box whose bits it holds; every place that puts bits in or takes
// bits out says who owns the count afterwards.

public import Synchronization

/// Holds one instance, typed by its service and one load away.
///
/// A storage that keeps one instance until it is reset offers its cell to the core (see
/// ``InstanceStorage/sharedCell``); the core then answers from the cell without asking the storage. A cell serves one
/// entry.
public final class InstanceCell: Sendable {
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
    static let none = InstanceCell()

    /// The instance, or nil; what is set becomes the answer to the next request.
    public var instance: Any? {
        get {
            let isForThreads = isForThreads.load(ordering: .relaxed)
            if isForThreads { Reclamation.strangerEnters() }
            let box =
                AnyInstanceBox.fromBits(ready.load(ordering: .sequentiallyConsistent))
                ?? AnyInstanceBox.fromBits(unfinished.load(ordering: .sequentiallyConsistent))
            if isForThreads { Reclamation.strangerLeaves() }
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

    /// Keeps a box that only the one that is building may see as done.
    func store(unfinished box: AnyInstanceBox) {
        release(unfinished.exchange(Unmanaged.passRetained(box).bits, ordering: .sequentiallyConsistent))
    }

    /// Keeps a box as the answer to every request.
    func store(ready box: AnyInstanceBox) {
        let old = ready.exchange(Unmanaged.passRetained(box).bits, ordering: .sequentiallyConsistent)
        let unfinished = unfinished.exchange(0, ordering: .sequentiallyConsistent)
        release(old)
        release(unfinished)
    }

    /// Makes the unfinished box the answer to every request, if it is still this one.
    func publish(_ box: AnyInstanceBox) {
        let bits = Unmanaged.passUnretained(box).bits
        guard unfinished.compareExchange(expected: bits, desired: 0, ordering: .sequentiallyConsistent).exchanged
        else { return }
        release(ready.exchange(bits, ordering: .sequentiallyConsistent))
    }

    /// Takes a box out, if it is the one that is kept.
    func take(_ box: AnyInstanceBox) {
        let bits = Unmanaged.passUnretained(box).bits
        if unfinished.compareExchange(expected: bits, desired: 0, ordering: .sequentiallyConsistent).exchanged {
            release(bits)
        }
        if ready.compareExchange(expected: bits, desired: 0, ordering: .sequentiallyConsistent).exchanged {
            release(bits)
        }
    }

    private func clear() {
        let old = ready.exchange(0, ordering: .sequentiallyConsistent)
        let unfinished = unfinished.exchange(0, ordering: .sequentiallyConsistent)
        release(old)
        release(unfinished)
    }

    private func put(_ value: Any) {
        let bits = serviceType.load(ordering: .relaxed)
        guard bits != 0 else { return store(unfinished: ForeignBox(value)) }
        func box<Service>(_ type: Service.Type) -> AnyInstanceBox? { (value as? Service).map(InstanceBox.init) }
        if let box = _openExistential(unsafeBitCast(bits, to: Any.Type.self), do: box) {
            store(ready: box)
        } else {
            // Kept apart so that the request finds it and says which type it has; a typed read would be unsound.
            let old = ready.exchange(0, ordering: .sequentiallyConsistent)
            store(unfinished: ForeignBox(value))
            release(old)
        }
    }

    private func release(_ bits: UInt) {
        guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return }
        let box = Unmanaged<AnyInstanceBox>.fromOpaque(pointer).takeRetainedValue()
        if isForThreads.load(ordering: .relaxed) { Reclamation.retire(box) }
    }
}
