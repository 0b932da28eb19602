import DIThreadSafe

/// The state of all threads, and of what they share. The coordination is the very value that the containers use; around it
/// the resolution algorithm is written down step by step.
struct ExploredWorld: Hashable {
    typealias Failure = ExploredThread.Failure
    typealias Table = ConstructionTable<Int, Int, Int, Failure>

    struct Slot: Hashable {
        var ready: Int?
        var unfinished: Int?
        var builder: Int?
    }

    struct Instance: Hashable {
        let service: Int
        let parts: [Int]
        var isDone = false
    }

    let wiring: ExploredWiring
    let fault: PlantedFault?
    var table = Table()
    var slots: [Slot]
    var instances: [Instance] = []
    var threads: [ExploredThread]
    /// What each thread wanted when it fell asleep, until it wakes; for the planted fault alone.
    var wishes: [Int: Int] = [:]
    /// What went wrong on the way here.
    var violation: String?
    var results: [[ExploredThread.Outcome]]

    init(_ wiring: ExploredWiring, fault: PlantedFault? = nil) {
        self.wiring = wiring
        self.fault = fault
        slots = wiring.services.map { _ in Slot() }
        threads = wiring.threads.map { ExploredThread(remaining: $0) }
        results = wiring.threads.map { _ in [] }
    }

    // The wiring and the fault are the same for all states of one exploration.
    static func == (left: ExploredWorld, right: ExploredWorld) -> Bool {
        left.table == right.table && left.slots == right.slots && left.instances == right.instances
            && left.threads == right.threads && left.results == right.results && left.wishes == right.wishes
            && left.violation == right.violation
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(table)
        hasher.combine(slots)
        hasher.combine(instances)
        hasher.combine(threads)
    }

    /// The next step of a thread in words.
    func describe(_ thread: Int) -> String {
        let state = threads[thread]
        let stack = state.stack.map { "\($0.service)\($0.isFrame ? "" : "?")" }.joined(separator: " ")
        let step = state.endings.first.map { "\($0)" } ?? state.stack.last.map { "\($0.stage)" } ?? "next request"
        return "thread \(thread) [\(stack)] \(step)"
    }

    /// Whether a thread can do its next step.
    func isRunnable(_ thread: Int) -> Bool {
        let state = threads[thread]
        if state.isOver { return false }
        guard state.endings.isEmpty, let top = state.stack.last else { return true }
        switch top.stage {
        case .sleep, .sleepForLoans, .sleepFailing: return table.hasDecision(for: thread)
        default: return true
        }
    }

    /// Does one step of a thread.
    mutating func step(_ thread: Int) {
        // Nobody sleeps here but by not being runnable.
        defer {
            _ = table.takeDecided()
            _ = table.takeDropped()
        }
        if !threads[thread].endings.isEmpty { return end(thread, threads[thread].endings.removeFirst()) }
        guard let top = threads[thread].stack.last else {
            switch threads[thread].remaining.removeFirst() {
            case .request(let service):
                threads[thread].asked = service
                ask(thread, service)
            case .reset(let service):
                slots[service].ready = nil
                slots[service].unfinished = nil
            }
            return
        }
        advance(thread, top)
    }

