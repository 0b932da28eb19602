// Unsafe: sessions of threads are kept for ever, so that their addresses are always good; see `ThreadSessions`.

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

/// Frees what threads may still be looking at: entries that were replaced, and instances that were reset. The scheme is
/// epoch-based reclamation, with an epoch for each thread.
///
/// Readers take no lock and hold nothing. A thread that looks for an entry is in a read-side critical section from before
/// the lookup until it has copied the instance or has a frame that names the entry, which a chain shows (see
/// ``Session``). Both are words of its own session, so that threads do not get in each other's way. A thread that takes
/// something out waits for a grace period: until each thread has been outside of the section that it was in. Sections run
/// no user code, and are over in less than a microsecond, so the wait spins for a moment. If a thread was stopped in a
/// section, or a frame names the entry, the object goes to a retire list. The sessions that are in the way are marked, and
/// look at the list when their outermost request ends.
///
/// The sections are entered by one atomic operation that reads and writes, rather than by a store and a fence, which the
/// thread sanitizer would not see.
enum Reclamation {
    private static let sessions = Mutex<[SessionAddress]>([])
    private static let retired = Mutex(Retired())
    private static let hasRetired = Atomic<Bool>(false)

    /// How many entries may wait before all of them are looked at again, so that a thread that builds for long does not
    /// make every replacement look at all that wait for it.
    private static let entriesToDrainAt = Atomic<Int>(leastToDrain)
    private static var leastToDrain: Int { 64 }

    /// Readers that have no session, seldom and short.
    private static let anonymousReaders = Atomic<Int>(0)

    private struct SessionAddress: @unchecked Sendable {
        // Unchecked: other threads look at the atomic fields alone.
        let memory: UnsafeMutablePointer<Session>
    }

    /// What waits to be let go of.
    // Unchecked: nobody looks at it any more, it is only released.
    private struct Retired: @unchecked Sendable {
        var entries: [AnyServiceEntry] = []
        var boxes: [AnyInstanceBox] = []
        var tables: [UInt] = []

        var isEmpty: Bool { entries.isEmpty && boxes.isEmpty && tables.isEmpty }
    }

    static func add(_ memory: UnsafeMutablePointer<Session>) {
        sessions.withLock { $0.append(SessionAddress(memory: memory)) }
    }

    static func anonymousReaderEnters() {
        anonymousReaders.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }

    static func anonymousReaderLeaves() {
        // As where a section ends: what was found is retained before.
        atomicMemoryFence(ordering: .releasing)
        anonymousReaders.wrappingSubtract(1, ordering: .releasing)
    }

    /// Lets go of a box that was taken out of a cell; here and now, unless a thread does not get out of its section.
    static func retire(_ box: AnyInstanceBox) {
        if !waitForReaders() { keep(Retired(boxes: [box])) }
    }

    /// Lets go of an entry that was taken out of a registry, when nobody builds it any more.
    static func retire(_ entry: AnyServiceEntry) {
        if waitForReaders(), !isBusy(entry) { return }
        // Kept before it is looked at again: a thread that ends meanwhile finds it on the list, or is seen to have ended.
        if keep(Retired(entries: [entry])) >= entriesToDrainAt.load(ordering: .relaxed) || !isBusy(entry) { drain() }
    }

    /// Frees tables that a registry has outgrown, which readers may be looking into.
    static func retire(tables: [UInt]) {
        if tables.isEmpty { return }
        if waitForReaders() {
            for bits in tables { RegistryTable(bits: bits).free() }
        } else {
            keep(Retired(tables: tables))
        }
    }

    /// Lets go of what nobody looks at any more.
    static func drain() {
        while hasRetired.load(ordering: .sequentiallyConsistent) {
            hasRetired.store(false, ordering: .sequentiallyConsistent)
            // Released at the end of the scope, outside of the lock: a deinit may come here.
            let waiting = take()
            guard waitForReaders() else {
                keep(waiting)
                return
            }
            for bits in waiting.tables { RegistryTable(bits: bits).free() }
            let busy = Retired(entries: waiting.entries.filter { isBusy($0) })
            entriesToDrainAt.store(max(leastToDrain, 2 * busy.entries.count), ordering: .relaxed)
            if busy.isEmpty { return }
            keep(busy)
            // As above; and if one of them has become idle, once more.
            if busy.entries.allSatisfy({ isBusy($0) }) { return }
        }
    }

    /// Keeps what cannot be let go of yet, and says how many entries that are now.
    @discardableResult
    private static func keep(_ waiting: Retired) -> Int {
        let count = retired.withLock { retired in
            retired.entries += waiting.entries
            retired.boxes += waiting.boxes
            retired.tables += waiting.tables
            return retired.entries.count
        }
        hasRetired.store(true, ordering: .sequentiallyConsistent)
        return count
    }

    private static func take() -> Retired {
        retired.withLock { retired in
            let taken = retired
            retired = Retired()
            return taken
        }
    }

    /// Whether some thread has a frame that names the entry, or one that shares its chain. That thread is asked to
    /// look here when its outermost request ends.
    private static func isBusy(_ entry: AnyServiceEntry) -> Bool {
        sessions.withLock { sessions in
            var isBusy = false
            for session in sessions {
                guard Session.mayName(session.memory, entry.id) else { continue }
                session.memory.pointee.main.pointee.setDirty()
                // It may have ended before it saw that. The fence is the other half of that in `outermostEnds`.
                atomicMemoryFence(ordering: .sequentiallyConsistent)
                if Session.mayName(session.memory, entry.id) { isBusy = true }
            }
            return isBusy
        }
    }

    /// Waits for a grace period. False when a thread does not get out of its section: it was stopped, or has looked
    /// something up without using it. It is asked to look at the retire list when its next outermost request ends.
    private static func waitForReaders() -> Bool {
        var inSection: [(memory: UnsafeMutablePointer<Session>, section: UInt)] = []
        for session in sessions.withLock({ $0 }) {
            let section = session.memory.pointee.section.load(ordering: .sequentiallyConsistent)
            if section & 1 != 0 { inSection.append((session.memory, section)) }
        }
        // Waited for once, in vain.
        let isStuck = inSection.contains { $0.memory.pointee.stuckSection.load(ordering: .relaxed) == $0.section }
        if !isStuck,
            spin(until: {
                inSection.removeAll { $0.memory.pointee.section.load(ordering: .acquiring) != $0.section }
                return inSection.isEmpty && anonymousReaders.load(ordering: .sequentiallyConsistent) == 0
            })
        {
            return true
        }
        for reader in inSection {
            reader.memory.pointee.stuckSection.store(reader.section, ordering: .relaxed)
            reader.memory.pointee.main.pointee.setDirty()
        }
        return false
    }

    /// Waits for a condition that running threads fulfil at once: without rest at first, then with rests for the
    /// threads that do not run because there are more of them than processors, for a millisecond at most.
    private static func spin(until isOver: () -> Bool) -> Bool {
        for _ in 0..<100 where isOver() { return true }
        let end = SuspendingClock.now + .milliseconds(1)
        repeat {
            sched_yield()
            if isOver() { return true }
        } while SuspendingClock.now < end
        return false
    }
}
