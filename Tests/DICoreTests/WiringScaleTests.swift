import DICore
import DIScopes
import DITestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

@Suite("Wiring: large containers")
struct WiringScaleTests {
    /// A fault that is there on purpose, as the report should tell it.
    struct Fault: Hashable, CustomStringConvertible {
        let kind: WiringReport.Kind
        let key: ServiceKey

        var description: String { "\(kind) \(key)" }
    }

    struct Part {}
    protocol Seen {}
    struct Eye: Seen {}

    /// Sound registrations, each of which needs two others, with faults hung on some of them.
    struct Plantation {
        let container = Container()
        let built = Counter()
        private(set) var faults: [Fault] = []

        static func part(_ number: Int) -> ServiceKey { ServiceKey(Part.self, name: "part \(number)") }

        init(registrations: Int, faultsOfEachKind: [WiringReport.Kind: Int]) {
            var number = 0
            var hung: [String] = []
            for kind in WiringReport.Kind.allCases {
                for _ in 0..<faultsOfEachKind[kind, default: 0] {
                    let name = "fault \(number)"
                    if let hook = plant(kind, name) { hung.append(hook) }
                    number += 1
                }
            }
            let sound = registrations - container.dependencyGraph().nodes.count
            for index in 0..<sound {
                let entry = register("part \(index)")
                for child in [2 * index + 1, 2 * index + 2] where child < sound {
                    entry.dependsOn(Part.self, name: "part \(child)")
                }
                if index * 2 >= sound, let hook = hung.popLast() { entry.dependsOn(Part.self, name: hook) }
            }
            precondition(hung.isEmpty)
        }

        @discardableResult
        private func register(_ name: String, scope: ObjectScope = .graph) -> ServiceEntry<Part> {
            let built = built
            return container.register(Part.self, name: name, scope: scope) { _ in
                built.add()
                return Part()
            }
            .dependsOnNothing()
        }

        /// - Returns: the name of the part that leads to the fault; nil for what nothing is to lead to.
        private mutating func plant(_ kind: WiringReport.Kind, _ name: String) -> String? {
            var key = ServiceKey(Part.self, name: name)
            var hook: String? = name
            let built = built
            switch kind {
            case .missing: break
            case .argumentsMismatch:
                container.register(Part.self, name: name) { (_, _: Int) in
                    built.add()
                    return Part()
                }
                .dependsOnNothing()
            case .cycle:
                register(name).dependsOn(Part.self, name: "\(name) b")
                register("\(name) b").dependsOn(Part.self, name: "\(name) c")
                register("\(name) c").dependsOn(Part.self, name: name)
            case .captive:
                register(name, scope: .container).dependsOn(Part.self, name: "\(name) held")
                register("\(name) held", scope: .perContainer)
            case .deferredCaptive:
                register(name, scope: .container).dependsOn(WiringEdgeTests.Deferred<Part>.self, name: "\(name) asked")
                register("\(name) asked", scope: .perContainer)
            case .duplicate:
                register(name)
                register(name)
            case .ambiguousForwarding:
                key = ServiceKey((any Seen).self, name: name)
                register(name).dependsOn((any Seen).self, name: name)
                container.register(Eye.self, name: name) { _ in Eye() }.dependsOnNothing()
                    .implements((any Seen).self, name: name)
                container.register((any Seen).self, name: name) { _ in Eye() }.dependsOn(Eye.self, name: name)
            case .unused:
                register(name)
                hook = nil
            case .notAnalysable:
                container.register(Part.self, name: name) { _ in
                    built.add()
                    return Part()
                }
            }
            // What is registered for other arguments is not reached either, as nothing can ask for it.
            if kind == .argumentsMismatch {
                faults.append(Fault(kind: .unused, key: ServiceKey(Part.self, arguments: Int.self, name: name)))
            }
            faults.append(Fault(kind: kind, key: key))
            return hook
        }
    }

    private static func found(_ report: WiringReport) -> [Fault] {
        report.problems.map { Fault(kind: $0.kind, key: $0.key) }
    }

