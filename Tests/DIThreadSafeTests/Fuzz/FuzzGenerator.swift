import DITestSupport

/// Makes a program from a seed.
struct FuzzGenerator {
    private var random: SeededRandom
    private var program: FuzzProgram
    private let has: Features

    private enum Shape: CaseIterable { case acyclic, legal, free }
    private let shape: Shape

    private struct Features {
        var throwing = false
        var resets = false
        var changes = false
        var limit = false
        var farewells = false
        var observers = false
        var wrappers = false
        var children = false
        var contributions = false

        var names: Set<String> {
            Set(Mirror(reflecting: self).children.compactMap { $0.value as? Bool == true ? $0.label : nil })
        }
    }

    static func program(seed: UInt64, threads: Int?, isPlain: Bool = false) -> FuzzProgram {
        var generator = FuzzGenerator(seed: seed, isPlain: isPlain)
        generator.fill(threads: threads)
        return generator.program
    }

    private init(seed: UInt64, isPlain: Bool) {
        var random = SeededRandom(seed: seed)
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        shape = chance(45) ? .acyclic : chance(80) ? .legal : .free
        // Most rounds have few of them, so that what is promised without them is looked at strictly.
        let isMixed = chance(30)
        let percent = isMixed ? 35 : 8
        has = Features(
            throwing: chance(percent),
            resets: chance(percent + 4),
            changes: chance(percent),
            limit: chance(isMixed ? 15 : 3),
            farewells: chance(percent),
            observers: chance(percent + 2),
            wrappers: chance(percent + 8),
            children: chance(percent + 12),
            contributions: chance(percent / 2)
        )
        program = FuzzProgram(seed: seed, isPlain: isPlain)
        program.features = has.names.union(["\(shape)"])
        program.holdsAll = chance(50)
        self.random = random
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    private mutating func fill(threads: Int?) {
        program.services = 2 + min(number(0..<5), number(0..<5))
        let drawn = program.isPlain ? 1 : 2 + min(number(0..<3), number(0..<3))
        let threads = program.isPlain ? 1 : threads ?? drawn
        addContainers(threads: threads)
        for service in 0..<program.services { addEntry(service, container: 0) }
        if program.containers.count > 1 {
            for _ in 0..<number(0..<3) {
                addEntry(number(0..<program.services), container: number(1..<program.containers.count))
            }
        }
        if has.contributions {
            for _ in 0..<2 {
                addEntry(number(0..<program.services), container: number(0..<program.containers.count))
                program.entries[program.entries.count - 1].isContribution = true
            }
        }
        if has.changes {
            for _ in 0..<2 {
                addEntry(number(0..<program.services), container: number(0..<program.containers.count))
                program.entries[program.entries.count - 1].isThereAtFirst = false
                // A callback is added when the entry may be in use already.
                program.entries[program.entries.count - 1].callbacks = []
            }
        }
        for index in program.entries.indices { fill(index) }
        if has.farewells {
            // After all steps are there, so that it is known what has none.
            let farewells = program.entries.map { entry in chance(40) ? hiddenAction(from: entry.container) : nil }
            for (index, farewell) in farewells.enumerated() { program.entries[index].farewell = farewell }
        }
        if has.observers {
            for _ in 0..<1 + number(0..<2) {
                let container = number(0..<program.containers.count)
                program.observers.append(
                    .init(
                        container: container,
                        event: FuzzEvent.allCases[min(number(0..<7), number(0..<7))],
                        service: number(0..<program.services),
                        action: hiddenAction(from: container)
                    )
                )
            }
        }
        if has.limit { program.waitLimit = 20 + number(0..<400) }
        if has.limit || chance(10) { program.waitWarning = 5 + number(0..<200) }
        for thread in 0..<threads { program.scripts.append(script(thread)) }
    }

    private mutating func addContainers(threads: Int) {
        program.containers = [.init()]
        guard has.children else { return }
        for _ in 0..<1 + number(0..<2) {
            let parent = number(0..<program.containers.count)
            let thread = chance(40) && !program.isPlain ? number(0..<threads) : program.containers[parent].thread
            if let owner = program.containers[parent].thread, owner != thread { continue }
            program.containers.append(.init(parent: parent, isAlone: chance(25), thread: thread))
        }
    }

    private mutating func addEntry(_ service: Int, container: Int) {
        let scopes: [(FuzzScope, Int)] = [
            (.container, 42), (.weak, 10), (.perContainer, 9), (.graph, 14), (.transient, 9), (.expiring, 4),
            (.expired, 2),
            (.custom, 6), (.composite, 4),
        ]
        func draw(_ choice: Int) -> FuzzScope {
            var choice = choice
            for (scope, weight) in scopes {
                choice -= weight
                if choice < 0 { return scope }
            }
            return .container
        }
        var scope = draw(number(0..<100))
        // What never answers makes a cycle illegal; most cycles are to be legal.
        if case .legal = shape, !scope.isKept, chance(70) { scope = draw(number(0..<42)) }
        program.entries.append(.init(service: service, container: container, scope: scope))
    }

    // MARK: What an entry does

    private mutating func fill(_ index: Int) {
        let entry = program.entries[index]
        let isReplacing = !entry.isThereAtFirst
        for _ in 0..<number(0..<3) { addAsk(index, isCallback: false) }
        if !isReplacing, chance(55) {
            for callback in 0..<(chance(15) ? 2 : 1) {
                program.entries[index].callbacks.append([])
                for _ in 0..<number(0..<3) { addAsk(index, isCallback: true) }
                if has.resets, chance(35) { insert(.act(reset(entry.container)), index, callback: callback) }
                if has.changes, chance(15) { insert(.act(change()), index, callback: callback) }
                if has.throwing, chance(20) { insert(.fail(failing()), index, callback: callback) }
                if chance(50) { insert(.pause, index, callback: callback) }
            }
            if program.entries[index].constructor.contains(where: {
                if case .ask(_, .keptLazy) = $0 { true } else { false }
            }),
                chance(50)
            {
                insert(.openKept, index, callback: program.entries[index].callbacks.count - 1)
            }
        }
        if has.throwing, chance(20) { insert(.fail(failing()), index, callback: nil) }
        if has.resets, chance(10) { insert(.act(reset(entry.container)), index, callback: nil) }
        if chance(60) { insert(.pause, index, callback: nil) }
    }

    private mutating func insert(_ step: FuzzStep, _ index: Int, callback: Int?) {
        guard let callback else {
            program.entries[index].constructor.insert(
                step,
                at: number(0..<program.entries[index].constructor.count + 1)
            )
            return
        }
        program.entries[index].callbacks[callback].insert(
            step,
            at: number(0..<program.entries[index].callbacks[callback].count + 1)
        )
    }

    private mutating func addAsk(_ index: Int, isCallback: Bool) {
        let service = program.entries[index].service
        let range: Range<Int> =
            switch shape {
            case .acyclic: service + 1..<program.services
            case .legal where !isCallback: service + 1..<program.services
            case .legal, .free: 0..<program.services
            }
        guard !range.isEmpty else { return }
        let step = FuzzStep.ask(service: number(range), form())
        guard isCallback else { return program.entries[index].constructor.append(step) }
        // A wrapper is kept by a constructor.
        if case .ask(let target, .keptLazy) = step {
            return program.entries[index].callbacks[program.entries[index].callbacks.count - 1].append(
                .ask(service: target, .require)
            )
        }
        program.entries[index].callbacks[program.entries[index].callbacks.count - 1].append(step)
    }

    private mutating func form() -> FuzzForm {
        if has.wrappers, chance(50) { return [.lazy, .keptLazy, .keptLazy, .provider][number(0..<4)] }
        if has.contributions, chance(30) { return .array }
        return chance(75) ? .require : chance(60) ? .resolve : .optional
    }

    private mutating func failing() -> FuzzFailing { [.always, .atFirst, .atFirst, .sometimes][number(0..<4)] }

    // MARK: Actions

    private mutating func reset(_ container: Int) -> FuzzAction {
        let scopes = program.entries.map(\.scope).filter { $0.isShared }
        let scope = scopes.isEmpty ? .container : scopes[number(0..<scopes.count)]
        if chance(30) { return .resetService(scope, service: number(0..<program.services), container: container) }
        return .reset(scope, container: container)
    }

    private mutating func change() -> FuzzAction {
        let later = program.entries.indices.filter { !program.entries[$0].isThereAtFirst }
        if later.isEmpty || chance(25) {
            let container = number(0..<program.containers.count)
            return .remove(service: number(0..<program.services), container: container)
        }
        return .register(entry: later[number(0..<later.count)])
    }

    /// What a deinit or an observer does. What it asks for is mostly something that asks for nothing itself, so that the
    /// wiring has no more cycles than before.
    private mutating func hiddenAction(from container: Int) -> FuzzAction {
        if has.resets, chance(30) { return reset(container) }
        if has.changes, chance(20) { return change() }
        let leaves = program.entries.filter { $0.isLeaf && !$0.isContribution }.map(\.service)
        let service =
            leaves.isEmpty || chance(35) ? number(0..<program.services) : leaves[number(0..<leaves.count)]
        return .resolve(service: service, container: container)
    }

    // MARK: Scripts

    private mutating func script(_ thread: Int) -> [FuzzCommand] {
        var script: [FuzzCommand] = []
        let containers = program.containers.indices.filter { index in
            program.containers[index].thread == nil || program.containers[index].thread == thread
        }
        for _ in 0..<1 + min(number(0..<6), number(0..<6)) {
            switch number(0..<100) {
            case 0..<10 where has.resets: script.append(.act(reset(containers[number(0..<containers.count)])))
            case 10..<20 where has.changes: script.append(.act(change()))
            case 20..<25: script.append(.dropResults)
            case 25..<35: script.append(.pause)
            case 35..<50 where has.wrappers: script.append(.openKept)
            default:
                let form = form()
                script.append(
                    .request(
                        service: number(0..<program.services),
                        container: containers[chance(50) ? 0 : number(0..<containers.count)],
                        form == .keptLazy ? .require : form
                    )
                )
            }
        }
        return script
    }
}
