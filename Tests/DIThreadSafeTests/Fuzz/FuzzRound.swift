import DICore
import DIThreadSafe
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One run of a program: its containers, and what factories, callbacks, deinits and observers do and note.
// Unchecked: `shared` is written before there are other threads; all else is constant, atomic or behind a lock. Plain
// containers are in the worker that owns them.
final class FuzzRound: @unchecked Sendable {
    let program: FuzzProgram
    let wiring: FuzzWiring
    let calmWiring: FuzzWiring
    let ledger: FuzzLedger

    let alive = Atomic<Int>(0)
    /// Whether the threads are done, so that nothing fails any more that does not always, and nothing is changed.
    let isCalm = Atomic<Bool>(false)
    /// How many requests have failed, whoever has made them, how often something was reset, and how often replaced.
    let failures = Atomic<Int>(0)
    let resets = Atomic<Int>(0)
    let changes = Atomic<Int>(0)
    /// How often something may act besides the threads: a callback that resets its own cycle would begin again for ever.
    private let budget = Atomic<Int>(16)
    private let graphs = Atomic<Int>(0)

    /// What has happened, in order, where `DI_FUZZ_LOG` asks for it.
    private let log = Mutex<[String]>([])
    private static let isLogged = getenv("DI_FUZZ_LOG") != nil

    private let isHolding: Bool
    let journal = Mutex<[FuzzTrace]>([])
    let held = Mutex<[FuzzItem]>([])
    private let attempts: Mutex<[Int]>
    private let builders: Mutex<[FuzzWiring.Place: Int]>

    private struct Known { weak var box: (any ContainerProtocol)? }
    private var shared: [Known] = []

    init(_ program: FuzzProgram, _ wiring: FuzzWiring, calm: FuzzWiring, _ ledger: FuzzLedger) {
        self.program = program
        self.wiring = wiring
        calmWiring = calm
        self.ledger = ledger
        isHolding = program.holdsAll || program.hasCycleOfWrappers
        attempts = Mutex(Array(repeating: 0, count: program.entries.count))
        builders = Mutex([:])
    }

    /// Makes what is there at first. The caller holds the containers.
    func setUp(_ worker: FuzzWorker) -> [FuzzBox?] {
        var boxes: [FuzzBox?] = []
        for plan in program.containers {
            guard let parent = plan.parent else {
                boxes.append(
                    program.isPlain
                        ? .plain(Container())
                        : .shared(
                            ThreadSafeContainer(
                                waitWarning: program.waitWarning.map { .microseconds($0) },
                                waitLimit: program.waitLimit.map { .microseconds($0) }
                            )
                        )
                )
                continue
            }
            boxes.append(plan.thread == nil ? boxes[parent]!.child(plan) : nil)
        }
        shared = boxes.map { Known(box: $0?.container) }
        for (index, box) in boxes.enumerated() {
            if let box { fill(box, index) }
        }
        return boxes
    }

    /// Registers what a container has at first.
    func fill(_ box: FuzzBox, _ index: Int) {
        for (number, entry) in program.entries.enumerated() where entry.container == index && entry.isThereAtFirst {
            FuzzKind.all[entry.service].register(box, self, number)
        }
        for observer in program.observers where observer.container == index {
            switch box {
            case .shared(let box): box.addObserver(FuzzObserver(observer, self))
            case .plain(let box): box.addObserver(FuzzObserver(observer, self))
            }
        }
    }

    func container(_ index: Int, _ worker: FuzzWorker) -> (any ContainerProtocol)? {
        if program.containers[index].thread != nil { return worker.confined[index]?.container }
        return shared[index].box
    }

    private func context(of resolver: any Resolver, _ worker: FuzzWorker) -> Int? {
        let id = ObjectIdentifier(resolver as AnyObject)
        if let index = worker.confined.first(where: { ObjectIdentifier($0.value.container) == id })?.key {
            return index
        }
        return shared.firstIndex { $0.box.map { ObjectIdentifier($0) == id } ?? false }
    }

    func note(_ text: @autoclosure () -> String) {
        guard FuzzRound.isLogged else { return }
        let line = "\(FuzzWorker.current.position): \(text())"
        log.withLock { $0.append(line) }
    }

    var logged: String { log.withLock { $0.joined(separator: "\n") } }

    func newGraph() -> Int { graphs.add(1, ordering: .relaxed).newValue }

    // MARK: What a factory and a callback do

