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

// What is looked at when a request returns, and when a round is over.

extension FuzzRound {
    /// T9, T12: nothing that a request from outside returns, and nothing reachable from it, has callbacks to come.
    func checkFinished(_ items: [FuzzItem], _ title: String, _ worker: FuzzWorker) {
        var seen: [ObjectIdentifier] = []
        var next = items
        while let item = next.popLast() {
            guard !seen.contains(ObjectIdentifier(item)) else { continue }
            seen.append(ObjectIdentifier(item))
            let trace = item.trace
            if !trace.isFinished.load(ordering: .acquiring) {
                let own = journal.withLock { journal in
                    journal.filter { $0.place == trace.place && $0.builder == worker.index }.count
                }
                let isPart = !items.contains { $0 === item }
                ledger.report(
                    .unfinished,
                    self,
                    "\(title): \(isPart ? "its part " : "")\(trace.entry)@\(trace.context), built by thread "
                        + "\(trace.builder), with \(trace.callbacksBegun.load(ordering: .relaxed)) of "
                        + "\(trace.plan.callbacks.count) callbacks begun; this thread has begun \(own) itself; "
                        + worker.position
                )
                return
            }
            next += trace.parts.withLock { $0 }
        }
    }

    // MARK: After the threads

    /// Whether nothing has happened after which a service may have more than one instance.
    private var isUndisturbed: Bool {
        failures.load(ordering: .relaxed) == 0 && resets.load(ordering: .relaxed) == 0
            && changes.load(ordering: .relaxed) == 0
    }

    private func isKept(_ scope: FuzzScope) -> Bool { scope.isKept && (scope != .weak || program.holdsAll) }

    /// T1, G2, G3: each place has one instance, which has its callbacks once, and of which everybody knows.
    func checkBuiltOnce(_ results: [FuzzItem]) {
        guard isUndisturbed else { return }
        let traces = journal.withLock { $0 }
        var constructions: [FuzzWiring.Place: Int] = [:]
        var completed: [FuzzWiring.Place: Int] = [:]
        var inGraph: [[Int]: Int] = [:]
        for trace in traces {
            if isKept(trace.plan.scope) {
                constructions[trace.place, default: 0] += 1
                if trace.callbacksBegun.load(ordering: .relaxed) > 0 { completed[trace.place, default: 0] += 1 }
            } else if trace.plan.scope == .graph, let graph = trace.graph {
                inGraph[[trace.entry, trace.context, graph], default: 0] += 1
            }
        }
        for (place, number) in constructions {
            let isInCycle = wiring.places[place].map { wiring.isInCycle[$0] } ?? true
            let limit = isInCycle ? 1 + wiring.places.count * 2 : 1
            if number > limit {
                ledger.report(.builtTwice, self, "\(place.entry)@\(place.context) is built \(number) times")
            }
        }
        for (place, number) in completed where number > 1 {
            ledger.report(.builtTwice, self, "\(place.entry)@\(place.context) is completed \(number) times")
        }
        let isClear = program.observers.isEmpty && program.entries.allSatisfy { $0.farewell == nil }
        for (key, number) in inGraph where number > 1 && isClear {
            let place = FuzzWiring.Place(entry: key[0], context: key[1])
            if wiring.places[place].map({ wiring.isInCycle[$0] }) ?? true { continue }
            ledger.report(.builtTwice, self, "\(key[0])@\(key[1]) is built \(number) times in one graph")
        }
        checkOneInstance(results + traces.flatMap { $0.parts.withLock { $0 } })
    }

    private func checkOneInstance(_ items: [FuzzItem]) {
        var known: [FuzzWiring.Place: FuzzItem] = [:]
        for item in items where isKept(item.trace.plan.scope) {
            guard let other = known.updateValue(item, forKey: item.trace.place), other !== item else { continue }
            ledger.report(.twoInstances, self, "\(item.trace.entry)@\(item.trace.context)")
            return
        }
    }

    /// G7: everything is found as if nothing had happened, and twice the same.
    func checkAfterwards(_ worker: FuzzWorker) -> [FuzzItem] {
        isCalm.store(true, ordering: .releasing)
        var all: [FuzzItem] = []
        for context in program.containers.indices where program.containers[context].thread == nil {
            guard let box = container(context, worker) else { continue }
            for service in 0..<program.services {
                var last: [FuzzItem]?
                for _ in 0..<2 {
                    worker.graph = newGraph()
                    let answer = try? ask(service, .require, from: box, context, worker)
                    guard case .items(let items)? = answer else { continue }
                    checkFinished(items, "\(service) from container \(context) afterwards", worker)
                    all += items
                    if let last, let scope = items.first?.trace.plan.scope, scope.isKept, last[0] !== items[0] {
                        ledger.report(.afterwards, self, "\(service) from \(context) is not the same twice")
                    }
                    last = items
                }
            }
        }
        return all
    }

    /// Lets go of what instances hold of each other, which would be a leak of the program and not of the container.
    func part() {
        let held = held.withLock { held in
            defer { held = [] }
            return held
        }
        if program.hasCycleOfWrappers {
            for item in held { item.wrappers.withLock { $0 = [] } }
        }
        for trace in journal.withLock({ $0 }) { trace.part() }
        withExtendedLifetime(held) {}
    }

    /// Lets go of the traces, which hold the round.
    func end() {
        let traces = journal.withLock { journal in
            defer { journal = [] }
            return journal
        }
        withExtendedLifetime(traces) {}
    }

    /// S9, T6 of what is kept: everything has ended with the containers.
    func checkNothingLeft(_ worker: FuzzWorker) {
        if alive.load(ordering: .acquiring) == 0 { return }
        worker.count(.endedLate)
        // A deinit that resolves gives instances to wrappers that outlive it: nobody can tell then when all is gone.
        if program.keepsWrappers, program.entries.contains(where: { $0.farewell != nil }) { return }
        let finding: FuzzLedger.Finding = program.keepsWrappers ? .wrapperLeak : .leak
        for _ in 0..<(ledger.hasFound(finding) ? 5 : 500) {
            // A reader in another test of the process may hold it up.
            _ = ThreadSafeContainer()
            if alive.load(ordering: .acquiring) == 0 { return }
            usleep(1_000)
        }
        ledger.report(finding, self, "\(alive.load(ordering: .acquiring)) instances are left")
    }
}
