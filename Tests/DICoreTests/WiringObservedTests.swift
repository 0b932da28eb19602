import DICore
import DIScopes
import DITestSupport
import Testing

private struct Fuel {}
private struct Horn {}
private final class Engine { init(_ fuel: Fuel) {} }
private final class Car { init(_ engine: Engine) {} }
private final class Person { var home: Home? }
private final class Home { init(_ person: Person) {} }

@Suite("Wiring: what was observed")
struct WiringObservedTests {
    private static func edges(_ graph: DependencyGraph) -> [String] { WiringEdgeTests.edges(graph) }

    /// What is seen while the body runs.
    static func record(_ box: Container, _ body: () throws -> Void) rethrows -> ObservedWiring {
        let recorder = EventRecorder()
        box.addObserver(recorder)
        defer { box.removeObserver(recorder) }
        try body()
        var observed = ObservedWiring()
        for event in recorder.events { observed.add(event) }
        return observed
    }

    private static func closures() -> Container {
        let box = Container()
        box.register(Car.self) { r in Car(try r.require(Engine.self)) }
        box.register(Engine.self) { r in Engine(try r.require(Fuel.self)) }
        box.register(Fuel.self, scope: .container) { _ in Fuel() }
        return box
    }

    @Test("What was seen to run is analysable, and what it asked for are observed edges")
    func closuresThatRan() throws {
        let box = Self.closures()
        #expect(box.dependencyGraph().validate().problems(.notAnalysable).count == 3)
        let observed = try Self.record(box) { _ = try box.require(Car.self) }
        let graph = box.dependencyGraph(observed: observed)
        #expect(Self.edges(graph) == ["Car -> Engine: observed", "Engine -> Fuel: observed"])
        #expect(graph.nodes.map(\.wasObserved) == [true, true, true])
        let report = graph.validate()
        #expect(report.problems.isEmpty)
        #expect(report.usedEdges.observed == 2)
    }

    @Test("What did not run stays listed")
    func partly() throws {
        let box = Self.closures()
        let observed = try Self.record(box) { _ = try box.require(Engine.self) }
        let report = box.dependencyGraph(observed: observed).validate()
        #expect(report.problems(.notAnalysable).map(\.key) == [ServiceKey(Car.self)])
    }

    @Test("A kept instance that was there before is an edge too")
    func reused() throws {
        let box = Self.closures()
        _ = try box.require(Fuel.self)
        let observed = try Self.record(box) { _ = try box.require(Engine.self) }
        #expect(Self.edges(box.dependencyGraph(observed: observed)) == ["Engine -> Fuel: observed"])
    }

    @Test("What was asked for in vain is an edge to a missing service")
    func missing() {
        let box = Container()
        box.register(Car.self) { r in
            _ = r.resolve(Horn.self, name: "loud")
            _ = r.resolve(Fuel.self, argument: 3)
            return Car(Engine(Fuel()))
        }
        box.register(Fuel.self) { _ in Fuel() }
        let observed = Self.record(box) { _ = box.resolve(Car.self) }
        let graph = box.dependencyGraph(observed: observed)
        #expect(Self.edges(graph) == ["Car -> ?Horn named \"loud\": observed", "Car -> ?Fuel(Int): observed"])
        let report = graph.validate()
        #expect(report.problems.map(\.kind) == [.missing, .argumentsMismatch, .notAnalysable])
        #expect(report.problems[1].related.map(\.key) == [ServiceKey(Fuel.self)])
    }

    @Test("What a callback asks for is deferred: it closes no cycle")
    func callback() throws {
        let box = Container()
        box.register(Person.self) { _ in Person() }
            .initCompleted { r, person in person.home = r.resolve(Home.self) }
        box.register(Home.self) { r in Home(try r.require(Person.self)) }
        let observed = try Self.record(box) { _ = try box.require(Home.self) }
        let graph = box.dependencyGraph(observed: observed)
        #expect(
            Self.edges(graph) == ["Person -> Home: observed deferred", "Home -> Person: observed"]
        )
        #expect(graph.validate().problems.isEmpty)
    }

    @Test("A cycle that was seen to fail is found by the check as well")
    func cycle() {
        let box = Container()
        box.register(Person.self) { r in
            _ = try r.require(Home.self)
            return Person()
        }
        box.register(Home.self) { r in Home(try r.require(Person.self)) }
        let observed = Self.record(box) { _ = box.resolve(Home.self) }
        #expect(box.dependencyGraph(observed: observed).validate().problems(.cycle).count == 1)
    }

    @Test("What an initializer says already is not told twice")
    func knownAlready() throws {
        let box = Container()
        box.autoregister(Car.self, initializer: Car.init)
        box.autoregister(Engine.self, initializer: Engine.init)
        box.register(Fuel.self) { _ in Fuel() }
        let observed = try Self.record(box) { for _ in 0..<3 { _ = try box.require(Car.self) } }
        #expect(
            Self.edges(box.dependencyGraph(observed: observed))
                == ["Car -> Engine: parameter 0", "Engine -> Fuel: parameter 0"]
        )
        #expect(observed.edges.count == 2)
    }

    @Test("Of a key that a child overrides, what was seen belongs to the registration that ran")
    func overridden() throws {
        let root = Container()
        root.register(Engine.self) { _ in Engine(Fuel()) }.dependsOnNothing()
        let box = root.createChild()
        box.register(Fuel.self) { _ in Fuel() }.dependsOnNothing()
        box.register(Engine.self) { r in Engine(try r.require(Fuel.self)) }
        let observed = try Self.record(box) { _ = try box.require(Engine.self) }
        let graph = box.dependencyGraph(observed: observed)
        #expect(Self.edges(graph) == ["Engine -> Fuel: observed"])
        #expect(graph.nodes.map(\.wasObserved) == [false, true, true])
    }

    @Test("A wrapper that is made is told with what it wraps and who asked; outside of a factory nobody did")
    func deferred() throws {
        let box = Self.closures()
        box.register(Person.self) { r in
            _ = try r.require(WiringEdgeTests.Deferred<Engine>.self)
            return Person()
        }
        .initCompleted { r, _ in _ = try r.require(WiringEdgeTests.Deferred<Fuel>.self) }
        let recorder = EventRecorder(.resolutions)
        box.addObserver(recorder)
        _ = try box.require(Person.self)
        _ = try box.require(WiringEdgeTests.Deferred<Engine>.self)
        let events = recorder.events.filter { if case .deferred = $0.kind { true } else { false } }
        #expect(events.map(\.key) == [ServiceKey(Engine.self), ServiceKey(Fuel.self), ServiceKey(Engine.self)])
        #expect(events.map(\.path) == [[ServiceKey(Person.self)], [ServiceKey(Person.self)], []])
        #expect(events.map(\.isFromCallback) == [false, true, false])
        #expect(events.map(\.scope) == ["graph", "container", "graph"])
        #expect(events.allSatisfy { $0.location?.fileID == #fileID })
        var observed = ObservedWiring()
        for event in events { observed.add(event) }
        #expect(observed.edges.map(\.isDeferred) == [true, true])
    }

    @Test("Edges may be recorded by hand")
    func byHand() {
        let edge = ObservedWiring.Edge(from: ServiceKey(Car.self), to: ServiceKey(Engine.self), isDeferred: true)
        #expect(
            edge == ObservedWiring.Edge(from: ServiceKey(Car.self), to: ServiceKey(Engine.self), isDeferred: true)
        )
        #expect(ObservedWiring().edges.isEmpty)
        #expect(ObservedWiring().constructed.isEmpty)
    }
}
