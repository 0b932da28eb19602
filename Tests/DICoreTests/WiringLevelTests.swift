import DICore
import DIScopes
import DITestSupport
import Testing

@Suite("Wiring: what each container builds")
struct WiringLevelTests {
    final class Keeper { init(_ part: Part) {} }
    final class Part { init(_ leaf: Leaf) {} }
    class Leaf {}
    final class Base {}
    final class Late { init(_ leaf: WiringEdgeTests.Deferred<Leaf>) {} }

    /// The code with which a request fails, and the key that it failed for; nil where it succeeds.
    private static func failure<Service>(
        _ box: Container,
        _ type: Service.Type
    ) -> (code: ResolutionError.Code, key: ServiceKey)? {
        do throws(ResolutionError) {
            _ = try box.require(type)
            return nil
        } catch {
            return (error.code, error.key)
        }
    }

    /// A service that the root keeps, which needs one that each container builds anew, which needs a leaf.
    private static func root(part scope: ObjectScope = .transient) -> Container {
        let root = Container()
        root.autoregister(Keeper.self, scope: .container, initializer: Keeper.init)
        root.autoregister(Part.self, scope: scope, initializer: Part.init)
        return root
    }

    // MARK: The five answers that were wrong

    @Test("E7: a service that only a child registers is missing where the parent builds for a service that it keeps")
    func missingBelowKept() throws {
        let root = Self.root()
        let child = root.createChild()
        child.register(Leaf.self, scope: .transient) { _ in Leaf() }.dependsOnNothing()
        let failure = try #require(Self.failure(child, Keeper.self))
        #expect(failure.code == .notRegistered && failure.key == ServiceKey(Leaf.self))
        #expect(Self.failure(child, Part.self) == nil)
        let report = child.dependencyGraph().validate()
        #expect(report.problems.map(\.kind) == [.missing])
        #expect(report.problems.map(\.key) == [ServiceKey(Leaf.self)])
        #expect(report.problems.first?.requesters.map(\.key) == [ServiceKey(Part.self)])
        #expect(report.problems.first?.requesters.map(\.builtBy) == [[1]])
        #expect("\(report)".contains("needed by WiringLevelTests.Part, parameter 1, built by the parent  ("))
    }

    @Test("E7: registrations that no container builds in a circle are no cycle")
    func noCycle() throws {
        let root = Self.root(part: .graph)
        root.register(Leaf.self) { _ in Leaf() }.dependsOnNothing()
        let child = root.createChild()
        child.register(Leaf.self, scope: .transient) { r in
            _ = try r.require(Keeper.self)
            return Leaf()
        }
        .dependsOn(Keeper.self)
        for failure in [
            Self.failure(child, Keeper.self), Self.failure(child, Part.self), Self.failure(child, Leaf.self),
        ] {
            #expect(failure == nil)
        }
        #expect(child.dependencyGraph().validate().problems.isEmpty)
    }

    @Test("E7: an instance of a child is no captive of a service that the parent keeps")
    func noCaptive() {
        let root = Self.root()
        root.register(Leaf.self) { _ in Leaf() }.dependsOnNothing()
        let child = root.createChild()
        child.register(Leaf.self, scope: .perContainer) { _ in Leaf() }.dependsOnNothing()
        #expect(child.dependencyGraph().validate().problems.isEmpty)
        // The root itself would hold it.
        root.register(Leaf.self, scope: .perContainer) { _ in Leaf() }.dependsOnNothing()
        #expect(root.dependencyGraph().validate().problems(.captive).map(\.key) == [ServiceKey(Keeper.self)])
        #expect(child.dependencyGraph().validate().problems(.captive).map(\.key) == [ServiceKey(Keeper.self)])
    }

    @Test("E7: a container with sharing .none builds its parents' kept services from its own registrations")
    func noSharing() {
        let root = Self.root()
        let child = root.createChild(sharing: .none)
        child.register(Leaf.self) { _ in Leaf() }.dependsOnNothing()
        #expect(Self.failure(child, Keeper.self) == nil)
        #expect(child.dependencyGraph().validate().problems.isEmpty)
        let below = child.createChild()
        below.register(Leaf.self, scope: .weak) { _ in Leaf() }.dependsOnNothing()
        #expect(Self.failure(below, Keeper.self) == nil)
        #expect(below.dependencyGraph().validate().problems.isEmpty, "the child keeps it, and holds its own leaf")
        #expect(root.dependencyGraph().validate().problems.map(\.kind) == [.missing])
    }

