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