    func construct<Item: FuzzItem>(
        _ number: Int,
        with resolver: any Resolver,
        _ make: (FuzzTrace) -> Item
    ) throws -> Item {
        let worker = FuzzWorker.current
        let plan = program.entries[number]
        guard let context = context(of: resolver, worker) else {
            ledger.report(.wrongBuilder, self, "a factory of \(number) is given a container that nobody knows")
            throw FuzzFailure(entry: number)
        }
        let trace = FuzzTrace(self, entry: number, context: context, graph: worker.graph, builder: worker.index)
        if wiring.places[trace.place] == nil {
            ledger.report(.wrongBuilder, self, "\(number) is built by container \(context)")
        }
        worker.countBuilt(plan.scope)
        note("makes \(number)@\(context) \(trace.label)")
        worker.enter(trace.place, isCallback: false)
        defer { worker.leave() }
        builders.withLock { $0[trace.place] = worker.index }
        let attempt = attempts.withLock { attempts in
            attempts[number] += 1
            return attempts[number]
        }
        journal.withLock { $0.append(trace) }
        var wrappers: [FuzzWrapper] = []
        for step in plan.constructor {
            try run(step, trace, attempt, resolver, worker) { wrappers.append($0) }
        }
        let item = make(trace)
        item.wrappers.withLock { $0 = wrappers }
        if isHolding { held.withLock { $0.append(item) } }
        if plan.callbacks.isEmpty { finish(trace) }
        return item
    }

    func complete(_ item: FuzzItem, _ number: Int, callback: Int, with resolver: any Resolver) throws {
        let worker = FuzzWorker.current
        let trace = item.trace
        worker.enter(trace.place, isCallback: true)
        defer { worker.leave() }
        note("callback \(callback) of \(trace.label)")
        let begun = trace.callbacksBegun.add(1, ordering: .relaxed).newValue
        if begun != callback + 1 {
            ledger.report(.callbacks, self, "callback \(callback) of \(number) is run \(begun).")
        }
        let attempt = attempts.withLock { $0[number] }
        for step in program.entries[number].callbacks[callback] {
            if case .openKept = step {
                for wrapper in item.wrappers.withLock({ $0 }) {
                    let found = try open(wrapper, trace.context, worker)
                    trace.parts.withLock { $0.append(found) }
                }
            } else {
                try run(step, trace, attempt, resolver, worker) { _ in }
            }
        }
        if begun == trace.plan.callbacks.count { finish(trace) }
    }

    private func finish(_ trace: FuzzTrace) {
        builders.withLock { $0[trace.place] = nil }
        note("finishes \(trace.label)")
        trace.isFinished.store(true, ordering: .releasing)
    }

    private func run(
        _ step: FuzzStep,
        _ trace: FuzzTrace,
        _ attempt: Int,
        _ resolver: any Resolver,
        _ worker: FuzzWorker,
        keep: (FuzzWrapper) -> Void
    ) throws {
        switch step {
        case .ask(let service, let form):
            switch try ask(service, form, from: resolver, trace.context, worker) {
            case .items(let items): trace.parts.withLock { $0 += items }
            case .wrapper(let wrapper): keep(wrapper)
            case .nothing: break
            }
        case .act(let action): perform(action, inBudget: true)
        case .pause: worker.pause()
        case .openKept: break
        case .fail(let failing):
            let isCalm = isCalm.load(ordering: .relaxed)
            let fails =
                switch failing {
                case .always: true
                case .atFirst: !isCalm && attempt == 1
                case .sometimes: !isCalm && worker.isHeads
                }
            if fails { throw FuzzFailure(entry: trace.entry) }
        }
    }

    // MARK: Asking

    /// Asks for a service, and judges whether it may fail as it does.
    func ask(
        _ service: Int,
        _ form: FuzzForm,
        from resolver: any Resolver,
        _ context: Int,
        _ worker: FuzzWorker
    ) throws -> FuzzKind.Answer {
        let graph = worker.graph
        if form == .provider { worker.graph = newGraph() }
        defer { worker.graph = graph }
        noteWait(service, context, worker)
        do {
            let answer = try FuzzKind.all[service].ask(form, resolver)
            if case .items(let items) = answer { note("is given \(items.map(\.trace.label)) for \(form) \(service)") }
            if case .nothing = answer { judge(nil, service, context, form, worker) }
            if case .items(let items) = answer { noteUnfinished(items, worker) }
            return answer
        } catch {
            note("fails for \(form) \(service): \((error as? ResolutionError).map { "\($0.code)" } ?? "\(error)")")
            judge(error, service, context, form, worker)
            throw error
        }
    }

