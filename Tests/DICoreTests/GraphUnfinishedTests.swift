import DICore
import DIScopes
import Testing

/// What a graph has of instances whose callbacks fail afterwards.
@Suite("Unfinished instances in graphs and storages")
struct GraphUnfinishedTests {
    private struct Thrown: Error {}
    private final class Whole {}
    private final class Part {
        let whole: Whole
        init(_ whole: Whole) { self.whole = whole }
    }
    private final class Keeper {
        let part: Part
        init(_ part: Part) { self.part = part }
    }

    @Test(
        "G7: an object of a graph that has ended is not found through its identifier before what it holds is complete"
    )
    func notRemembered() throws {
        let container = Container()
        let graph = GraphIdentifier()
        var early: Part?
        var isFailing = true
        container.register(Part.self) { r in Part(try r.require(Whole.self)) }
        container.register(Keeper.self, scope: .container) { r in Keeper(try r.require(Part.self)) }
        container.register(Whole.self, scope: .container) { _ in Whole() }.initCompleted { r, _ in
            guard isFailing else { return }
            isFailing = false
            early = try r.withObjectGraph(graph) { try $0.require(Part.self) }
            _ = try r.withObjectGraph(graph) { try $0.require(Keeper.self) }
            throw Thrown()
        }
        #expect(container.resolve(Whole.self) == nil)
        let later = try container.withObjectGraph(graph) { try $0.require(Part.self) }
        #expect(later !== early)
        #expect(try container.require(Keeper.self).part.whole === container.resolve(Whole.self))
    }

    @Test("G8: when that is complete the object is found")
    func rememberedAfterwards() throws {
        let container = Container()
        let graph = GraphIdentifier()
        var early: Part?
        container.register(Part.self) { r in Part(try r.require(Whole.self)) }
        container.register(Whole.self, scope: .container) { _ in Whole() }.initCompleted { r, _ in
            early = try r.withObjectGraph(graph) { try $0.require(Part.self) }
        }
        _ = try container.require(Whole.self)
        #expect(try container.withObjectGraph(graph) { try $0.require(Part.self) } === early)
    }

    @Test("G7: an outer graph that still runs loses what holds an instance that has failed")
    func outerGraph() throws {
        final class Root {}
        let container = Container()
        var failed: Part?
        var isFailing = true
        container.register(Part.self) { r in Part(try r.require(Whole.self)) }
        var outer: GraphIdentifier?
        container.register(Whole.self, scope: .container) { _ in Whole() }.initCompleted { r, _ in
            guard isFailing, let outer else { return }
            isFailing = false
            failed = try r.withObjectGraph(outer) { try $0.require(Part.self) }
            throw Thrown()
        }
        container.register(Root.self) { r in
            outer = try r.require(GraphIdentifier.self)
            #expect(r.withObjectGraph(GraphIdentifier()) { $0.resolve(Whole.self) } == nil)
            #expect(try r.require(Part.self) !== failed)
            return Root()
        }
        _ = try container.require(Root.self)
        #expect(failed != nil)
    }

    private final class Node {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    private static func registerNodes(in container: Container, failing: Int) {
        container.register(Node.self) { (r, number: Int) in
            if number > 1 { _ = try r.require(Node.self, argument: number - 1) }
            return Node(number)
        }
        .initCompleted { _, node in if node.number == failing { throw Thrown() } }
    }

    @Test("G7: of two activations under one key the one that failed is forgotten")
    func twoActivations() throws {
        final class Root {}
        let container = Container()
        Self.registerNodes(in: container, failing: 2)
        container.register(Root.self) { r in
            #expect(r.resolve(Node.self, argument: 2) == nil)
            #expect(r.resolve(Node.self, argument: 2)?.number == 1)
            return Root()
        }
        _ = try container.require(Root.self)
    }

    @Test("G2: a graph that grows gives the same instance as before")
    func growing() throws {
        final class Root {}
        let container = Container()
        Self.registerNodes(in: container, failing: 0)
        for number in 0..<100 { container.register(Int.self, name: "\(number)") { _ in number } }
        container.register(Root.self) { r in
            _ = try r.require(Node.self, argument: 2)
            let first = try r.require(Node.self, argument: 2)
            for number in 0..<100 { _ = try r.require(Int.self, name: "\(number)") }
            #expect(try r.require(Node.self, argument: 2) === first)
            return Root()
        }
        _ = try container.require(Root.self)
    }

    private final class Shelf: InstanceStorage {
        var instance: Any?
    }

    @Test("G7: an instance that has failed does not take a newer one out of its storage", arguments: [true, false])
    func newerInstance(hasCell: Bool) throws {
        let scope =
            hasCell
            ? ObjectScope(storageFactory: PermanentStorage.init, description: "cell")
            : ObjectScope(storageFactory: Shelf.init, description: "shelf")
        let container = Container()
        var isFirst = true
        var newer: Node?
        container.register(Node.self, scope: scope) { r in
            defer { isFirst = false }
            if isFirst { _ = try r.require(Whole.self) }
            return Node(0)
        }
        container.register(Whole.self, scope: .container) { _ in Whole() }.initCompleted { [unowned container] r, _ in
            _ = try r.require(Node.self)
            container.resetObjectScope(scope)
            newer = try r.require(Node.self)
            throw Thrown()
        }
        #expect(container.resolve(Whole.self) == nil)
        #expect(try container.require(Node.self) === newer)
    }
}
