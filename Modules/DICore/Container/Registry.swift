// Unsafe: the table is raw memory, because an array cannot be read while it is written to. What keeps it sound:
// tables are freed only by `deinit`, slots are atomic, a tag is never changed once written, and an entry that was
// taken out is returned to the caller, who owns its release.

public import Synchronization

/// Finds entries by key: the look-up that the framework exists for.
///
/// An open-addressing table over the bits of the key. Readers take no lock and write nothing. Writers insert in place,
/// one at a time, and copy only to grow; outgrown tables stay until the registry dies, or until an owner that knows that
/// nobody is reading lets them go. A slot belongs to its tag for good, so a removed registration leaves no tombstone
/// behind and registering its key again takes the same slot.
///
/// Each ``ResolutionContext`` has one.
///
/// - Complexity: a find takes one probe in most cases, as at most a third of the slots are in use.
@usableFromInline
package final class Registry: @unchecked Sendable {
    // Unchecked: readers use the atomic table alone, all else is written inside the mutex.
    // As a number: the look-up would test a pointer for null.
    @usableFromInline let tableBits: Atomic<UInt>
    private let writer = Mutex(Writer())

    /// How many look-ups are comparing options, which is a user's code and may come back here.
    private let comparisons = Atomic<Int>(0)

    private struct Writer {
        var version = 0
        var usedSlots = 0
        var outgrown: [UInt] = []
        /// The entries by their bits, each held by its slot.
        var contributions: [ObjectIdentifier: [UInt]] = [:]
    }

    /// Makes an empty registry.
    package init() {
        tableBits = Atomic(RegistryTable(capacity: 8).bits)
    }

    deinit {
        let live = table
        // Entries go after the memory is ours alone: their instances' deinits may run any code, and no reader is left.
        live.forEachEntry { Unmanaged<AnyServiceEntry>.fromOpaque($0).release() }
        live.free()
        writer.withLock { writer in
            for bits in writer.outgrown { RegistryTable(bits: bits).free() }
        }
    }

    private var table: RegistryTable { RegistryTable(bits: tableBits.load(ordering: .acquiring)) }

    // MARK: Finding

    // Sequentially consistent, here and where it is replaced, for the order with reading sections: who looks into an
    // outgrown table must be seen doing so.
    @inlinable
    @inline(__always)
    var readTable: RegistryTable { RegistryTable(bits: tableBits.load(ordering: .sequentiallyConsistent)) }

    /// The bits of the entry under a tag that no two keys share, or zero.
    @inlinable
    @inline(__always)
    func find(unique tag: KeyTag) -> UInt {
        readTable.find(tag)
    }

    /// The bits of the entry for a key, or zero.
    @inline(__always)
    func find(_ key: ServiceKey, tag: KeyTag) -> UInt {
        tag.isUnique ? find(unique: tag) : findVerified(key, tag: tag)
    }

    /// Looks at the first entry with the tag, which nearly always is the one, and leaves the rest to another function.
    @inline(__always)
    private func findVerified(_ key: ServiceKey, tag: KeyTag) -> UInt {
        if key.boxedOption == nil {
            let bits = find(unique: tag)
            if bits != 0, AnyServiceEntry.withBits(bits, { $0.isPlainly(key) }) { return bits }
        }
        return findComparing(key, tag: tag)
    }

    @inline(never)
    private func findComparing(_ key: ServiceKey, tag: KeyTag) -> UInt {
        let comparesOptions = key.boxedOption != nil
        if comparesOptions { comparisons.wrappingAdd(1, ordering: .relaxed) }
        defer { if comparesOptions { comparisons.wrappingSubtract(1, ordering: .relaxed) } }
        let table = readTable
        var slot = table.firstSlot(of: tag)
        while true {
            let found = table.tag(at: slot)
            if found == 0 { return 0 }
            if found == tag.bits {
                let bits = table.entry(at: slot)
                // Held: `==` may be a user's, and remove the entry.
                let entry = bits == 0 ? nil : AnyServiceEntry.fromBits(bits)
                if let entry, entry.answers(to: key) {
                    return holds(entry, tag: tag) ? bits : findComparing(key, tag: tag)
                }
            }
            slot = table.next(slot)
        }
    }

    /// The entry registered under exactly this key.
    package func entry(for key: ServiceKey) -> AnyServiceEntry? {
        let tag = KeyTag(key)
        // Retained inside, where nothing is taken out; compared outside, since `==` may be a user's.
        return writer.withLock { _ in retainedCandidates(tag) }.compactMap(AnyServiceEntry.takingBits)
            .first { $0.answers(to: key) }
    }

    /// Whether an entry is in the table at this moment.
    func holds(_ entry: AnyServiceEntry, tag: KeyTag) -> Bool {
        readTable.entries(tag)
            .contains(Unmanaged.passUnretained(entry).bits)
    }

    /// Every entry, in the order of registration.
    package var entries: [AnyServiceEntry] {
        // Inside, nothing is taken out before it is retained.
        let found = writer.withLock { _ in
            var found: [AnyServiceEntry] = []
            table.forEachEntry {
                found.append(Unmanaged<AnyServiceEntry>.fromOpaque($0).takeUnretainedValue())
            }
            return found
        }
        return found.sorted { $0.order < $1.order }
    }

    /// The contributions to the collection of a type, in the order of registration.
    package func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] {
        writer.withLock { writer in
            writer.contributions[ObjectIdentifier(serviceType), default: []].map(AnyServiceEntry.fromBits)
        }
    }

    // MARK: Writing

    /// Puts an entry under its key and gives back the one that it replaces.
    ///
    /// The caller releases what comes back where it likes: user code may run in its deinit.
    @discardableResult
    package func insert(_ entry: AnyServiceEntry) -> AnyServiceEntry? {
        let key = entry.key
        let tag = KeyTag(key)
        let bits = Unmanaged.passRetained(entry).bits
        let replaced = write(key, tag) { writer, slot in
            if key.option is Contribution {
                writer.contributions[ObjectIdentifier(key.serviceType), default: []].append(bits)
            }
            let table = makeRoom(&writer, for: slot)
            if let slot {
                let replaced = table.exchangeEntry(bits, at: slot)
                if key.option is Contribution {
                    writer.contributions[ObjectIdentifier(key.serviceType)]?.removeAll { $0 == replaced }
                }
                return replaced
            }
            let slot = table.freeSlot(for: tag)
            table.setEntry(bits, at: slot)
            table.setTag(tag.bits, at: slot)
            writer.usedSlots += 1
            return 0
        }
        return AnyServiceEntry.takingBits(replaced)
    }

    /// Takes the entry under a key out and gives it back.
    @discardableResult
    package func remove(_ key: ServiceKey) -> AnyServiceEntry? {
        let removed = write(key, KeyTag(key)) { writer, slot in
            guard let slot else { return 0 }
            let bits = table.exchangeEntry(0, at: slot)
            if key.option is Contribution {
                writer.contributions[ObjectIdentifier(key.serviceType)]?.removeAll { $0 == bits }
            }
            return bits
        }
        return AnyServiceEntry.takingBits(removed)
    }

    /// Takes every entry out and gives them back, in the order of registration.
    package func removeAll() -> [AnyServiceEntry] {
        let removed = writer.withLock { writer in
            writer.version += 1
            writer.contributions = [:]
            let table = table
            return table.slots.map { table.exchangeEntry(0, at: $0) }
        }
        return removed.compactMap(AnyServiceEntry.takingBits).sorted { $0.order < $1.order }
    }

    /// Frees the tables that were outgrown. Only for an owner that knows that nobody is reading.
    func freeOutgrownTables() {
        guard comparisons.load(ordering: .relaxed) == 0 else { return }
        for bits in takeOutgrownTables() { RegistryTable(bits: bits).free() }
    }

    /// Hands the tables that were outgrown over.
    func takeOutgrownTables() -> [UInt] {
        writer.withLock { writer in
            let outgrown = writer.outgrown
            writer.outgrown = []
            return outgrown
        }
    }

    /// Finds the slot that a key has and hands it to the body, inside the lock.
    ///
    /// With an option the comparison runs a user's `==`, so the slot is found outside the lock, among entries that were
    /// retained inside, and it is tried again when somebody has written meanwhile.
    private func write(_ key: ServiceKey, _ tag: KeyTag, body: (inout Writer, _ slot: Int?) -> UInt) -> UInt {
        if key.boxedOption == nil {
            return writer.withLock { writer in
                writer.version += 1
                let slot = self.slot(tag) { bits in
                    tag.isUnique || AnyServiceEntry.withBits(bits) { $0.answers(to: key) }
                }
                return body(&writer, slot)
            }
        }
        while true {
            let (version, candidates) = writer.withLock { writer in (writer.version, self.retainedCandidates(tag)) }
            let match = candidates.compactMap(AnyServiceEntry.takingBits).first { $0.answers(to: key) }
            let bits: UInt? = writer.withLock { writer in
                guard writer.version == version else { return nil }
                writer.version += 1
                let slot = self.slot(tag) { bits in match.map { Unmanaged.passUnretained($0).bits == bits } ?? false }
                return body(&writer, slot)
            }
            if let bits { return bits }
        }
    }

    /// The entries that may have a key. Only inside the lock, where nothing is taken out before it is retained.
    private func retainedCandidates(_ tag: KeyTag) -> [UInt] {
        table.entries(tag).map { bits in AnyServiceEntry.withBits(bits) { Unmanaged.passRetained($0).bits } }
    }

    /// The slot with the tag whose entry satisfies a condition or, failing that, has been removed.
    private func slot(_ tag: KeyTag, where isWanted: (UInt) -> Bool) -> Int? {
        let table = table
        var slot = table.firstSlot(of: tag)
        var vacant: Int?
        while true {
            let found = table.tag(at: slot)
            if found == 0 { return vacant }
            if found == tag.bits {
                let bits = table.entry(at: slot)
                if bits == 0 {
                    vacant = vacant ?? slot
                } else if isWanted(bits) {
                    return slot
                }
            }
            slot = table.next(slot)
        }
    }

    /// The table to insert into: the live one, or a fresh copy of it when a new slot is needed and a third is used.
    private func makeRoom(_ writer: inout Writer, for slot: Int?) -> RegistryTable {
        let current = table
        guard slot == nil, (writer.usedSlots + 1) * 3 > current.capacity else { return current }
        // Slots of removed keys are not copied, so what decides the size is how many entries are alive.
        var alive = 0
        current.forEachEntry { _ in alive += 1 }
        let fresh = RegistryTable(capacity: RegistryTable.capacity(for: max(alive * 2, 1)))
        writer.usedSlots = 0
        for slot in current.slots {
            let entry = current.entry(at: slot)
            guard entry != 0 else { continue }
            let tag = KeyTag(bits: current.tag(at: slot))
            let target = fresh.freeSlot(for: tag)
            fresh.setEntry(entry, at: target)
            fresh.setTag(tag.bits, at: target)
            writer.usedSlots += 1
        }
        writer.outgrown.append(current.bits)
        tableBits.store(fresh.bits, ordering: .sequentiallyConsistent)
        return fresh
    }
}
