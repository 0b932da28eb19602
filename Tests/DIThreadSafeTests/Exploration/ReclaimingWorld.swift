/// Threads that look into a slot and threads that replace what is in it, written down step by step as the core does it: the
/// reading sections of `Session`, and `Reclamation`. Each step reads or writes once what the threads share.
struct ReclaimingWorld: Hashable {
    enum Role: Hashable {
        /// Reads an instance inside of a section.
        case reads
        /// Finds an entry inside of a section, and uses it outside, where a counter shows that.
        case builds
        /// Takes an instance out.
        case removesInstance
        /// Takes an entry out.
        case removesEntry
    }

    /// A fault that can be planted, to see that the exploration finds it.
    enum Fault: Hashable {
        /// A reader is in no section.
        case noSection
        /// What is kept for later is not looked at once more.
        case keptWithoutLook
        /// The mark that something waits is taken off when that has been taken.
        case clearedLate
        /// A thread that builds is let out of its section before its counter shows that.
        case countedLate
    }

    enum Stage: Hashable {
        case enter, load, read, count, leave, use, uncount, lookAround
        case exchange, snapshot(Int), poll, mark(Int), graceOver(Bool)
        case busy(Int), busyAgain(Int), busyIs(Bool)
        case keep, flag
        case drainLook, drainClear, drainTake
        case free
        case over
    }

    /// What a removing thread is doing, and what it goes on with when it has an answer.
    enum Task: Hashable { case retire, lookAgain, drain, drainLookAgain }

    struct Thread: Hashable {
        let role: Role
        var rounds: Int
        var stage: Stage
        var object: Int?
        var task = Task.retire
        /// The threads that were in a section, and in which.
        var seen: [Int: Int] = [:]
        /// What it has taken off the list, and which of that is in use.
        var waiting: [Int] = []
        var busy: [Int] = []

        init(_ role: Role, rounds: Int) {
            self.role = role
            self.rounds = rounds
            stage = role == .reads || role == .builds ? .enter : .exchange
        }

        var isForEntries: Bool { role == .builds || role == .removesEntry }
    }

    let fault: Fault?
    private(set) var threads: [Thread]
    private var slot = 0
    private var objects = 1
    private var freed: Set<Int> = []
    private var sections: [Int]
    private var stuck: [Int]
    private var dirty: [Bool]
    /// The object that a thread's counter stands for.
    private var counted: [Int?]
    private var list: [Int] = []
    private var hasRetired = false
    private(set) var violation: String?

    init(_ threads: [Thread], fault: Fault? = nil) {
        self.threads = threads
        self.fault = fault
        sections = threads.map { _ in 0 }
        stuck = threads.map { _ in 0 }
        dirty = threads.map { _ in false }
        counted = threads.map { _ in nil }
    }

    func isOver(_ thread: Int) -> Bool { threads[thread].stage == .over }

    /// When all threads are done, each of them makes one more request that ends; after that nothing may wait.
    mutating func finish() {
        for thread in threads.indices where dirty[thread] {
            dirty[thread] = false
            set(thread, .drainLook)
            while !isOver(thread) { step(thread) }
        }
        let removed = Set(0..<objects).subtracting([slot])
        if freed != removed { violation = violation ?? "\(removed.subtracting(freed).sorted()) is never freed" }
    }

    private mutating func set(_ thread: Int, _ stage: Stage) { threads[thread].stage = stage }

    private mutating func fail(_ text: String) { violation = violation ?? text }

    private mutating func free(_ object: Int) {
        if !freed.insert(object).inserted { fail("\(object) is freed twice") }
    }

    private mutating func endRound(_ thread: Int) {
        threads[thread].rounds -= 1
        threads[thread].object = nil
        threads[thread].task = .retire
        let isReader = threads[thread].role == .reads || threads[thread].role == .builds
        set(thread, threads[thread].rounds <= 0 ? .over : isReader ? .enter : .exchange)
    }

    /// Does one step of a thread.
    mutating func step(_ thread: Int) {
        let state = threads[thread]
        switch state.stage {
        case .enter:
            if fault != .noSection { sections[thread] |= 1 }
            set(thread, .load)
        case .load:
            threads[thread].object = slot
            set(thread, state.role == .reads ? .read : fault == .countedLate ? .leave : .count)
        case .read:
            if freed.contains(state.object!) { fail("\(state.object!) is read when it is freed") }
            set(thread, .leave)
        case .count:
            counted[thread] = state.object
            set(thread, fault == .countedLate ? .use : .leave)
        case .leave:
            if fault != .noSection { sections[thread] = (sections[thread] | 1) + 1 }
            if state.role == .reads { return endRound(thread) }
            set(thread, fault == .countedLate ? .count : .use)
        case .use:
            if freed.contains(state.object!) { fail("\(state.object!) is used when it is freed") }
            set(thread, .uncount)
        case .uncount:
            counted[thread] = nil
            set(thread, .lookAround)
        case .lookAround:
            guard dirty[thread] else { return endRound(thread) }
            dirty[thread] = false
            set(thread, .drainLook)
        case .over: break
        default: stepRemoving(thread, state)
        }
    }

