// Unsafe: the reference owns one count of the object whose bits it holds; `exchange` hands that of the old one over.

public import Synchronization

/// A reference that threads may read while it is being changed. Who reads must know what keeps the object alive.
@usableFromInline
struct AtomicReference<Object: AnyObject>: ~Copyable {
    @usableFromInline let bits: Atomic<UInt>

    init(_ object: Object?) {
        bits = Atomic(object.map { Unmanaged.passRetained($0).bits } ?? 0)
    }

    deinit {
        _ = AtomicReference.taking(bits.load(ordering: .acquiring))
    }

    /// The object, not retained.
    @inlinable
    @inline(__always)
    var unmanaged: Unmanaged<Object>? {
        UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)).map { Unmanaged.fromOpaque($0) }
    }

    /// The object.
    var object: Object? { unmanaged?.takeUnretainedValue() }

    /// Puts another object in place and gives back the one that was there.
    func exchange(_ object: Object?) -> Object? {
        let fresh = object.map { Unmanaged.passRetained($0).bits } ?? 0
        return AtomicReference.taking(bits.exchange(fresh, ordering: .acquiringAndReleasing))
    }

    /// Puts a successor in the place of an object, unless something else is there by now.
    func replace(_ expected: Object?, with successor: (Object?) -> Object) -> Bool {
        let fresh = Unmanaged.passRetained(successor(expected))
        let old = expected.map { Unmanaged.passUnretained($0).bits } ?? 0
        if bits.compareExchange(expected: old, desired: fresh.bits, ordering: .acquiringAndReleasing).exchanged {
            _ = AtomicReference.taking(old)
            return true
        }
        fresh.release()
        return false
    }

    /// Puts the first object in place. False when there is one.
    func setFirst(_ object: Object) -> Bool {
        let fresh = Unmanaged.passRetained(object)
        if bits.compareExchange(expected: 0, desired: fresh.bits, ordering: .acquiringAndReleasing).exchanged {
            return true
        }
        fresh.release()
        return false
    }

    /// The object or, if there is none yet, this one.
    func objectOrMade(_ made: Object) -> Object {
        let fresh = Unmanaged.passRetained(made)
        let (exchanged, original) = bits.compareExchange(
            expected: 0,
            desired: fresh.bits,
            ordering: .acquiringAndReleasing
        )
        if exchanged { return made }
        fresh.release()
        return Unmanaged<Object>.fromOpaque(UnsafeRawPointer(bitPattern: original)!).takeUnretainedValue()
    }

    private static func taking(_ bits: UInt) -> Object? {
        UnsafeRawPointer(bitPattern: bits).map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
    }
}

extension AtomicReference: Sendable where Object: Sendable {}