    @Test("Of 2 000 registrations with 30 planted faults of all kinds exactly those are found, and nothing is built")
    func plantedFaults() {
        let plantation = Plantation(
            registrations: 2_000,
            faultsOfEachKind: [
                .missing: 4, .argumentsMismatch: 3, .cycle: 4, .captive: 3, .deferredCaptive: 2, .duplicate: 4,
                .ambiguousForwarding: 3, .unused: 1, .notAnalysable: 3,
            ]
        )
        let graph = plantation.container.dependencyGraph()
        #expect(graph.nodes.count == 2_000)
        let report = graph.validate(roots: [Plantation.part(0)])
        #expect(plantation.faults.count == 30)
        #expect(Set(Self.found(report)) == Set(plantation.faults))
        #expect(report.problems.count == 30)
        #expect(plantation.built.value == 0)
        #expect(Set(report.problems.map(\.kind)) == Set(WiringReport.Kind.allCases))
    }

    @Test("Without faults 2 000 registrations have no problem")
    func sound() throws {
        let plantation = Plantation(registrations: 2_000, faultsOfEachKind: [:])
        let report = plantation.container.dependencyGraph().validate(roots: [Plantation.part(0)])
        #expect(report.problems.isEmpty)
        #expect(report.usedEdges.declared == 1_999)
        try report.check()
    }

    // MARK: Initializers

    protocol Digit: SendableMetatype { associatedtype Next: Digit }
    enum D0: Digit { typealias Next = D1 }
    enum D1: Digit { typealias Next = D2 }
    enum D2: Digit { typealias Next = D3 }
    enum D3: Digit { typealias Next = D4 }
    enum D4: Digit { typealias Next = D5 }
    enum D5: Digit { typealias Next = D6 }
    enum D6: Digit { typealias Next = D7 }
    enum D7: Digit { typealias Next = D8 }
    enum D8: Digit { typealias Next = D9 }
    enum D9: Digit { typealias Next = End }
    enum End: Digit { typealias Next = End }

    static let made = Counter()

    /// One of a thousand types, which needs the next of its row and, when it is there, the first of the next row.
    struct Cell<A: Digit, B: Digit, C: Digit> {
        init(_ next: Cell<A, B, C.Next>, _ row: Cell<A, B.Next, D0>?) { WiringScaleTests.made.add() }
    }

    private static let digits: [any Digit.Type] = [
        D0.self, D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self,
    ]

    private static func forEachCell(_ body: (any Digit.Type, any Digit.Type, any Digit.Type) -> Void) {
        for a in digits { for b in digits { for c in digits { body(a, b, c) } } }
    }

    @Test("Of 1 000 registered initializers the edges are known, and what their rows end in is missing")
    func initializers() {
        let box = Container()
        func register<A: Digit, B: Digit, C: Digit>(_: A.Type, _: B.Type, _: C.Type) {
            box.autoregister(Cell<A, B, C>.self, initializer: Cell<A, B, C>.init)
        }
        Self.forEachCell { register($0, $1, $2) }
        let graph = box.dependencyGraph()
        #expect(graph.nodes.count == 1_000)
        #expect(graph.edges.count == 2_000)
        let report = graph.validate()
        #expect(report.problems.count == 100)
        #expect(report.problems.allSatisfy { $0.kind == .missing && $0.requesters.count == 1 })
        #expect(report.problems.first?.key == ServiceKey(Cell<D0, D0, End>.self))
        #expect(report.problems.first?.requesters.first?.key == ServiceKey(Cell<D0, D0, D9>.self))
        #expect(Self.made.value == 0)
    }

    // MARK: Growth

    /// Counts what is done with keys.
    struct Counted: ServiceKeyOption {
        static let work = Counter()

        let number: Int

        static func == (left: Counted, right: Counted) -> Bool {
            work.add()
            return left.number == right.number
        }

        func hash(into hasher: inout Hasher) {
            Counted.work.add()
            hasher.combine(number)
        }

