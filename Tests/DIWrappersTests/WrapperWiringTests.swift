import DICore
import DIScopes
import DIWrappers
import Testing

@Suite("Wrappers in the wiring")
struct WrapperWiringTests {
    struct Leaf {}
    struct Part {}
    struct Lazily { init(_ leaf: Lazy<Leaf>) {} }
    struct Again { init(_ leaf: Provider<Leaf>) {} }
    struct Mixed { init(_ a: Lazy<Leaf?>, _ b: Lazy<Provider<Leaf>>, _ c: Provider<[Part]>, _ d: Lazy<Leaf>?) {} }
    struct Hen { init(_ egg: Lazy<Egg>) {} }
    struct Egg { init(_ hen: Hen) {} }

    private static func edges(_ box: Container) -> [[Bool]] {
        box.dependencyGraph().edges.map { [$0.isOptional, $0.isDeferred] }
    }

    @Test("W1, W2: what a Lazy or Provider asks for is asked for later, and is missing when nobody has it")
    func deferred() {
        let box = Container()
        box.autoregister(Lazily.self, initializer: Lazily.init)
        box.autoregister(Again.self, initializer: Again.init)
        #expect(Self.edges(box) == [[false, true], [false, true]])
        let report = box.dependencyGraph().validate()
        #expect(report.problems.map(\.key) == [ServiceKey(Leaf.self)])
        #expect(report.problems.first?.requesters.map(\.key) == [ServiceKey(Lazily.self), ServiceKey(Again.self)])
    }

    @Test("W4: composed wrappers are as optional and as late as their parts")
    func composed() {
        let box = Container()
        box.autoregister(Mixed.self, initializer: Mixed.init)
        box.contribute(Part.self) { _ in Part() }.dependsOnNothing()
        #expect(Self.edges(box) == [[true, true], [false, true], [true, true], [true, true]])
        #expect(box.dependencyGraph().validate().problems.map(\.key) == [ServiceKey(Leaf.self)])
        box.register(Leaf.self, instance: Leaf())
        #expect(box.dependencyGraph().validate().problems.isEmpty)
    }

    @Test("E7: a collection of wrappers leads to each contribution, through nested wrappers too")
    func collectionsOfWrappers() throws {
        struct Parts {
            init(
                _ a: [Lazy<Part>],
                _ b: [Provider<Part>],
                _ c: [Lazy<Part>]?,
                _ d: Lazy<[Provider<Part>]>,
                _ e: [Part?],
                _ f: [Lazy<Provider<Part>>]
            ) {}
        }
        let box = Container()
        box.autoregister(Parts.self, initializer: Parts.init)
        #expect(Self.edges(box) == [], "without contributions they are empty")
        _ = try box.require(Parts.self)
        box.contribute(Part.self, name: "one") { _ in Part() }.dependsOn(Leaf.self)
        box.contribute(Part.self, name: "two") { _ in Part() }.dependsOnNothing()
        let graph = box.dependencyGraph()
        let edges = graph.edges.filter { $0.from == 0 }
        #expect(edges.count == 12)
        #expect(edges.filter { !$0.isDeferred }.count == 2, "[Part?] alone holds them")
        #expect(edges.allSatisfy { $0.isOptional })
        let report = graph.validate(roots: [ServiceKey(serviceType: Parts.self)])
        #expect(report.problems.map(\.key) == [ServiceKey(Leaf.self)])
        let parts = try box.require([Lazy<Provider<Part>>].self)
        #expect(parts.count == 2)
    }

    @Test("E7: a captive behind a collection of wrappers is reported as one that is asked for later")
    func captiveBehindCollection() {
        struct Parts { init(_ parts: [Provider<Part>]) {} }
        let box = Container()
        box.autoregister(Parts.self, scope: .container, initializer: Parts.init)
        box.contribute(Part.self, scope: .perContainer) { _ in Part() }.dependsOnNothing()
        #expect(box.dependencyGraph().validate().problems.map(\.kind) == [.deferredCaptive])
    }

    @Test("E7: a collection by a name that no contribution has is missing, in the check as in a request")
    func missingCollection() throws {
        let box = Container()
        box.contribute(Part.self, name: "other") { _ in Part() }.dependsOnNothing()
        box.register(Part.self, name: "some") { _ in Part() }.dependsOnNothing()
        for (type, key) in [
            ([Part].self as Any.Type, ServiceKey([Part].self, name: "some")),
            ([Part]?.self, ServiceKey([Part].self, name: "some")),
            (Lazy<[Part]>.self, ServiceKey([Part].self, name: "some")),
            ([Lazy<Part>].self, ServiceKey([Lazy<Part>].self, name: "some")),
        ] {
            box.register(Int.self) { _ in 1 }.dependsOn(ServiceKey(serviceType: type, name: "some"))
            #expect(box.dependencyGraph().validate().problems(.missing).map(\.key) == [key])
        }
        let error = try #require(throws: ResolutionError.self) { try box.require([Part].self, name: "some") }
        #expect(error.code == .notRegistered)
        #expect(error.key == ServiceKey([Part].self, name: "some"))
        #expect(error.suggestions.first?.key == ServiceKey(Part.self, name: "some"))
        let related = box.dependencyGraph().validate().problems(.missing).first?.related.map { "\($0.key)" }
        let part = "WrapperWiringTests.Part named"
        #expect(related == ["\(part) \"some\"", "\(part) \"other\" [contribution]"])
    }

    @Test("A Lazy or Provider on one side makes a cycle legal, in the check as when it runs")
    func cycle() throws {
        let box = Container()
        box.autoregister(Hen.self, initializer: Hen.init)
        box.autoregister(Egg.self, initializer: Egg.init)
        #expect(box.dependencyGraph().validate().problems.isEmpty)
        _ = try box.require(Egg.self)
    }

    @Test("What a Provider or a Lazy asks for later is no captive but a remark, and is not unused")
    func captive() {
        let box = Container()
        box.register(Leaf.self, scope: .perContainer) { _ in Leaf() }.dependsOnNothing()
        box.autoregister(Again.self, scope: .container, initializer: Again.init)
        box.autoregister(Lazily.self, scope: .weak, initializer: Lazily.init)
        let report = box.dependencyGraph().validate(roots: [ServiceKey(Again.self), ServiceKey(Lazily.self)])
        #expect(report.problems.map(\.kind) == [.deferredCaptive, .deferredCaptive])
        #expect(report.problems.map(\.key) == [ServiceKey(Again.self), ServiceKey(Lazily.self)])
        #expect(report.isValid)
        box.register(Again.self, name: "opened", scope: .container) { r in Again(try r.require(Provider<Leaf>.self)) }
            .dependsOn(Leaf.self)
        #expect(box.dependencyGraph().validate().problems(.captive).map(\.key.name) == ["opened"])
    }

    @Test("dependsOn takes wrappers, as a parameter would have them")
    func declared() {
        let box = Container()
        box.register(Part.self) { _ in Part() }.dependsOn(Lazy<Leaf>.self, Provider<Leaf>?.self)
        #expect(Self.edges(box) == [[false, true], [true, true]])
    }
}
