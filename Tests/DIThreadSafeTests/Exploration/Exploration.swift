import DIThreadSafe

/// Explores each interleaving of the threads of a wiring.
struct Exploration {
    private(set) var states = 0
    private(set) var ends = 0
    /// The number of different interleavings; those that meet in one state are counted, and explored once.
    private(set) var interleavings = 0.0
    private(set) var waits = 0
    private(set) var findings: [String] = []

    /// The steps to the present state.
    private var way: [String] = []

    mutating func explore(_ wiring: ExploredWiring, fault: PlantedFault? = nil) {
        var ways: [ExploredWorld: Double] = [:]
        interleavings += explore(ExploredWorld(wiring, fault: fault), &ways, depth: 0)
        states += ways.count
    }

    private mutating func explore(_ world: ExploredWorld, _ ways: inout [ExploredWorld: Double], depth: Int) -> Double {
        if let known = ways[world] { return known }
        if let violation = world.violation {
            find(world, violation)
            ways[world] = 1
            return 1
        }
        let runnable = world.threads.indices.filter(world.isRunnable)
        if runnable.isEmpty {
            ends += 1
            checkEnd(world)
            ways[world] = 1
            return 1
        }
        if runnable.count < world.threads.count(where: { !$0.isOver }) { waits += 1 }
        var count = 0.0
        if depth > 2_000 {
            find(world, "threads go on for ever")
        } else {
            for thread in runnable {
                var next = world
                next.step(thread)
                way.append(world.describe(thread))
                defer { way.removeLast() }
                let broken = next.table.checkInvariants()
                if let first = broken.first { next.violation = next.violation ?? first }
                count += explore(next, &ways, depth: depth + 1)
            }
        }
        ways[world] = count
        return count
    }

    private mutating func checkEnd(_ world: ExploredWorld) {
        guard world.threads.allSatisfy(\.isOver) else { return find(world, "threads wait for ever") }
        if !world.table.isEmpty { find(world, "something is left in the table") }
        if world.slots.contains(where: { $0.unfinished != nil || $0.builder != nil }) {
            find(world, "a slot has a claim or an unfinished instance")
        }
        guard world.wiring.isUndisturbed else { return }
        for (thread, outcomes) in world.results.enumerated() {
            for outcome in outcomes {
                if case .instance(let instance) = outcome,
                    world.slots[world.instances[instance].service].ready != instance
                {
                    find(world, "thread \(thread) was given an instance that is not the shared one")
                }
            }
        }
        guard !world.wiring.hasCycle else { return }
        for (service, _) in world.slots.enumerated() where world.instances.count(where: { $0.service == service }) > 1 {
            find(world, "\(service) was built twice")
        }
    }

    private mutating func find(_ world: ExploredWorld, _ finding: String) {
        if findings.count < 3 {
            findings.append((["\(world.wiring): \(finding)"] + way).joined(separator: "\n  "))
        }
    }
}