    @Test("E7: a child's decorator of its own key says that it asks the parent, and is no cycle")
    func decorator() throws {
        final class Decorated: Leaf { init(_ base: Leaf) {} }
        let root = Self.root()
        root.register(Leaf.self) { r in
            _ = try r.require(Base.self)
            return Leaf()
        }
        .dependsOn(Base.self)
        let child = root.createChild()
        child.register(Leaf.self) { _ in Decorated(try root.require(Leaf.self)) }.dependsOnParent(Leaf.self)
        #expect(child.dependencyGraph().validate().problems.map(\.key) == [ServiceKey(Base.self)])
        #expect(Self.failure(child, Leaf.self)?.key == ServiceKey(Base.self))
        root.register(Base.self) { _ in Base() }.dependsOnNothing()
        #expect(Self.failure(child, Leaf.self) == nil)
        let graph = child.dependencyGraph()
        #expect(graph.validate().problems.isEmpty)
        let edges = WiringEdgeTests.edges(graph)
        #expect(edges.contains("WiringLevelTests.Leaf -> WiringLevelTests.Leaf^: declared of the parent"), "\(edges)")
    }

    // MARK: Who builds

    private static func built(_ graph: DependencyGraph) -> [String] {
        graph.nodes.map { node in
            let number = graph.nodes[...node.id].count { $0.registration == node.registration }
            return "\(node.key.serviceType)\(node.level == 0 ? "" : "^\(node.level)") \(number): \(node.builtBy)"
                + (node.isHidden ? " hidden" : "")
        }
    }