        var description: String { "\(number)" }
    }

    @Test("Keys are hashed and compared a fixed number of times for each registration, be they 200, 2 000 or 20 000")
    func workOnKeys() {
        for count in [200, 2_000, 20_000] {
            let box = Container()
            for number in 0..<count {
                box.register(Part.self, option: Counted(number: number)) { _ in Part() }.dependsOnNothing()
            }
            let before = Counted.work.value
            let report = box.dependencyGraph().validate(roots: [ServiceKey(Part.self)])
            let work = Counted.work.value - before
            print("\(count) registrations: \(work) hashes and comparisons of keys")
            #expect(report.problems(.unused).count == count, "all are unused, and the root is not registered")
            #expect(work <= 12 * count)
        }
    }

    /// The time of this thread on a processor, which what others run does not add to.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    @Test("The time of a check grows with the number of registrations, not with its square")
    func growth() {
        var times: [Duration] = []
        for count in [200, 2_000, 20_000] {
            let plantation = Plantation(
                registrations: count,
                faultsOfEachKind: Dictionary(uniqueKeysWithValues: WiringReport.Kind.allCases.map { ($0, count / 200) })
            )
            let runs = (0..<3).map { _ in
                let start = Self.processorTime
                let report = plantation.container.dependencyGraph().validate(roots: [Plantation.part(0)])
                let time = Self.processorTime - start
                #expect(report.problems.count == plantation.faults.count)
                return time
            }
            times.append(runs.min() ?? .zero)
            let each = times[times.count - 1] / Double(count)
            print("\(count) registrations: \(times[times.count - 1]) to make and check the graph, \(each) each")
            #expect(plantation.built.value == 0)
        }
        // Ten times as many take ten times as long; the square would be a hundred times.
        #expect(times[2] < times[1] * 40)
    }

    @Test("E7: the time of a check grows with the registrations also where a child builds them in its own way")
    func growthBelowChildren() {
        var times: [Duration] = []
        for count in [200, 2_000, 20_000] {
            let root = Container()
            for index in 0..<count {
                let entry = root.register(Part.self, name: "\(index)", scope: .transient) { _ in Part() }
                    .dependsOnNothing()
                for part in [2 * index + 1, 2 * index + 2] where part < count {
                    entry.dependsOn(Part.self, name: "\(part)")
                }
            }
            // Every tenth kept service holds two captives, all behind one transient service.
            root.register(Part.self, name: "shared", scope: .transient) { _ in Part() }
                .dependsOn(Part.self, name: "one").dependsOn(Part.self, name: "two")
            for name in ["one", "two"] {
                root.register(Part.self, name: name, scope: .perContainer) { _ in Part() }.dependsOnNothing()
            }
            for index in 0..<(count / 10) {
                let entry = root.register(Part.self, name: "kept \(index)", scope: .container) { _ in Part() }
                entry.dependsOn(Part.self, name: "\(index)")
                if index % 10 == 0 { entry.dependsOn(Part.self, name: "shared") }
            }
            // The child builds all parts on the way to the last one, and the root builds them for its kept services.
            let child = root.createChild()
            child.register(Part.self, name: "\(count - 1)") { _ in Part() }.dependsOnNothing()
            var graph = child.dependencyGraph()
            let runs = (0..<3).map { _ in
                let start = Self.processorTime
                graph = child.dependencyGraph()
                let report = graph.validate()
                let time = Self.processorTime - start
                #expect(report.problems(.captive).count == count / 100)
                #expect(report.problems(.captive).allSatisfy { $0.related.count == 2 })
                return time
            }
            let depth = sequence(first: count - 1) { $0 == 0 ? nil : ($0 - 1) / 2 }.dropFirst().reduce(0) { depth, _ in
                depth + 1
            }
            #expect(graph.nodes.count == count + 3 + count / 10 + depth + 1)
            times.append(runs.min() ?? .zero)
            print("\(count) registrations below a child: \(times[times.count - 1])")
        }
        #expect(times[2] < times[1] * 40)
    }
}
