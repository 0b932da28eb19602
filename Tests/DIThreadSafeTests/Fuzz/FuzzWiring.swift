/// What can come to what in a program: the static graph of its places, from which follows which failures are possible.
///
/// A place is a registration in the container that keeps or, for what is not kept, asks for it. An edge is *bare* when
/// nothing is stored at its place while it is followed: from a constructor, and from a callback if the storage never
/// answers or may have been emptied.
///
/// - `circular` is possible where a cycle has bare edges alone: a repeat is legal as soon as one frame on it is completing
///   and its storage answers.
/// - `crossThreadCycle` is possible in a strongly connected set in which at least two shared places are left by bare edges
///   that stay in it. Threads that wait for each other each build what the one before wants; if all of those but one have
///   something stored, some waiting thread can be given that. With one thread, or in a set with one such place, never.
struct FuzzWiring: Sendable {
    /// What a request may fail with.
    struct Failures: OptionSet, Sendable {
        let rawValue: UInt8
        static let missing = Failures(rawValue: 1)
        static let thrown = Failures(rawValue: 2)
        static let circular = Failures(rawValue: 4)
        static let crossThread = Failures(rawValue: 8)
        static let tooLong = Failures(rawValue: 16)
    }

    struct Place: Hashable, Sendable {
        let entry: Int
        let context: Int
        /// The number of a wrapper that an instance keeps, which is built by one thread as well.
        var lazy: Int?
    }

    private struct Edge: Sendable {
        let from: Int
        let to: Int
        /// Whether nothing is stored while it is followed.
        let isBare: Bool
        /// Whether what it leads to may fail without a failure of where it comes from.
        let isSwallowed: Bool
    }

    private(set) var places: [Place: Int] = [:]
    private var edges: [[Edge]] = []
    private var own: [Failures] = []
    private(set) var failures: [Failures] = []
    private(set) var isInCycle: [Bool] = []

    /// What is asked for from each container: the places it may lead to, and whether it may be missing.
    private var roots: [[(places: [Int], mayBeMissing: Bool)]] = []
    private var arrays: [[[Int]]] = []

    private let program: FuzzProgram
    private let resets: Set<FuzzScope>
    private let removed: Set<[Int]>

    /// - Parameter isCalm: whether only what fails always fails, and nothing is changed, by one thread.
    init(_ program: FuzzProgram, isCalm: Bool, threads: Int) {
        self.program = program
        let actions = program.actions
        resets = Set(
            actions.compactMap { action -> FuzzScope? in
                switch action {
                case .reset(let scope, _), .resetService(let scope, _, _): isCalm ? nil : scope
                default: nil
                }
            }
        )
        removed = Set(
            actions.compactMap { action -> [Int]? in
                if case .remove(let service, let container) = action { [service, container] } else { nil }
            }
        )
        for context in program.containers.indices {
            roots.append([])
            arrays.append([])
            for service in 0..<program.services {
                roots[context].append(find(service, from: context))
                arrays[context].append(findContributions(service, from: context))
            }
        }
        if !isCalm { addHiddenEdges() }
        judge(isCalm: isCalm, threads: threads)
    }

    /// What asking for a service may fail with.
    func failures(of service: Int, from context: Int, _ form: FuzzForm) -> Failures {
        if case .array = form {
            return arrays[context][service].reduce([]) { $0.union(failures[$1]) }
        }
        let root = roots[context][service]
        return root.places.reduce(root.mayBeMissing ? .missing : []) { $0.union(failures[$1]) }
    }

    /// The one place that answers, if there is but one.
    func place(of service: Int, from context: Int) -> Place? {
        let root = roots[context][service]
        guard root.places.count == 1, !root.mayBeMissing else { return nil }
        return places.first { $0.value == root.places[0] }?.key
    }

    // MARK: Building the graph

    private mutating func find(_ service: Int, from context: Int) -> (places: [Int], mayBeMissing: Bool) {
        var found: [Int] = []
        var level: Int? = context
        while let container = level {
            var isSure = false
            for (number, entry) in program.entries.enumerated()
            where entry.container == container && entry.service == service && !entry.isContribution {
                found.append(place(number, from: context))
                if entry.isThereAtFirst, !removed.contains([service, container]) { isSure = true }
            }
            if isSure { return (found, false) }
            level = program.containers[container].parent
        }
        return (found, true)
    }