    @Test("E7: a registration has one node where all containers build it alike, and one for each way where not")
    func nodes() throws {
        let root = Self.root()
        root.register(Leaf.self) { _ in Leaf() }.dependsOnNothing()
        let child = root.createChild()
        let below = child.createChild()
        #expect(Self.built(below.dependencyGraph()) == ["Keeper^2 1: [2]", "Part^2 1: [0, 2]", "Leaf^2 1: [0, 2]"])
        child.register(Leaf.self) { _ in Leaf() }.dependsOnNothing()
        let graph = below.dependencyGraph()
        #expect(
            Self.built(graph) == [
                "Keeper^2 1: [2]", "Part^2 1: [0]", "Part^2 2: [2]", "Leaf^2 1: [2]", "Leaf^1 1: [0]",
            ]
        )
        #expect(graph.nodes.map(\.registration) == [0, 1, 1, 2, 3])
        #expect(
            WiringEdgeTests.edges(graph).map { $0.replacing("WiringLevelTests.", with: "") } == [
                "Keeper^ -> Part^: parameter 0", "Part^ -> Leaf^: parameter 0", "Part^ -> Leaf^: parameter 0",
            ]
        )
        #expect(graph.edges.map(\.to) == [.node(2), .node(4), .node(3)])
        #expect(try #require(graph.node(for: ServiceKey(Part.self))).builtBy == [0])
    }

    @Test("E7: a difference far below shows in all registrations that lead to it, also around a legal cycle")
    func distantDifference() {
        let root = Container()
        let names = (0..<50).map { "\($0)" }
        for (name, next) in zip(names, names.dropFirst()) {
            root.register(Int.self, name: name) { _ in 1 }
                .dependsOn(Int.self, name: next)
                .dependsOn(WiringEdgeTests.Deferred<Int>.self, name: "0")
        }
        root.register(Int.self, name: "49") { _ in 1 }.dependsOnNothing()
        root.register(Keeper.self, scope: .container) { _ in fatalError() }.dependsOn(Int.self, name: "0")
        let child = root.createChild()
        #expect(child.dependencyGraph().nodes.count == 51)
        child.register(Int.self, name: "49") { _ in 1 }.dependsOnNothing()
        #expect(child.dependencyGraph().nodes.count == 51 + 50)
        #expect(child.dependencyGraph().validate().problems.isEmpty)
    }

    @Test("E7: an overridden registration that no request leads to is a hidden node without edges and without problems")
    func hidden() throws {
        let root = Container()
        root.register(Leaf.self) { _ in Leaf() }.dependsOn(Base.self)
        let child = root.createChild()
        child.register(Leaf.self) { _ in Leaf() }.dependsOnNothing()
        let graph = child.dependencyGraph()
        #expect(Self.built(graph) == ["Leaf^1 1: [] hidden", "Leaf 1: [0]"])
        #expect(graph.edges.isEmpty)
        #expect(graph.validate().problems.isEmpty)
        #expect(Self.failure(child, Leaf.self) == nil)
        #expect(root.dependencyGraph().validate().problems.map(\.kind) == [.missing])
        let unused = graph.validate(roots: [ServiceKey(Leaf.self)]).problems
        #expect(unused.map(\.kind) == [.unused])
        // The root builds its kept service from its own registrations.
        root.register(Keeper.self, scope: .container) { _ in fatalError() }.dependsOn(Leaf.self)
        #expect(child.dependencyGraph().validate().problems.map(\.key) == [ServiceKey(Base.self)])
    }

    @Test("E7: a service that only a child registers is not missing for that child with sharing .none")
    func falseMissing() {
        let root = Container()
        root.register(Keeper.self, scope: .container) { r in Keeper(Part(try r.require(Leaf.self))) }
            .dependsOn(Leaf.self)
        let child = root.createChild(sharing: .none)
        child.register(Leaf.self) { _ in Leaf() }.dependsOnNothing()
        #expect(Self.failure(child, Keeper.self) == nil)
        #expect(child.dependencyGraph().validate().problems.isEmpty)
        #expect(Self.built(child.dependencyGraph()) == ["Keeper^1 1: [0]", "Leaf 1: [0]"])
    }

    @Test("E7: a captive and a cycle that several containers build are each reported once")
    func toldOnce() {
        let root = Self.root()
        root.register(Leaf.self, scope: .perContainer) { _ in Leaf() }.dependsOnNothing()
        root.register(Int.self, name: "a") { _ in 1 }.dependsOn(Int.self, name: "b").dependsOn(Base.self)
        root.register(Int.self, name: "b") { _ in 1 }.dependsOn(Int.self, name: "a")
        root.register(Int.self, name: "kept", scope: .container) { _ in 1 }.dependsOn(Int.self, name: "a")
        root.register(Base.self) { _ in Base() }.dependsOnNothing()
        let middle = root.createChild(sharing: .none)
        let child = middle.createChild()
        child.register(Base.self, scope: .weak) { _ in Base() }.dependsOnNothing()
        let graph = child.dependencyGraph()
        let problems = graph.validate().problems
        #expect(problems.map(\.kind) == [.cycle, .captive])
        #expect(problems[0].nodes.count == 2, "as the child builds it, and as that in the middle does")
        #expect(problems[1].related.map(\.key) == [ServiceKey(Leaf.self)])
    }

    @Test("E7: where a child has the missing key, the requester is listed with the container that builds it")
    func builders() {
        let root = Container()
        let levels = (0..<4).reduce(into: [root]) { levels, _ in levels.append(levels[levels.count - 1].createChild()) }
        for (level, box) in levels.enumerated() {
            box.register(Int.self, name: "\(level)", scope: .container) { _ in 1 }.dependsOn(Base.self)
        }
        func requesters() -> [String] {
            "\(levels[4].dependencyGraph().validate())".split(separator: "\n").filter { $0.contains("needed by") }
                .map { $0.split(separator: "  ")[0].description }
        }
        #expect(requesters() == (0..<5).map { "- needed by Int named \"\($0)\", as declared" })
        levels[4].register(Base.self) { _ in Base() }.dependsOnNothing()
        let builders = [
            "the parent 4 levels up", "the parent 3 levels up", "the parent's parent", "the parent",
        ]
        let expected = builders.enumerated().map { "- needed by Int named \"\($0)\", as declared, built by \($1)" }
        #expect(requesters() == expected)
    }

    @Test("E7: a registration for other arguments is a mismatch only for requests that see it")
    func argumentsOfAChild() throws {
        let root = Self.root()
        let child = root.createChild()
        child.register(Leaf.self) { (_, _: Int) in Leaf() }.dependsOnNothing()
        #expect(Self.failure(child, Keeper.self)?.code == .notRegistered)
        #expect(Self.failure(child, Part.self)?.code == .argumentsMismatch)
        #expect(child.dependencyGraph().validate().problems.map(\.kind) == [.argumentsMismatch])
        child.autoregister(Part.self) { (_: Base?) in Part(Leaf()) }
        #expect(child.dependencyGraph().validate().problems.map(\.kind) == [.missing])
    }

    // MARK: Asking the parent

    @Test(
        "E7: a decorator asks the parent of its own container, also when a child builds it, and without a parent in vain"
    )
    func decoratorFromBelow() {
        let root = Container()
        root.register(Leaf.self, scope: .container) { _ in Leaf() }.dependsOnNothing()
        let middle = root.createChild()
        middle.register(Leaf.self) { _ in try root.require(Leaf.self) }.dependsOnParent(Leaf.self)
        let child = middle.createChild()
        #expect(Self.failure(child, Leaf.self) == nil)
        let graph = child.dependencyGraph()
        #expect(graph.validate().problems.isEmpty)
        #expect(Self.built(graph) == ["Leaf^2 1: [2]", "Leaf^1 1: [0]"])
        #expect(graph.edges.map(\.to) == [.node(0)])
        let alone = Container()
        alone.register(Leaf.self) { _ in Leaf() }.dependsOnParent(Leaf.self)
        let report = alone.dependencyGraph().validate()
        #expect(report.problems.map(\.key) == [ServiceKey(Leaf.self)])
        #expect("\(report)".contains("needed by WiringLevelTests.Leaf, asked of the parent as declared  ("))
    }

    @Test("E7: a decorator may ask for a collection, a name or a whole key of the parent, and holds the answers")
    func decoratorOfMore() {
        let root = Container()
        root.contribute(Leaf.self, scope: .perContainer) { _ in Leaf() }.dependsOnNothing()
        root.register(Leaf.self, name: "named", scope: .weak) { _ in Leaf() }.dependsOnNothing()
        root.register(Leaf.self, scope: .perContainer) { (_, _: Int) in Leaf() }.dependsOnNothing()
        let child = root.createChild()
        child.contribute(Leaf.self, scope: .perContainer) { _ in Leaf() }.dependsOnNothing()
        child.register(Base.self, scope: .container) { _ in Base() }
            .dependsOnParent([Leaf].self)
            .dependsOnParent(Leaf.self, name: "named")
            .dependsOnParent(ServiceKey(Leaf.self, arguments: Int.self))
        let problem = child.dependencyGraph().validate().problems.first
        #expect(problem?.kind == .captive)
        #expect(problem?.detail == "container holds perContainer, weak, perContainer")
    }

    @Test("E7: a decorator that was seen to run is known to have asked its parent")
    func recordedDecorator() throws {
        let root = Container()
        root.register(Leaf.self) { r in
            _ = try r.require(Base.self)
            return Leaf()
        }
        root.register(Base.self) { _ in Base() }
        let child = root.createChild()
        child.register(Leaf.self) { _ in try root.require(Leaf.self) }
        let observed = try WiringObservedTests.record(root) { _ = try child.require(Leaf.self) }
        let graph = child.dependencyGraph(observed: observed)
        #expect(
            WiringEdgeTests.edges(graph).map { $0.replacing("WiringLevelTests.", with: "") }
                == ["Leaf^ -> Base^: observed", "Leaf -> Leaf^: observed"]
        )
        #expect(graph.nodes.map(\.wasObserved) == [true, true, true])
        #expect(graph.validate().problems.isEmpty)
        // The root itself was not recorded asking the child.
        #expect(WiringEdgeTests.edges(root.dependencyGraph(observed: observed)).count == 1)
    }

    // MARK: Forwarding

    @Test("E7: a type that a child forwards to a service of its parent leads to the container that builds that service")
    func forwardingToParents() {
        let root = Container()
        let kept = root.register(Leaf.self, scope: .container) { r in
            _ = try r.require(Base.self)
            return Leaf()
        }
        .dependsOn(Base.self)
        let child = root.createChild()
        child.forward(AnyObject.self, to: kept) { $0 }
        child.register(Base.self) { _ in Base() }.dependsOnNothing()
        #expect(Self.failure(child, AnyObject.self)?.key == ServiceKey(Base.self))
        #expect(child.dependencyGraph().validate().problems.map(\.key) == [ServiceKey(Base.self)])
        kept.inObjectScope(.transient)
        #expect(Self.failure(child, AnyObject.self) == nil)
        #expect(child.dependencyGraph().validate().problems.isEmpty)
    }

    @Test("E7: a type that is forwarded to a service of a container that is no parent is not analysable")
    func forwardingElsewhere() {
        let root = Container()
        let other = Container()
        let kept = other.register(Leaf.self, scope: .container) { _ in Leaf() }.dependsOn(Base.self)
        root.forward(Leaf.self, to: kept) { $0 }
        #expect(root.dependencyGraph().validate().problems.map(\.kind) == [.notAnalysable])
        // A transient service is built from the registrations of the container that asks.
        kept.inObjectScope(.transient)
        #expect(root.dependencyGraph().validate().problems.map(\.key) == [ServiceKey(Base.self)])
    }
}
