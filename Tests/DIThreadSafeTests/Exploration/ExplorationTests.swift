import DITestSupport
import Testing

/// The coordination of threads, explored exhaustively: each interleaving of two and three threads over small sets of
/// services. What the threads share is changed one step at a time; the end of each interleaving is looked at.
@Suite("Exploration of the coordination of threads")
struct ExplorationTests {
    typealias Operation = ExploredWiring.Operation

    /// Of how many wirings one is explored, except in the long form: fewer in debug, which is many times as slow.
    private static var share: Int {
        #if DEBUG
        Stress.isLong ? 1 : 100
        #else
        Stress.isLong ? 1 : 5
        #endif
    }

    /// How many wirings are drawn where there are too many to explore each.
    private static func drawn(_ number: Int, long: Int) -> Int {
        #if DEBUG
        Stress.times(number / 5, long: long)
        #else
        Stress.times(number, long: long)
        #endif
    }

    /// Each set of services in which an ordered pair of two has no edge, one of a constructor or one of a callback.
    static func edges(_ count: Int) -> [[ExploredWiring.Service]] {
        let pairs = (0..<count).flatMap { from in (0..<count).filter { $0 != from }.map { (from, $0) } }
        var all: [[ExploredWiring.Service]] = [Array(repeating: ExploredWiring.Service(), count: count)]
        for (from, to) in pairs {
            all = all.flatMap { services in
                var constructor = services
                constructor[from].constructor.append(to)
                var callback = services
                callback[from].callback.append(to)
                callback[from].hasCallback = true
                return [services, constructor, callback]
            }
        }
        return all
    }

    /// Each list of requests of a length up to this one.
    static func requests(_ count: Int, upTo length: Int) -> [[Operation]] {
        if length == 0 { return [] }
        let shorter = requests(count, upTo: length - 1)
        return (0..<count).map { [.request($0)] }
            + shorter.flatMap { list in (0..<count).map { list + [.request($0)] } }
    }

    /// Each pair of programs, whatever their order.
    static func pairs(_ programs: [[Operation]]) -> [[[Operation]]] {
        programs.indices.flatMap { first in programs[first...].map { [programs[first], $0] } }
    }

    private static func report(
        _ what: String,
        _ exploration: Exploration,
        _ wirings: Int,
        since start: SuspendingClock.Instant
    ) {
        print(
            """
            Explored \(what): \(wirings) wirings, \(exploration.states) states, \(exploration.interleavings) interleavings, \
            \(exploration.ends) ends, \(exploration.waits) states with a sleeping thread, \(start.duration(to: .now))
            """
        )
    }

    private static func explore(_ what: String, _ wirings: some Sequence<ExploredWiring>, share: Int = share) {
        let start = SuspendingClock.now
        var exploration = Exploration()
        var count = 0
        for (number, wiring) in wirings.enumerated() where number % share == 0 {
            exploration.explore(wiring)
            count += 1
            if !exploration.findings.isEmpty { break }
        }
        report(what, exploration, count, since: start)
        #expect(exploration.findings == [])
        #expect(exploration.waits > 0)
    }

    @Test("T1, T9, T10, T12: two threads over two services, with failures, resets and observers")
    func twoServices() {
        let base = ExplorationTests.edges(2).flatMap { services in
            ExplorationTests.pairs(ExplorationTests.requests(2, upTo: 2)).map {
                ExploredWiring(services: services, threads: $0)
            }
        }
        ExplorationTests.explore("two threads over two services", base.flatMap { ExplorationTests.variants($0) })
    }

    @Test("T1, T9, T10, T12: two threads over three services")
    func threeServices() {
        let programs = ExplorationTests.pairs(ExplorationTests.requests(3, upTo: Stress.isLong ? 2 : 1))
        let wirings = ExplorationTests.edges(3).lazy.flatMap { services in
            programs.map { ExploredWiring(services: services, threads: $0) }
        }
        ExplorationTests.explore("two threads over three services", wirings)
    }

    @Test("T1, T9, T10, T12: two threads over three services, some with failures, resets and observers")
    func someWithFailures() {
        var random = SeededRandom(seed: Stress.seed)
        print("Two threads over three services with failures: DI_STRESS_SEED=\(Stress.seed)")
        let programs = ExplorationTests.pairs(ExplorationTests.requests(3, upTo: 2))
        let edges = ExplorationTests.edges(3)
        let wirings = (0..<ExplorationTests.drawn(100, long: 20_000)).map { _ in
            let wiring = ExploredWiring(
                services: edges.randomElement(using: &random)!,
                threads: programs.randomElement(using: &random)!
            )
            return ExplorationTests.variants(wiring).randomElement(using: &random)!
        }
        ExplorationTests.explore("two threads over three services with failures", wirings, share: 1)
    }