    private mutating func advance(_ thread: Int, _ top: ExploredThread.Request) {
        let slot = top.service
        let service = wiring.services[slot]
        switch top.stage {
        case .look:
            let isOwn = slots[slot].builder == thread
            // A storage without a cell knows what is finished by the claim alone.
            let isOpen = isOwn || service.hasNoCell && slots[slot].builder == nil
            guard let found = slots[slot].ready ?? (isOpen ? slots[slot].unfinished : nil) else {
                return set(thread, isOwn ? .construct : .claim)
            }
            if isOpen { threads[thread].noteBorrowing(of: slot) }
            finish(thread, .instance(found))
        case .claim:
            switch table.claim(slot, slot, by: thread, terms: threads[thread].waitTerms) {
            case .build:
                slots[slot].builder = thread
                set(thread, .lookAfterClaim)
            case .decided(let decision): take(decision, thread, slot)
            case .wait:
                wishes[thread] = fault == .edgeOutlivesCause ? slot : nil
                if wishLeadsBack(thread) { return failForEver(thread, held: nil) }
                set(thread, .sleep)
            }
        case .sleep:
            wishes[thread] = nil
            if let decision = table.takeDecision(of: thread) { take(decision, thread, slot) }
        case .lookAfterClaim:
            guard let found = slots[slot].ready ?? (service.hasNoCell ? slots[slot].unfinished : nil) else {
                threads[thread].stack[threads[thread].stack.count - 1].isClaimed = true
                return set(thread, .construct)
            }
            if service.hasNoCell { threads[thread].noteBorrowing(of: slot) }
            slots[slot].builder = nil
            threads[thread].endings.append(.settle(slot, nil, nil, isOwn: true))
            set(thread, .ending(.instance(found)))
        case .readBorrowed: set(thread, .confirm(found: slots[slot].ready ?? slots[slot].unfinished))
        case .confirm(let found):
            guard let number = table.borrowed(slot, by: thread, wasFound: found != nil), let found else {
                return set(thread, .look)
            }
            guard let frame = threads[thread].topFrame, let outermost = threads[thread].outermostFrame else {
                violation = "thread \(thread) is given an unfinished instance and has nothing that could wait"
                return
            }
            threads[thread].stack[frame].borrowsElsewhere = true
            threads[thread].stack[outermost].awaitsLoans = true
            threads[thread].loans.append(ExploredThread.Loan(number: number, frame: frame))
            if frame != outermost { threads[thread].borrow(frame, from: outermost, holdsUnfinished: false) }
            finish(thread, .instance(found))
        case .construct: construct(thread, slot)
        case .constructor(let index):
            if index < service.constructor.count { return ask(thread, service.constructor[index]) }
            if service.factoryThrows { return fail(thread, .thrown(slot)) }
            set(thread, .factoryEnded)
        case .factoryEnded:
            if top.isDoomed { return fail(thread, nil) }
            if top.isReentered, let appeared = slots[slot].ready ?? slots[slot].unfinished {
                threads[thread].noteBorrowing(of: slot)
                edit(thread) { $0.instance = appeared }
                return set(thread, .arrive)
            }
            instances.append(Instance(service: slot, parts: top.parts))
            let made = instances.count - 1
            edit(thread) { $0.instance = made }
            set(thread, .store)
        case .store:
            edit(thread) { $0.isKept = true }
            if !service.hasNoCell, !service.hasCallback, top.borrowedFrom == nil, !top.borrowsElsewhere {
                slots[slot].ready = top.instance
                slots[slot].unfinished = nil
                return complete(thread)
            }
            if slots[slot].builder == thread {
                let number = table.willStore(in: slot, by: thread)
                edit(thread) { $0.number = number }
            }
            set(thread, .put)
        case .put:
            slots[slot].unfinished = top.instance
            if service.hasNoCell { slots[slot].ready = nil }
            set(thread, .tellStored)
        case .tellStored:
            if let number = top.number { table.stored(number) }
            guard service.hasCallback else { return complete(thread) }
            let mark = threads[thread].nextProvisional
            edit(thread) {
                $0.isCompleting = true
                $0.provisionalMark = mark
                $0.parts = []
            }
            set(thread, .callback(0))
        case .callback(let index):
            if index < service.callback.count { return ask(thread, service.callback[index]) }
            let isFirst = instances.firstIndex { $0.service == slot } == top.instance
            if service.callbackThrows || service.firstCallbackThrows && isFirst { return fail(thread, .thrown(slot)) }
            if top.isDoomed { return fail(thread, nil) }
            complete(thread)
        case .arrive:
            guard top.awaitsLoans else { return succeed(thread) }
            if top.isClaimed { table.provisional(slot, by: thread) }
            switch table.arrive(thread) {
            case .build, .wait: set(thread, .sleepForLoans)
            case .decided(let decision): takeArrival(decision, thread)
            }
        case .sleepForLoans:
            if let decision = table.takeDecision(of: thread) { takeArrival(decision, thread) }
        case .arriveFailing(let failure):
            switch table.arrive(thread) {
            case .build, .wait: set(thread, .sleepFailing(failure))
            case .decided(let decision): takeFailingArrival(decision, thread, failure)
            }
        case .sleepFailing(let failure):
            if let decision = table.takeDecision(of: thread) { takeFailingArrival(decision, thread, failure) }
        case .ending(let outcome): pop(thread, outcome)
        case .observing(let outcome): finish(thread, outcome)
        }
    }
}
