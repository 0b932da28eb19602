// Unsafe: a view over raw memory laid out as a header of two words and `capacity` slots; see `Registry` for what keeps
// it alive and sound.

internal import Synchronization

/// The memory of one table of a ``Registry``: a power of two of slots behind a short header.
struct RegistryTable {
    let base: UnsafeMutableRawPointer

    private struct Header {
        let shift: UInt
        let mask: Int
    }

    /// A slot is empty while its tag is zero. The entry is written before the tag, so who sees the tag sees the entry.
    private struct Slot: ~Copyable {
        let tag = Atomic<UInt>(0)
        let entry = Atomic<UInt>(0)
    }

    /// The smallest capacity at which so many entries use at most a third of the slots.
    static func capacity(for entries: Int) -> Int {
        var capacity = 8
        while entries * 3 > capacity { capacity *= 2 }
        return capacity
    }

    static func make(capacity: Int) -> RegistryTable {
        let size = MemoryLayout<Header>.stride + capacity * MemoryLayout<Slot>.stride
        let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<Slot>.alignment)
        let shift = UInt(UInt.bitWidth - capacity.trailingZeroBitCount)
        base.initializeMemory(as: Header.self, to: Header(shift: shift, mask: capacity - 1))
        let table = RegistryTable(base: base)
        for slot in 0..<capacity { (table.slots + slot).initialize(to: Slot()) }
        return table
    }

    func free() {
        base.deallocate()
    }

    @inline(__always)
    private var header: Header { base.assumingMemoryBound(to: Header.self).pointee }

    @inline(__always)
    private var slots: UnsafeMutablePointer<Slot> {
        (base + MemoryLayout<Header>.stride).assumingMemoryBound(to: Slot.self)
    }

    var capacity: Int { header.mask + 1 }

    @inline(__always)
    func firstSlot(of tag: KeyTag) -> Int { Int(bitPattern: tag.bits &>> header.shift) }

    @inline(__always)
    func next(_ slot: Int) -> Int { (slot &+ 1) & header.mask }

    @inline(__always)
    func tag(at slot: Int) -> UInt { slots[slot].tag.load(ordering: .acquiring) }

    @inline(__always)
    // Sequentially consistent, with the exchange below, for the order with reading sections; see `Reclamation`.
    func entry(at slot: Int) -> UInt { slots[slot].entry.load(ordering: .sequentiallyConsistent) }

    /// The entry in the first slot with the tag, or zero.
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

    func setEntry(_ bits: UInt, at slot: Int) { slots[slot].entry.store(bits, ordering: .releasing) }

    func setTag(_ bits: UInt, at slot: Int) { slots[slot].tag.store(bits, ordering: .releasing) }

    func exchangeEntry(_ bits: UInt, at slot: Int) -> UInt {
        slots[slot].entry.exchange(bits, ordering: .sequentiallyConsistent)
    }

    func forEachEntry(_ body: (UnsafeRawPointer) -> Void) {
        for slot in 0..<capacity {
            if let pointer = UnsafeRawPointer(bitPattern: entry(at: slot)) { body(pointer) }
        }
    }
}