    private mutating func findContributions(_ service: Int, from context: Int) -> [Int] {
        var found: [Int] = []
        for (number, entry) in program.entries.enumerated()
        where entry.isContribution && entry.service == service
            && program.isAncestor(entry.container, ofOrSame: context)
        {
            found.append(place(number, from: context))
        }
        return found
    }

    /// The place of an entry for the container that asks.
    private mutating func place(_ number: Int, from asking: Int) -> Int {
        let entry = program.entries[number]
        var keeper = asking
        if entry.scope.isShared, entry.scope != .perContainer {
            while keeper != entry.container, !program.containers[keeper].isAlone {
                keeper = program.containers[keeper].parent!
            }
        }
        let place = Place(entry: number, context: keeper)
        if let known = places[place] { return known }
        let index = add(place)
        addEdges(of: entry, at: index, keeper)
        return index
    }

    private mutating func add(_ place: Place) -> Int {
        let index = edges.count
        places[place] = index
        edges.append([])
        own.append([])
        return index
    }

    private mutating func addEdges(of entry: FuzzProgram.EntryPlan, at index: Int, _ context: Int) {
        let isAnswering = entry.scope.isKept && !resets.contains(entry.scope) || entry.scope == .graph
        var lazies: [Int] = []
        for (part, steps) in ([entry.constructor] + entry.callbacks).enumerated() {
            let isBare = part == 0 || !isAnswering
            for step in steps {
                switch step {
                case .ask(let service, .keptLazy):
                    if find(service, from: context).mayBeMissing { own[index].insert(.missing) }
                    let lazy = add(Place(entry: places.count, context: context, lazy: lazies.count))
                    addEdges(from: lazy, to: service, from: context, .require, isBare: true)
                    lazies.append(lazy)
                case .ask(let service, let form):
                    addEdges(from: index, to: service, from: context, form, isBare: isBare)
                case .openKept:
                    edges[index] += lazies.map { Edge(from: index, to: $0, isBare: isBare, isSwallowed: false) }
                case .act(.resolve(let service, let container)):
                    addEdges(from: index, to: service, from: container, .resolve, isBare: isBare)
                case .fail: own[index].insert(.thrown)
                case .act, .pause: break
                }
            }
        }
    }

    private mutating func addEdges(
        from index: Int,
        to service: Int,
        from context: Int,
        _ form: FuzzForm,
        isBare: Bool
    ) {
        let found = form == .array ? (findContributions(service, from: context), false) : find(service, from: context)
        edges[index] += found.0.map { Edge(from: index, to: $0, isBare: isBare, isSwallowed: form == .resolve) }
        if found.1, form != .resolve, form != .optional { own[index].insert(.missing) }
    }

    /// Deinits and observers may act wherever something happens, also while a place is claimed and empty.
    private mutating func addHiddenEdges() {
        for action in program.entries.compactMap(\.farewell) + program.observers.map(\.action) {
            guard case .resolve(let service, let container) = action else { continue }
            let targets = find(service, from: container).places
            for (place, index) in places {
                let isLeaf = place.lazy == nil && program.entries[place.entry].isLeaf
                // They do not run inside of a frame in which nothing happens.
                for target in targets where target != index || !isLeaf {
                    edges[index].append(Edge(from: index, to: target, isBare: true, isSwallowed: true))
                }
            }
        }
    }

    // MARK: Judging it