    private mutating func stepRemoving(_ thread: Int, _ state: Thread) {
        switch state.stage {
        case .exchange:
            threads[thread].object = slot
            slot = objects
            objects += 1
            set(thread, .snapshot(0))
        // A grace period.
        case .snapshot(let index):
            if index == 0 { threads[thread].seen = [:] }
            if sections[index] & 1 != 0 { threads[thread].seen[index] = sections[index] }
            set(thread, index + 1 < threads.count ? .snapshot(index + 1) : .poll)
        case .poll:
            for (index, section) in state.seen where sections[index] != section { threads[thread].seen[index] = nil }
            let isStuck = state.seen.contains { stuck[$0.key] == $0.value }
            set(thread, threads[thread].seen.isEmpty && !isStuck ? .graceOver(true) : .mark(0))
        case .mark(let index):
            if let section = state.seen[index] {
                stuck[index] = section
                dirty[index] = true
            }
            set(thread, index + 1 < threads.count ? .mark(index + 1) : .graceOver(false))
        case .graceOver(let isOver): graceIsOver(thread, isOver)
        // Whether somebody builds what was taken out.
        case .busy(let index):
            guard counted[index] == nil || counted[index] != asked(thread) else {
                dirty[index] = true
                return set(thread, .busyAgain(index))
            }
            set(thread, index + 1 < threads.count ? .busy(index + 1) : .busyIs(false))
        case .busyAgain(let index):
            if counted[index] == asked(thread) { return set(thread, .busyIs(true)) }
            set(thread, index + 1 < threads.count ? .busy(index + 1) : .busyIs(false))
        case .busyIs(let isBusy): busyIsKnown(thread, isBusy)
        // The list.
        case .keep:
            list += state.task == .retire ? [state.object!] : state.busy
            set(thread, .flag)
        case .flag:
            hasRetired = true
            flagIsSet(thread)
        case .drainLook:
            guard hasRetired else { return endRound(thread) }
            set(thread, fault == .clearedLate ? .drainTake : .drainClear)
        case .drainClear:
            hasRetired = false
            set(thread, fault == .clearedLate ? .snapshot(0) : .drainTake)
        case .drainTake:
            threads[thread].waiting = list
            threads[thread].busy = []
            threads[thread].task = .drain
            list = []
            set(thread, fault == .clearedLate ? .drainClear : .snapshot(0))
        case .free:
            free(state.object!)
            endRound(thread)
        default: break
        }
    }

    /// The object that a removing thread asks about.
    private func asked(_ thread: Int) -> Int? {
        let state = threads[thread]
        switch state.task {
        case .retire, .lookAgain: return state.object
        case .drain: return state.waiting.first
        case .drainLookAgain: return state.busy.first
        }
    }

    private mutating func graceIsOver(_ thread: Int, _ isOver: Bool) {
        let state = threads[thread]
        switch (state.task, isOver) {
        case (.retire, true): set(thread, state.isForEntries ? .busy(0) : .free)
        case (.retire, false): set(thread, .keep)
        case (_, true): nextWaiting(thread)
        case (_, false):
            threads[thread].busy = state.waiting
            threads[thread].waiting = []
            set(thread, .keep)
        }
    }

    /// Goes on with the next one that was taken off the list.
    private mutating func nextWaiting(_ thread: Int) {
        let state = threads[thread]
        if state.waiting.isEmpty { return state.busy.isEmpty ? set(thread, .drainLook) : set(thread, .keep) }
        if state.isForEntries { return set(thread, .busy(0)) }
        free(threads[thread].waiting.removeFirst())
        nextWaiting(thread)
    }

    private mutating func busyIsKnown(_ thread: Int, _ isBusy: Bool) {
        switch threads[thread].task {
        case .retire: set(thread, isBusy ? .keep : .free)
        case .lookAgain: isBusy ? endRound(thread) : set(thread, .drainLook)
        case .drain:
            let object = threads[thread].waiting.removeFirst()
            if isBusy { threads[thread].busy.append(object) } else { free(object) }
            nextWaiting(thread)
        case .drainLookAgain:
            if !isBusy { return set(thread, .drainLook) }
            threads[thread].busy.removeFirst()
            threads[thread].busy.isEmpty ? endRound(thread) : set(thread, .busy(0))
        }
    }

    private mutating func flagIsSet(_ thread: Int) {
        let state = threads[thread]
        guard state.isForEntries, fault != .keptWithoutLook else { return endRound(thread) }
        if state.task == .retire {
            threads[thread].task = .lookAgain
            set(thread, .busy(0))
        } else if state.busy.isEmpty {
            endRound(thread)
        } else {
            threads[thread].task = .drainLookAgain
            set(thread, .busy(0))
        }
    }
}
