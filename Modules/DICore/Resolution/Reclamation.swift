// Unsafe: sessions of threads are kept for ever, so that their addresses are always good; see `ResolutionSession`.

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

/// Frees what threads may still be looking at: entries that were replaced, and instances that were reset.
///
/// Readers take no lock and hold nothing. A thread that looks for an entry is in a reading section from before the
/// look-up until it has copied the instance or has a frame that names the entry, which a counter shows (see
/// ``Session``). Both are words of its own session, so that threads do not get in each other's way. Who takes something
/// out waits until each thread has been seen outside of the section that it was in; sections run no user code, and are
/// over in less than a microsecond. An entry that is being built is left to the thread that builds it.
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
    private static let strangers = Atomic<Int>(0)

    private struct SessionAddress: @unchecked Sendable {
        // Unchecked: other threads look at the atomic fields alone.
        let memory: UnsafeMutablePointer<Session>
    }

    /// What waits to be let go of.
    // Unchecked: nobody looks at it any more, it is only released.
    private struct Retired: @unchecked Sendable {
        var entries: [AnyServiceEntry] = []
        var boxes: [AnyInstanceBox] = []
    }

    static func add(_ memory: UnsafeMutablePointer<Session>) {
        sessions.withLock { $0.append(SessionAddress(memory: memory)) }
    }

    static func strangerEnters() {
        strangers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }

    static func strangerLeaves() {
        // As where a section ends: what was found is retained before.
        atomicMemoryFence(ordering: .releasing)
        strangers.wrappingSubtract(1, ordering: .releasing)
    }

    /// Lets go of a box that was taken out of a cell; here and now, unless a thread does not get out of its section.
    static func retire(_ box: AnyInstanceBox) {
        if !waitForReaders() { keep(Retired(boxes: [box])) }
    }

    /// Lets go of an entry that was taken out of a registry, when nobody builds it any more.
    static func retire(_ entry: AnyServiceEntry) {
        if waitForReaders(), !isBusy(entry) { return }
        if keep(Retired(entries: [entry])) >= entriesToDrainAt.load(ordering: .relaxed) { drain() }
    }

    /// Frees the tables that a registry has outgrown.
    static func freeOutgrownTables(of registry: Registry) {
        registry.freeOutgrownTables(ifUnread: waitForReaders)
    }

    /// Lets go of what nobody looks at any more.
    static func drain() {
        guard hasRetired.load(ordering: .relaxed) else { return }
        hasRetired.store(false, ordering: .sequentiallyConsistent)
        // Released at the end of the scope, outside of the lock: a deinit may come here.
        let waiting = take()
        let isOver = waitForReaders()
        let busy = isOver ? Retired(entries: waiting.entries.filter { isBusy($0) }) : waiting
        entriesToDrainAt.store(max(leastToDrain, 2 * busy.entries.count), ordering: .relaxed)
        if !busy.entries.isEmpty || !busy.boxes.isEmpty { keep(busy) }
    }

    /// Keeps what cannot be let go of yet, and says how many entries that are now.
    @discardableResult
    private static func keep(_ waiting: Retired) -> Int {
        let count = retired.withLock { retired in
            retired.entries += waiting.entries
            retired.boxes += waiting.boxes
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

    /// Whether some thread has a frame that names the entry, or one that shares its counter. That thread is asked to
    /// look here when its outermost request ends.
    private static func isBusy(_ entry: AnyServiceEntry) -> Bool {
        sessions.withLock { sessions in
            var isBusy = false
            for session in sessions {
                let counter = Session.counter(session.memory, of: entry.id)
                guard counter.pointee.load(ordering: .acquiring) != 0 else { continue }
                session.memory.pointee.main.pointee.setDirty()
                // It may have ended before it saw that.
                if counter.pointee.load(ordering: .sequentiallyConsistent) != 0 { isBusy = true }
            }
            return isBusy
        }
    }

    /// Waits until every thread has been outside of a reading section. False when one does not get out: it was stopped, or
    /// has looked something up without using it.
    private static func waitForReaders() -> Bool {
        for session in sessions.withLock({ $0 }) {
            let section = session.memory.pointee.section.load(ordering: .sequentiallyConsistent)
            guard section & 1 != 0 else { continue }
            // Waited for once, in vain.
            if session.memory.pointee.stuckSection.load(ordering: .relaxed) == section { return false }
            guard wait(until: { session.memory.pointee.section.load(ordering: .acquiring) != section }) else {
                session.memory.pointee.stuckSection.store(section, ordering: .relaxed)
                return false
            }
        }
        return wait { strangers.load(ordering: .sequentiallyConsistent) == 0 }
    }

    /// A reader that is running is out at once. One that is not, because there are more threads than processors, is given
    /// the time to be.
    private static func wait(until isOver: () -> Bool) -> Bool {
        for round in 0..<1000 {
            if isOver() { return true }
            if round >= 200 {
                usleep(100)
            } else if round >= 100 {
                sched_yield()
            }
        }
        return false
    }
}
