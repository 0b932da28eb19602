// Unsafe: a view over raw memory laid out as a header of two words and `capacity` slots; see `Registry` for what keeps
// it alive and sound. `Integration/Checks/thirty-two-bit` compiles this file for targets of 32 bits.

public import Synchronization

/// The memory of one table of a ``Registry``: a power of two of slots behind a short header.
///
/// A slot is told by its distance in bytes from the first one, which is what an address needs.
@usableFromInline
struct RegistryTable {
    @usableFromInline let base: UnsafeMutableRawPointer

    @usableFromInline
    struct Header {
        /// Makes the distance of the first slot to look at from a tag.
        @usableFromInline let shift: UInt
        /// The distance of the last slot.
        @usableFromInline let last: Int
    }

    /// A slot is empty while its tag is zero. The entry is written before the tag, so who sees the tag sees the entry.
    @usableFromInline
    struct Slot: ~Copyable {
        @usableFromInline let tag = Atomic<UInt>(0)
        @usableFromInline let entry = Atomic<UInt>(0)
    }

    @inlinable
    @inline(__always)
    init(bits: UInt) {
        base = UnsafeMutableRawPointer(bitPattern: bits).unsafelyUnwrapped
    }

    /// The smallest capacity at which so many entries use at most a third of the slots.
    static func capacity(for entries: Int) -> Int {
        var capacity = 8
        while entries * 3 > capacity { capacity *= 2 }
        return capacity
    }

    /// Makes an empty table.
    init(capacity: Int) {
        let stride = MemoryLayout<Slot>.stride
        base = .allocate(
            byteCount: MemoryLayout<Header>.stride + capacity * stride,
            alignment: MemoryLayout<Slot>.alignment
        )
        let shift = UInt.bitWidth - capacity.trailingZeroBitCount - stride.trailingZeroBitCount
        base.initializeMemory(as: Header.self, to: Header(shift: UInt(shift), last: (capacity - 1) * stride))
        // All at once: an atomic number that is zero is a word that is zero.
        (base + MemoryLayout<Header>.stride)
            .initializeMemory(as: UInt.self, repeating: 0, count: capacity * stride / MemoryLayout<UInt>.stride)
    }

    func free() {
        base.deallocate()
    }

    @inlinable
    @inline(__always)
    var header: Header { base.assumingMemoryBound(to: Header.self).pointee }

    @inlinable
    @inline(__always)
    func address(_ slot: Int) -> UnsafeMutablePointer<Slot> {
        (base + MemoryLayout<Header>.stride + slot).assumingMemoryBound(to: Slot.self)
    }

    var bits: UInt { UInt(bitPattern: base) }

    var slots: StrideThrough<Int> { stride(from: 0, through: header.last, by: MemoryLayout<Slot>.stride) }

    var capacity: Int { header.last / MemoryLayout<Slot>.stride + 1 }

    @inlinable
    @inline(__always)
    func firstSlot(of tag: KeyTag) -> Int {
        Int(bitPattern: tag.bits &>> header.shift) & ~(MemoryLayout<Slot>.stride &- 1)
    }

    @inlinable
    @inline(__always)
    func next(_ slot: Int) -> Int { (slot &+ MemoryLayout<Slot>.stride) & header.last }

    @inlinable
    @inline(__always)
    func tag(at slot: Int) -> UInt { address(slot).pointee.tag.load(ordering: .acquiring) }

    @inlinable
    @inline(__always)
    // Sequentially consistent, with the exchange below, for the order with reading sections; see `Reclamation`.
    func entry(at slot: Int) -> UInt { address(slot).pointee.entry.load(ordering: .sequentiallyConsistent) }

    /// The entry in the first slot with the tag, or zero.
    @inlinable
    @inline(__always)
    func find(_ tag: KeyTag) -> UInt {
        var slot = firstSlot(of: tag)
        while true {
            let found = self.tag(at: slot)
            if found == tag.bits { return entry(at: slot) }
            if found == 0 { return 0 }
            slot = next(slot)
        }
    }

    /// The entries in all slots with the tag.
    func entries(_ tag: KeyTag) -> [UInt] {
        var found: [UInt] = []
        var slot = firstSlot(of: tag)
        while self.tag(at: slot) != 0 {
            if self.tag(at: slot) == tag.bits, entry(at: slot) != 0 { found.append(entry(at: slot)) }
            slot = next(slot)
        }
        return found
    }

    func freeSlot(for tag: KeyTag) -> Int {
        var slot = firstSlot(of: tag)
        while self.tag(at: slot) != 0 { slot = next(slot) }
        return slot
    }

    func setEntry(_ bits: UInt, at slot: Int) { address(slot).pointee.entry.store(bits, ordering: .releasing) }

    func setTag(_ bits: UInt, at slot: Int) { address(slot).pointee.tag.store(bits, ordering: .releasing) }

    func exchangeEntry(_ bits: UInt, at slot: Int) -> UInt {
        address(slot).pointee.entry.exchange(bits, ordering: .sequentiallyConsistent)
    }

    func forEachEntry(_ body: (UnsafeRawPointer) -> Void) {
        for slot in slots {
            if let pointer = UnsafeRawPointer(bitPattern: entry(at: slot)) { body(pointer) }
        }
    }
}
