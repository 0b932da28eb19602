/// A kept instance of whatever type.
@usableFromInline
class AnyInstanceBox {
    var anyValue: Any { fatalError("an instance box is always an InstanceBox") }

    @inlinable
    init() {}
}

/// A kept instance with its type.
@usableFromInline
final class InstanceBox<Service>: AnyInstanceBox {
    @usableFromInline let value: Service

    @inlinable
    init(_ value: Service) {
        self.value = value
        super.init()
    }

    /// A copy of the instance in a box that a cell holds.
    // Unsafe: a cell serves one entry, whose service type its ready boxes have; see `InstanceCell`.
    @inlinable
    @inline(__always)
    static func read(_ bits: UInt) -> Service {
        Unmanaged<InstanceBox<Service>>.fromOpaque(UnsafeRawPointer(bitPattern: bits).unsafelyUnwrapped)
            ._withUnsafeGuaranteedRef { $0.value }
    }

    override var anyValue: Any { value }
}

/// A value that was put into a cell and is not of the cell's service, kept for the error that says so.
final class ForeignBox: AnyInstanceBox {
    private let value: Any

    init(_ value: Any) {
        self.value = value
        super.init()
    }

    override var anyValue: Any { value }
}

extension AnyInstanceBox {
    // Unsafe: bits come from a cell that owns a count of the box.
    static func fromBits(_ bits: UInt) -> AnyInstanceBox? {
        UnsafeRawPointer(bitPattern: bits).map { Unmanaged<AnyInstanceBox>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension Unmanaged {
    /// The address as a number, for atomic slots.
    var bits: UInt { UInt(bitPattern: toOpaque()) }
}