    @Test("T1, T9, T10, T12: three threads over two services")
    func threeThreads() {
        let single = ExplorationTests.requests(2, upTo: 1)
        let programs = single.flatMap { first in ExplorationTests.pairs(single).map { [first] + $0 } }
        let wirings = ExplorationTests.edges(2).flatMap { services in
            programs.map { ExploredWiring(services: services, threads: $0) }
        }
        ExplorationTests.explore(
            "three threads over two services",
            Stress.isLong ? wirings.flatMap { ExplorationTests.variants($0) } : wirings
        )
    }

    @Test("T1, T9, T10, T12: three threads over three services, some of all")
    func someOfThree() {
        var random = SeededRandom(seed: Stress.seed)
        print("Three threads over three services: DI_STRESS_SEED=\(Stress.seed)")
        let single = ExplorationTests.requests(3, upTo: 1)
        let edges = ExplorationTests.edges(3)
        let wirings = (0..<ExplorationTests.drawn(10, long: 4_000)).map { _ in
            var wiring = ExploredWiring(
                services: edges.randomElement(using: &random)!,
                threads: (0..<3).map { _ in single.randomElement(using: &random)! }
            )
            if let variant = ExplorationTests.variants(wiring).randomElement(using: &random) { wiring = variant }
            return wiring
        }
        ExplorationTests.explore("three threads over three services", wirings, share: 1)
    }

    /// A wiring as it is, and with each single failure, observer and reset.
    static func variants(_ wiring: ExploredWiring) -> [ExploredWiring] {
        var variants = [wiring]
        for service in wiring.services.indices {
            var factory = wiring
            factory.services[service].factoryThrows = true
            var callback = wiring
            callback.services[service].hasCallback = true
            callback.services[service].callbackThrows = true
            var plainCallback = wiring
            plainCallback.services[service].hasCallback = true
            var firstCallback = plainCallback
            firstCallback.services[service].firstCallbackThrows = true
            var storage = wiring
            storage.services[service].hasNoCell = true
            variants += [factory, callback, firstCallback, plainCallback, storage]
            for other in wiring.services.indices where other != service {
                for failing in [factory, callback, firstCallback] {
                    variants.append(failing)
                    variants[variants.count - 1].services[other].swallows = true
                }
            }
            firstCallback.services[service].swallows = true
            variants.append(firstCallback)
            for observed in wiring.services.indices {
                var observer = wiring
                observer.services[service].observed = observed
                if observed != service { variants.append(observer) }
            }
            var reset = wiring
            reset.threads[0].insert(.reset(service), at: 0)
            variants.append(reset)
            reset.services[service].hasCallback = true
            variants.append(reset)
        }
        return variants
    }

    /// Two threads in whose wait cycle the instance of an inner activation is lent, which fails while the outer one succeeds.
    private static var failingInside: ExploredWiring {
        var services = [ExploredWiring.Service(), ExploredWiring.Service(), ExploredWiring.Service()]
        services[0].constructor = [1]
        services[1].constructor = [2]
        services[1].callback = [0]
        services[1].hasCallback = true
        services[1].firstCallbackThrows = true
        services[1].swallows = true
        services[2].callback = [1]
        services[2].hasCallback = true
        return ExploredWiring(services: services, threads: [[.request(0)], [.request(1)]])
    }

    /// The same with a reset, which takes out what was lent.
    private static var resetInside: ExploredWiring {
        var services = [ExploredWiring.Service(), ExploredWiring.Service(), ExploredWiring.Service()]
        services[0].constructor = [1]
        services[0].swallows = true
        services[1].constructor = [2]
        services[1].callback = [0]
        services[1].hasCallback = true
        services[1].swallows = true
        services[2].callback = [1]
        services[2].hasCallback = true
        let resets = (0..<3).map { ExploredWiring.Operation.reset($0) }
        return ExploredWiring(services: services, threads: [[.request(1)], [.request(0)], resets])
    }