    func open(_ wrapper: FuzzWrapper, _ context: Int, _ worker: FuzzWorker) throws -> FuzzItem {
        let graph = worker.graph
        worker.graph = nil
        defer { worker.graph = graph }
        do {
            return try wrapper.open()
        } catch {
            judge(error, wrapper.service, context, .keptLazy, worker)
            throw error
        }
    }

    private func judge(_ error: (any Error)?, _ service: Int, _ context: Int, _ form: FuzzForm, _ worker: FuzzWorker) {
        failures.add(1, ordering: .relaxed)
        let wiring = isCalm.load(ordering: .relaxed) ? calmWiring : wiring
        let possible = wiring.failures(of: service, from: context, form)
        let asked = "\(form) of \(service) from container \(context)"
        guard let error else {
            worker.count(.nils)
            if possible.isEmpty { ledger.report(.wrongNil, self, "\(asked) gives nil; \(worker.position)") }
            return
        }
        let code = (error as? ResolutionError)?.code
        let (count, cause): (FuzzLedger.Count, FuzzWiring.Failures) =
            switch code {
            // A key that is removed while a wrapper looks for the container that has it is missing there.
            case .notRegistered, .notSendable: (.missing, .missing)
            case .factoryThrew: (.thrown, .thrown)
            case .circular: (.circular, .circular)
            case .crossThreadCycle: (.crossThread, .crossThread)
            case .waitLimitExceeded: (.tooLong, .tooLong)
            default: (.otherErrors, [])
            }
        worker.count(count)
        if !cause.isEmpty, possible.contains(cause) { return }
        let kind: FuzzLedger.Finding =
            switch code {
            case .crossThreadCycle: .falseCrossThreadCycle
            case .circular: .falseCircular
            default: .wrongError
            }
        ledger.report(kind, self, "\(asked) fails; \(worker.position)\n\(error)")
    }

    /// For the statistics: whether another thread is building what is asked for.
    private func noteWait(_ service: Int, _ context: Int, _ worker: FuzzWorker) {
        guard let place = wiring.place(of: service, from: context), program.entries[place.entry].scope.isShared,
            let builder = builders.withLock({ $0[place] })
        else { return }
        worker.count(builder == worker.index ? .repeats : .waits)
    }

    private func noteUnfinished(_ items: [FuzzItem], _ worker: FuzzWorker) {
        for item in items where !item.trace.isFinished.load(ordering: .relaxed) {
            worker.count(item.trace.builder == worker.index ? .ownUnfinished : .othersUnfinished)
        }
    }

    // MARK: Acting

    /// Does what a thread, a callback, a deinit or an observer does besides.
    func perform(_ action: FuzzAction, inBudget: Bool = false) {
        if isCalm.load(ordering: .relaxed) { return }
        if inBudget, budget.subtract(1, ordering: .relaxed).newValue < 0 { return }
        let worker = FuzzWorker.current
        worker.count(.actions)
        note("acts: \(action)")
        switch action {
        case .resolve(let service, let index):
            guard let box = container(index, worker) else { return }
            let graph = worker.graph
            worker.graph = nil
            defer { worker.graph = graph }
            guard case .items(let items)? = try? ask(service, .require, from: box, index, worker) else { return }
            if worker.isOutside { checkFinished(items, "an action's request for \(service)", worker) }
        case .reset(let scope, let index):
            guard let box = container(index, worker) else { return }
            resets.add(1, ordering: .relaxed)
            box.resetObjectScope(scope.scope)
        case .resetService(let scope, let service, let index):
            guard let box = container(index, worker) else { return }
            resets.add(1, ordering: .relaxed)
            FuzzKind.all[service].reset(scope, box)
        case .register(let entry):
            let plan = program.entries[entry]
            guard let box = container(plan.container, worker) else { return }
            changes.add(1, ordering: .relaxed)
            if let box = box as? ThreadSafeContainer {
                FuzzKind.all[plan.service].register(.shared(box), self, entry)
            } else if let box = box as? Container {
                FuzzKind.all[plan.service].register(.plain(box), self, entry)
            }
        case .remove(let service, let index):
            guard let box = container(index, worker) else { return }
            changes.add(1, ordering: .relaxed)
            FuzzKind.all[service].remove(box)
        }
    }
}