    private mutating func judge(isCalm: Bool, threads: Int) {
        let count = edges.count
        let reach = closure { _ in true }
        var entryOfPlace = [Int?](repeating: nil, count: count)
        for (place, index) in places where place.lazy == nil { entryOfPlace[index] = place.entry }
        isInCycle = (0..<count).map { reach[$0][$0] }
        // In another graph, which a provider begins and a wrapper may, nothing of this one answers.
        let hasOtherGraphs = program.hasOtherGraphs
        let bare = closure { edge in
            edge.isBare
                || hasOtherGraphs && entryOfPlace[edge.from].map { program.entries[$0].scope == .graph } ?? false
        }
        for index in 0..<count {
            if let entry = entryOfPlace[index], isCalm { own[index].subtract(thrownInCalm(entry)) }
            if bare[index][index] { own[index].insert(.circular) }
            let isShared = entryOfPlace[index].map { program.entries[$0].scope.isShared } ?? true
            if isShared, program.waitLimit != nil, threads > 1 { own[index].insert(.tooLong) }
        }
        if threads > 1 {
            for index in 0..<count where isInCycle[index] {
                let emptied = (0..<count).filter { other in
                    guard reach[index][other], reach[other][index] else { return false }
                    let isShared = entryOfPlace[other].map { program.entries[$0].scope.isShared } ?? true
                    return isShared && edges[other].contains { $0.isBare && reach[$0.to][other] }
                }
                if emptied.count > 1 { own[index].insert(.crossThread) }
            }
        }
        // In a cycle what is given out unfinished may fail afterwards, which nobody can swallow any more.
        let failing = closure { !$0.isSwallowed || reach[$0.to][$0.from] }
        failures = (0..<count).map { index in
            (0..<count).reduce(own[index]) { failing[index][$1] ? $0.union(own[$1]) : $0 }
        }
        // What another thread has lent unfinished may fail when the request that asked for it has gone on, and then the
        // outermost request fails with it, which nobody can swallow either.
        guard threads > 1 else { return }
        let alone = failures
        for index in 0..<count {
            for other in 0..<count where reach[index][other] && isInCycle[other] {
                failures[index].formUnion(alone[other])
            }
        }
    }

    private func thrownInCalm(_ entry: Int) -> Failures {
        let isThrowing = program.entries[entry].steps.contains { if case .fail(.always) = $0 { true } else { false } }
        return isThrowing ? [] : .thrown
    }

    /// Which places lead to which by one edge or more of those that are included.
    private func closure(_ isIncluded: (Edge) -> Bool) -> [[Bool]] {
        let count = edges.count
        var reach = [[Bool]](repeating: [Bool](repeating: false, count: count), count: count)
        for from in 0..<count {
            for edge in edges[from] where isIncluded(edge) { reach[from][edge.to] = true }
        }
        for middle in 0..<count {
            for from in 0..<count where reach[from][middle] {
                for to in 0..<count where reach[middle][to] { reach[from][to] = true }
            }
        }
        return reach
    }
}

extension FuzzProgram {
    /// Everything that is done to containers, by whomever.
    var actions: [FuzzAction] {
        var actions = entries.compactMap(\.farewell) + observers.map(\.action)
        for entry in entries {
            for case .act(let action) in entry.steps { actions.append(action) }
        }
        for script in scripts {
            for case .act(let action) in script { actions.append(action) }
        }
        return actions
    }

    /// Whether an instance keeps a wrapper.
    var keepsWrappers: Bool {
        entries.contains { $0.steps.contains { if case .ask(_, .keptLazy) = $0 { true } else { false } } }
    }

    /// Whether instances may hold each other by the wrappers that they keep.
    var hasCycleOfWrappers: Bool {
        var reach = [[Bool]](repeating: [Bool](repeating: false, count: services), count: services)
        for entry in entries {
            for case .ask(let service, .keptLazy) in entry.steps { reach[entry.service][service] = true }
        }
        for middle in 0..<services {
            for from in 0..<services where reach[from][middle] {
                for to in 0..<services where reach[middle][to] { reach[from][to] = true }
            }
        }
        return (0..<services).contains { reach[$0][$0] }
    }

    var hasOtherGraphs: Bool {
        entries.contains { entry in
            entry.steps.contains { step in
                switch step {
                case .ask(_, .provider), .ask(_, .lazy), .ask(_, .keptLazy), .openKept, .act(.resolve): true
                default: false
                }
            }
        }
    }

    func isAncestor(_ container: Int, ofOrSame other: Int) -> Bool {
        var level: Int? = other
        while let index = level {
            if index == container { return true }
            level = containers[index].parent
        }
        return false
    }
}