    /// A claim whose frame fails, although an instance was built inside that depends on a frame further out.
    private static var failingOutside: ExploredWiring {
        var services = (0..<4).map { _ in ExploredWiring.Service() }
        services[0].callback = [2]
        services[0].hasCallback = true
        services[1].constructor = [2]
        services[1].callback = [0]
        services[1].hasCallback = true
        services[2].constructor = [3, 3]
        services[2].swallows = true
        services[2].hasNoCell = true
        services[3].callback = [1]
        services[3].hasCallback = true
        return ExploredWiring(services: services, threads: [[.request(0)], [.request(1), .request(2)]])
    }

    /// What is made in a callback holds an instance that holds what another thread has lent, and fails.
    private static var lentToAnOuterFrame: ExploredWiring {
        var services = (0..<4).map { _ in ExploredWiring.Service() }
        services[0].constructor = [1]
        services[1].constructor = [2, 2]
        services[1].callback = [3]
        services[1].hasCallback = true
        services[1].swallows = true
        services[2].callback = [3, 0]
        services[2].hasCallback = true
        services[3].callback = [0]
        services[3].hasCallback = true
        return ExploredWiring(services: services, threads: [[.request(1)], [.request(3)], [.request(3)]])
    }

    /// The frame that what holds a loan depends on is given that itself.
    private static var lentToTheRoot: ExploredWiring {
        var services = (0..<5).map { _ in ExploredWiring.Service() }
        services[0].callback = [1, 4]
        services[0].hasCallback = true
        services[0].swallows = true
        services[1].constructor = [3]
        services[2].callback = [1]
        services[2].hasCallback = true
        services[3].constructor = [4]
        services[3].hasCallback = true
        services[3].firstCallbackThrows = true
        services[4].callback = [2]
        services[4].hasCallback = true
        return ExploredWiring(services: services, threads: [[.request(0)], [.request(2)]])
    }

    @Test("T9, T12: an instance that is lent inside of a claim fails by itself")
    func innerFailures() {
        ExplorationTests.explore("failures inside of a claim", [ExplorationTests.failingInside], share: 1)
        ExplorationTests.explore("loans of the root", [ExplorationTests.lentToTheRoot], share: 1)
        ExplorationTests.explore("resets inside of a claim", [ExplorationTests.resetInside], share: 1)
        var exploration = Exploration()
        exploration.explore(ExplorationTests.failingInside, fault: .innerFailureUntold)
        #expect(!exploration.findings.isEmpty)
        ExplorationTests.explore("a failure around what was built inside", [ExplorationTests.failingOutside], share: 1)
        exploration = Exploration()
        exploration.explore(ExplorationTests.failingOutside, fault: .claimEndsBeforeInstance)
        #expect(!exploration.findings.isEmpty)
    }

    #if !DEBUG
    @Test("T9, T12: what is made in a callback fails with what its frame has borrowed")
    func loansOfOuterFrames() {
        ExplorationTests.explore("what is lent to an outer frame", [ExplorationTests.lentToAnOuterFrame], share: 1)
        var exploration = Exploration()
        exploration.explore(ExplorationTests.lentToAnOuterFrame, fault: .loansStayWithFrame)
        #expect(!exploration.findings.isEmpty)
    }
    #endif

    /// The smallest wiring in which a fault is found: searching it takes minutes in debug.
    private static func wiring(with fault: PlantedFault) -> ExploredWiring {
        var services = [ExploredWiring.Service(), ExploredWiring.Service()]
        switch fault {
        case .innerEndSettles:
            services[0].constructor = [1]
            services[0].hasCallback = true
            services[1].callback = [0]
            services[1].hasCallback = true
            return ExploredWiring(services: services, threads: [[.reset(0), .request(0)], [.request(0)]])
        default:
            services[0].observed = 1
            services[1].constructor = [0]
            return ExploredWiring(services: services, threads: [[.request(0)], [.request(1)]])
        }
    }

    @Test(
        "The exploration finds a fault that is planted",
        arguments: [PlantedFault.edgeOutlivesCause, .innerEndSettles, .observerBeforePop]
    )
    func planted(fault: PlantedFault) {
        var exploration = Exploration()
        exploration.explore(ExplorationTests.wiring(with: fault), fault: fault)
        print("Planted \(fault): \(exploration.findings.first ?? "not found")")
        #expect(!exploration.findings.isEmpty)
        exploration = Exploration()
        exploration.explore(ExplorationTests.wiring(with: fault))
        #expect(exploration.findings == [])
    }
}
