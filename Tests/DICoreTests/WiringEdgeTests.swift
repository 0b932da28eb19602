import DICore
import DIScopes
import DITestSupport
import Testing

private protocol Animal: AnyObject {}
private protocol Pet: AnyObject {}
private final class Cat: Animal, Pet {}

private struct Fuel {}
private struct Wheel {}
private struct Horn {}
private struct Engine { init(_ fuel: Fuel) {} }
private struct Car { init(_ engine: Engine, _ horn: Horn?, _ wheels: [Wheel]) {} }

@Suite("Wiring: what needs what")
struct WiringEdgeTests {
    /// Stands for what DIWrappers has.
    struct Deferred<Wrapped>: InstanceWrapper {
        let provider: InstanceProvider<Wrapped>

        static var traits: WrapperTraits { .defersConstruction }
        static func makeWrapper(from source: InstanceSource<Wrapped>) -> Deferred {
            Deferred(provider: source.inNewGraphs())
        }
    }

    /// The edges as a reader would write them.
    static func edges(_ graph: DependencyGraph) -> [String] {
        graph.edges.map { edge in
            let from = graph.nodes[edge.from]
            let target =
                switch edge.to {
                case .node(let node): "\(graph.nodes[node].key)" + (graph.nodes[node].level == 0 ? "" : "^")
                case .missing(let key): "?\(key)"
                }
            let source =
                switch edge.source {
                case .parameter(let index): "parameter \(index)"
                case .declared: "declared"
                case .declaredOfParent: "declared of the parent"
                case .observed: "observed"
                case .forwarding: "forwarding"
                }
            let traits = (edge.isOptional ? " optional" : "") + (edge.isDeferred ? " deferred" : "")
            return "\(from.key)\(from.level == 0 ? "" : "^") -> \(target): \(source)\(traits)"
        }
    }

    private static func edges(_ box: Container) -> [String] { edges(box.dependencyGraph()) }

    // MARK: Known from registrations

    @Test("The parameters of an initializer are edges, with their numbers")
    func initializer() {
        let box = Container()
        box.autoregister(Car.self, initializer: Car.init)
        box.autoregister(Engine.self, initializer: Engine.init)
        box.register(Horn.self) { _ in Horn() }
        box.contribute(Wheel.self) { _ in Wheel() }
        box.contribute(Wheel.self) { _ in Wheel() }
        #expect(
            Self.edges(box) == [
                "Car -> Engine: parameter 0",
                "Car -> Horn: parameter 1 optional",
                "Car -> Wheel [contribution]: parameter 2 optional",
                "Car -> Wheel [contribution]: parameter 2 optional",
                "Engine -> ?Fuel: parameter 0",
            ]
        )
        #expect(box.dependencyGraph().nodes.map(\.isAnalysable) == [true, true, false, false, false])
    }

    @Test("dependsOn names one, several or no service, and the entry is taken at its word", arguments: [0, 1, 2, 3])
    func declared(_ count: Int) {
        let box = Container()
        let entry = box.register(Car.self) { r in Car(try r.require(Engine.self), nil, []) }
        switch count {
        case 0: entry.dependsOnNothing()
        case 1: entry.dependsOn(Engine.self, name: "v8")
        case 2: entry.dependsOn(Engine.self, Horn?.self)
        default: entry.dependsOn(Engine.self, Horn?.self, [Wheel].self).dependsOn(Fuel.self)
        }
        let all = ["?Engine: declared", "?Horn: declared optional", "?Fuel: declared"]
        let expected =
            switch count {
            case 0: [String]()
            case 1: ["?Engine named \"v8\": declared"]
            case 2: Array(all.prefix(2))
            default: all
            }
        #expect(Self.edges(box) == expected.map { "Car -> \($0)" })
        #expect(box.dependencyGraph().nodes.map(\.isAnalysable) == [true])
        #expect(entry.anyEntry.dependencies.allSatisfy { $0.source == .declared })
    }

    @Test("A closure that says nothing has no edges and is not analysable")
    func closure() {
        let box = Container()
        box.register(Car.self) { r in Car(try r.require(Engine.self), nil, []) }
        let graph = box.dependencyGraph()
        #expect(graph.edges.isEmpty)
        #expect(graph.nodes.map(\.isAnalysable) == [false])
    }

    @Test("An instance needs nothing, and everything is known of it")
    func instance() {
        let box = Container()
        box.register(Fuel.self, instance: Fuel())
        let graph = box.dependencyGraph()
        #expect(graph.edges.isEmpty)
        #expect(graph.nodes.map(\.isAnalysable) == [true])
        #expect(graph.nodes.map(\.scope) == ["instance"])
        #expect(graph.validate().problems.isEmpty)
    }

    @Test("A runtime argument of an initializer is no edge; the numbers of the parameters stay")
    func runtimeArgument() {
        struct Taxi { init(_ number: Int, _ engine: Engine, _ spare: Int) {} }
        let box = Container()
        box.autoregister(Taxi.self, argument: Int.self, initializer: Taxi.init)
        #expect(Self.edges(box) == ["Taxi(Int) -> ?Engine: parameter 1"])
    }

    @Test("A wrapper leads to the type that it wraps, deferred where it resolves later, optional where it may be nil")
    func wrappers() {
        struct Garage {
            init(_ a: Deferred<Engine>, _ b: Deferred<Horn?>, _ c: Deferred<[Wheel]>, _ d: Deferred<Deferred<Fuel>>) {}
        }
        let box = Container()
        box.autoregister(Garage.self, initializer: Garage.init)
        #expect(
            Self.edges(box) == [
                "Garage -> ?Engine: parameter 0 deferred",
                "Garage -> ?Horn: parameter 1 optional deferred",
                "Garage -> ?Fuel: parameter 3 deferred",
            ]
        )
        box.contribute(Wheel.self) { _ in Wheel() }
        #expect(Self.edges(box)[2] == "Garage -> Wheel [contribution]: parameter 2 optional deferred")
    }

    @Test("A wrapper that is registered itself is the end of the edge")
    func registeredWrapper() {
        let box = Container()
        box.autoregister(Car.self, initializer: Car.init)
        box.autoregister(Engine.self, initializer: Engine.init)
        box.register(Fuel.self) { _ in Fuel() }
        box.register(Horn?.self) { _ in nil }
        box.register([Wheel].self) { _ in [] }
        #expect(Self.edges(box).contains("Car -> Horn?: parameter 1"))
        #expect(Self.edges(box).contains("Car -> [Wheel]: parameter 2"))
    }

    @Test("The identifier of the graph needs no registration")
    func graphIdentifier() {
        struct Joining { init(_ identifier: GraphIdentifier) {} }
        let box = Container()
        box.autoregister(Joining.self, initializer: Joining.init)
        #expect(Self.edges(box) == [])
        #expect(box.dependencyGraph().validate().problems.isEmpty)
    }

    // MARK: Forwarding

    @Test("A forwarded type leads to the entry that answers for it, whose scope is shown")
    func forwarding() {
        let box = Container()
        box.register(Cat.self, scope: .container) { _ in Cat() }.dependsOn(Fuel.self)
            .implements((any Animal).self, (any Pet).self)
        let graph = box.dependencyGraph()
        #expect(Self.edges(graph) == ["Cat -> ?Fuel: declared", "Animal -> Cat: forwarding", "Pet -> Cat: forwarding"])
        #expect(graph.nodes.map(\.forwardsTo) == [nil, 0, 0])
        #expect(graph.nodes.map(\.scope) == ["container", "container", "container"])
        #expect(graph.validate().usedEdges.forwarding == 2)
    }

    @Test("A type that is forwarded to a forwarded type leads to the entry that builds")
    func forwardingOfForwarded() {
        let box = Container()
        let animal = box.forward((any Animal).self, to: box.register(Cat.self) { _ in Cat() }) { $0 }
        box.forward((any Pet).self, to: animal)
        #expect(Self.edges(box) == ["Animal -> Cat: forwarding", "Pet -> Cat: forwarding"])
    }

    @Test("A forwarded type whose entry was replaced under its own key is checked with what that entry asks for")
    func forwardingOfReplaced() {
        let box = Container()
        box.register(Cat.self) { _ in Cat() }.dependsOn(Fuel.self).implements((any Animal).self)
        box.register(Cat.self) { _ in Cat() }.dependsOnNothing()
        // The forwarded key still answers with the first entry, which asks for fuel.
        #expect(box.dependencyGraph().validate().problems(.missing).map(\.key) == [ServiceKey(Fuel.self)])
    }

    // MARK: Parents

    @Test(
        "What its owner keeps sees the owner's registrations; transient and graph see those of the container that asks"
    )
    func residence() {
        struct A { init(_ fuel: Fuel) {} }
        struct B { init(_ fuel: Fuel) {} }
        struct C { init(_ fuel: Fuel) {} }
        struct D { init(_ fuel: Fuel) {} }
        struct E { init(_ fuel: Fuel) {} }
        let root = Container()
        root.autoregister(A.self, scope: .transient, initializer: A.init)
        root.autoregister(B.self, scope: .graph, initializer: B.init)
        root.autoregister(C.self, scope: .perContainer, initializer: C.init)
        root.autoregister(D.self, scope: .weak, initializer: D.init)
        root.autoregister(E.self, scope: .container, initializer: E.init)
        let box = root.createChild()
        box.register(Fuel.self) { _ in Fuel() }
        #expect(
            Self.edges(box) == [
                "A^ -> Fuel: parameter 0", "B^ -> Fuel: parameter 0", "C^ -> Fuel: parameter 0",
                "D^ -> ?Fuel: parameter 0", "E^ -> ?Fuel: parameter 0",
            ]
        )
        root.register(Fuel.self) { _ in Fuel() }
        #expect(Self.edges(box).suffix(2) == ["D^ -> Fuel^: parameter 0", "E^ -> Fuel^: parameter 0"])
        #expect(Self.edges(box).first == "A^ -> Fuel: parameter 0")
    }

    @Test("What only a child has is missing for what a parent keeps, and no mismatch of arguments")
    func missingInTheParent() {
        let root = Container()
        root.autoregister(Engine.self, scope: .container, initializer: Engine.init)
        let box = root.createChild()
        box.register(Fuel.self) { _ in Fuel() }.dependsOnNothing()
        let problems = box.dependencyGraph().validate().problems
        #expect(problems.map(\.key) == [ServiceKey(Fuel.self)])
        #expect(problems.first?.requesters.map(\.key) == [ServiceKey(Engine.self)])
        #expect(problems.map(\.kind) == [.missing])
    }

    @Test("Contributions of a child are seen by what the child builds and not by what a parent keeps")
    func contributions() {
        struct Rack { init(_ wheels: [Wheel]) {} }
        let root = Container()
        root.contribute(Wheel.self, name: "root") { _ in Wheel() }
        root.autoregister(Rack.self, name: "kept", scope: .container, initializer: Rack.init)
        root.autoregister(Rack.self, name: "free", initializer: Rack.init)
        let box = root.createChild()
        box.contribute(Wheel.self, name: "child") { _ in Wheel() }
        #expect(
            Self.edges(box) == [
                "Rack named \"kept\"^ -> Wheel named \"root\" [contribution]^: parameter 0 optional",
                "Rack named \"free\"^ -> Wheel named \"root\" [contribution]^: parameter 0 optional",
                "Rack named \"free\"^ -> Wheel named \"child\" [contribution]: parameter 0 optional",
            ]
        )
    }

    @Test("The graph of a container has its parents' registrations and nothing of its children")
    func levels() throws {
        let root = Container()
        root.register(Fuel.self) { _ in Fuel() }
        let middle = root.createChild()
        middle.register(Fuel.self) { _ in Fuel() }
        let box = middle.createChild()
        box.register(Horn.self) { _ in Horn() }
        let graph = box.dependencyGraph()
        #expect(graph.nodes.map(\.level) == [2, 1, 0])
        #expect(try #require(graph.node(for: ServiceKey(Fuel.self))).level == 1)
        #expect(graph.node(for: ServiceKey(Wheel.self)) == nil)
        #expect(middle.dependencyGraph().nodes.count == 2)
    }

    // MARK: The value

    @Test("A node says key, scope, module, place and who registered it")
    func nodes() throws {
        let box = Container()
        box.register(
            (any Animal).self,
            name: "cat",
            scope: .expiring(after: .seconds(5)),
            fileID: "Zoo/Cages.swift",
            line: 12
        ) { _ in
            Cat()
        }
        .allowsCaptives(because: "it is a big cage")
        let graph = box.dependencyGraph { key, location in "\(key) of \(location)" }
        let node = try #require(graph.nodes.first)
        #expect(node.key == ServiceKey((any Animal).self, name: "cat"))
        #expect(node.scope == "expiring after 5.0 seconds")
        #expect(node.lifetimeRank == .expiring)
        #expect(node.residence == .owner)
        #expect(node.location == SourceLocation(fileID: "Zoo/Cages.swift", line: 12))
        #expect(node.module == "Zoo")
        #expect(node.origin == "Animal named \"cat\" of Zoo/Cages.swift:12")
        #expect(node.captiveReason == "it is a big cage")
        #expect(!node.wasObserved)
        #expect(graph.edges(from: node).isEmpty)
    }

    @Test("The graph and the report are the same every time, in the order of registration")
    func deterministic() {
        func make() -> Container {
            let root = Container()
            for number in 0..<60 {
                root.register(Int.self, name: "\(number)", line: UInt(number)) { _ in number }
                    .dependsOn(Int.self, name: "\((number * 7 + 3) % 80)")
                    .dependsOn(String.self, name: "\(number % 5)")
            }
            let box = root.createChild()
            for number in 0..<10 {
                box.contribute(String.self, line: UInt(number)) { _ in "" }
            }
            return box
        }
        let graphs = (0..<5).map { _ in make().dependencyGraph() }
        #expect(Set(graphs.map(Self.edges)).count == 1)
        #expect(Set(graphs.map { "\($0.validate())" }).count == 1)
        #expect(graphs[0].nodes.prefix(60).map(\.key.name) == (0..<60).map { "\($0)" })
        #expect(graphs[0].edges.map(\.from) == graphs[0].edges.map(\.from).sorted())
    }

    @Test("Making and checking the graph constructs nothing")
    func constructsNothing() {
        let built = Counter()
        let box = Container()
        box.register(Fuel.self, scope: .container) { _ in
            built.add()
            return Fuel()
        }
        .initCompleted { _, _ in built.add() }
        box.autoregister(Engine.self) { (fuel: Fuel) in
            built.add()
            return Engine(fuel)
        }
        box.register(Cat.self) { _ in
            built.add()
            return Cat()
        }
        .implements((any Animal).self)
        _ = box.dependencyGraph().validate(roots: [ServiceKey(Engine.self)]).description
        #expect(built.value == 0)
    }
}
