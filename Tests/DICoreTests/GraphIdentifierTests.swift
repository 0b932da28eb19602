import DICore
import DIScopes
import DITestSupport
import Testing

/// G8: joining the graph of an earlier resolve.
@Suite("Graph identifiers")
struct GraphIdentifierTests {
    private final class Header: Tracked {}

    private final class Body: Tracked {}

    private final class Screen: Tracked {
        let graph: GraphIdentifier
        let header: Header

        init(_ tracker: LifetimeTracker, _ graph: GraphIdentifier, _ header: Header) {
            self.graph = graph
            self.header = header
            super.init(tracker)
        }
    }

    private static func container(_ tracker: LifetimeTracker) -> Container {
        let box = Container()
        box.register(Header.self) { _ in Header(tracker) }
        box.register(Body.self) { _ in Body(tracker) }
        box.register(Screen.self) { r in
            Screen(tracker, try r.require(GraphIdentifier.self), try r.require(Header.self))
        }
        return box
    }

    @Test("G8: the objects of a graph that has ended are found through its identifier while they live")
    func joinedAfterEnd() throws {
        let box = Self.container(LifetimeTracker())
        let screen = try box.require(Screen.self)
        #expect(box.withObjectGraph(screen.graph) { $0.resolve(Header.self) } === screen.header)
        #expect(box.withObjectGraph(screen.graph) { $0.resolve(Screen.self) } === screen)
        #expect(box.resolve(Header.self) !== screen.header)
        #expect(box.resolve(Screen.self) !== screen)
    }

    @Test("G8: the root of a graph is found too, whether its factory asks for the identifier first or last")
    func rootIsFound() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        var graph: GraphIdentifier?
        box.register(Body.self) { r in
            let body = Body(tracker)
            graph = try r.require(GraphIdentifier.self)
            return body
        }
        let body = try box.require(Body.self)
        #expect(try box.withObjectGraph(#require(graph)) { $0.resolve(Body.self) } === body)
    }

    @Test("G8: what a later resolve builds joins the graph")
    func builtLater() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        let screen = try box.require(Screen.self)
        let body = box.withObjectGraph(screen.graph) { $0.resolve(Body.self) }
        #expect(body != nil)
        #expect(box.withObjectGraph(screen.graph) { $0.resolve(Body.self) } === body)
        #expect(tracker.made == 3)
    }

    @Test("G8: a graph is joined while it runs")
    func joinedWhileRunning() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Header.self) { _ in Header(tracker) }
        box.register(Screen.self) { [unowned box] r in
            let graph = try r.require(GraphIdentifier.self)
            let header = try r.require(Header.self)
            #expect(box.withObjectGraph(graph) { $0.resolve(Header.self) } === header)
            #expect(try box.withObjectGraph(graph) { try $0.require(GraphIdentifier.self) } === graph)
            #expect(try r.require(Header.self) === header)
            return Screen(tracker, graph, header)
        }
        _ = try box.require(Screen.self)
        #expect(tracker.made == 2)
    }

    @Test("G8: within one graph the identifier is the same, and in another graph another")
    func oneForEachGraph() throws {
        let box = Container()
        box.register([GraphIdentifier].self) { r in
            [try r.require(GraphIdentifier.self), try r.require(GraphIdentifier.self)]
        }
        let first = try box.require([GraphIdentifier].self)
        let second = try box.require([GraphIdentifier].self)
        #expect(first[0] == first[1])
        #expect(second[0] == second[1])
        #expect(first[0] != second[0])
    }

    @Test("G8: an identifier does not keep the objects of its graph alive, and dead ones are not found")
    func deadObjects() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        let graph = try box.require(Screen.self).graph
        #expect(tracker.alive == 0)
        let header = box.withObjectGraph(graph) { $0.resolve(Header.self) }
        #expect(header != nil)
        #expect(tracker.made == 3)
        #expect(tracker.alive == 1)
        withExtendedLifetime(header) {}
    }

    @Test("G8: some objects of a graph may live on and be found while others are dead")
    func someAreDead() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        var screen: Screen? = try box.require(Screen.self)
        let graph = try #require(screen?.graph)
        let header = try #require(screen?.header)
        screen = nil
        let next = try box.withObjectGraph(graph) { try $0.require(Screen.self) }
        #expect(next.header === header)
        #expect(next.graph == graph)
        #expect(tracker.made == 3)
        withExtendedLifetime(next) {}
    }

    @Test("G8: nothing is kept of a graph whose identifier nobody took")
    func nothingRemembered() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        box.register([Tracked].self) { r in [try r.require(Header.self), try r.require(Body.self)] }
        let first = try box.require([Tracked].self)
        let second = try box.require([Tracked].self)
        #expect(first[0] !== second[0])
        #expect(box.resolve(Header.self) !== first[0])
        #expect(tracker.alive == 4)
        withExtendedLifetime((first, second)) {}
    }

    private final class Reference {
        weak var identifier: GraphIdentifier?
    }

    @Test("G8: identifiers that were dropped before their graphs ended do not pile up")
    func identifiersAreReleased() throws {
        let box = Container()
        var references: [Reference] = []
        box.register(Int.self) { r in
            let reference = Reference()
            reference.identifier = try r.require(GraphIdentifier.self)
            references.append(reference)
            return references.count
        }
        for _ in 0..<100 { _ = try box.require(Int.self) }
        let alive = Set(references.compactMap { $0.identifier })
        #expect(references.count == 100)
        #expect(alive.count <= 1)
    }

    @Test("G8: an identifier of one's own begins a graph at the first use")
    func ownIdentifier() {
        let box = Self.container(LifetimeTracker())
        let graph = GraphIdentifier()
        let header = box.withObjectGraph(graph) { $0.resolve(Header.self) }
        #expect(header != nil)
        #expect(box.withObjectGraph(graph) { $0.resolve(Header.self) } === header)
        #expect(box.withObjectGraph(GraphIdentifier()) { $0.resolve(Header.self) } !== header)
    }

    @Test("G8: all resolves of one body are one graph, which holds its objects until the body ends")
    func oneBody() {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        box.withObjectGraph(GraphIdentifier()) { r in
            let first = r.resolve(Header.self).map(ObjectIdentifier.init)
            #expect(tracker.alive == 1)
            #expect(r.resolve(Header.self).map(ObjectIdentifier.init) == first)
            #expect(tracker.made == 1)
        }
        #expect(tracker.alive == 0)
    }

    @Test("G8: a value type is found while the graph runs and not after")
    func valueTypes() throws {
        let box = Container()
        let built = Counter()
        box.register(Int.self) { _ in built.add() }
        let graph = GraphIdentifier()
        let first = box.withObjectGraph(graph) { r in [r.resolve(Int.self), r.resolve(Int.self)] }
        #expect(first == [1, 1])
        #expect(box.withObjectGraph(graph) { $0.resolve(Int.self) } == 2)
    }

    @Test("G8: joined graphs nest, and the outer one goes on afterwards")
    func nesting() {
        let box = Self.container(LifetimeTracker())
        let one = GraphIdentifier()
        let other = GraphIdentifier()
        box.withObjectGraph(one) { r in
            let header = r.resolve(Header.self)
            #expect(header != nil)
            r.withObjectGraph(other) { r in
                #expect(r.resolve(Header.self) !== header)
                #expect(r.withObjectGraph(one) { $0.resolve(Header.self) } === header)
            }
            #expect(r.resolve(Header.self) === header)
        }
    }

    @Test("G8: a body that throws leaves its graph and no other")
    func throwingBody() throws {
        struct Refused: Error {}
        let box = Self.container(LifetimeTracker())
        let graph = GraphIdentifier()
        #expect(throws: Refused.self) { try box.withObjectGraph(graph) { _ throws(Refused) in throw Refused() } }
        #expect(box.resolve(Header.self) !== box.resolve(Header.self))
        let header = box.withObjectGraph(graph) { $0.resolve(Header.self) }
        #expect(box.resolve(Header.self) !== header)
    }

    @Test("G8: another graph that is joined inside a factory does not end the one that runs")
    func joiningInsideFactory() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        let earlier = try box.require(Screen.self)
        box.register([Header].self) { [unowned box] r in
            let own = try r.require(Header.self)
            let old = try box.withObjectGraph(earlier.graph) { try $0.require(Header.self) }
            return [own, old, try r.require(Header.self)]
        }
        let headers = try box.require([Header].self)
        #expect(headers[1] === earlier.header)
        #expect(headers[0] === headers[2])
        #expect(headers[0] !== headers[1])
    }

    @Test("G8: an instance of a replaced registration is not found in its old graph")
    func replaced() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        let screen = try box.require(Screen.self)
        box.register(Header.self) { _ in Header(tracker) }
        let header = box.withObjectGraph(screen.graph) { $0.resolve(Header.self) }
        #expect(header !== screen.header)
    }

    @Test("G8: an object whose callback threw is not found in its graph, though somebody holds it")
    func failedObject() throws {
        struct Refused: Error {}
        let box = Container()
        let tracker = LifetimeTracker()
        var held: [Body] = []
        box.register(Body.self) { _ in Body(tracker) }
            .initCompleted { _, body in
                held.append(body)
                if held.count == 1 { throw Refused() }
            }
        let graph = GraphIdentifier()
        #expect(box.withObjectGraph(graph) { $0.resolve(Body.self) } == nil)
        let next = box.withObjectGraph(graph) { $0.resolve(Body.self) }
        #expect(next != nil)
        #expect(next !== held.first)
    }

    @Test("G8: a child and its parent are told apart in a joined graph")
    func levels() {
        let tracker = LifetimeTracker()
        let root = Self.container(tracker)
        let child = root.createChild()
        let graph = GraphIdentifier()
        let ofRoot = root.withObjectGraph(graph) { $0.resolve(Header.self) }
        let ofChild = child.withObjectGraph(graph) { $0.resolve(Header.self) }
        #expect(ofRoot != nil && ofChild != nil)
        #expect(ofRoot !== ofChild)
        #expect(child.withObjectGraph(graph) { $0.resolve(Header.self) } === ofChild)
    }

    @Test("G8: an identifier that is resolved outside of any graph does not bind later resolves to each other")
    func resolvedOutside() throws {
        let box = Self.container(LifetimeTracker())
        let graph = try box.require(GraphIdentifier.self)
        let header = try box.require(Header.self)
        #expect(try box.require(Header.self) !== header)
        #expect(try box.require(GraphIdentifier.self) != graph)
    }

    @Test("G8: two identifiers that are resolved outside of any graph are two, since each resolve is a graph")
    func resolvedOutsideTwice() throws {
        let box = Container()
        #expect(try box.require(GraphIdentifier.self) != box.require(GraphIdentifier.self))
    }

    @Test("G8: a graph that is joined for many short-lived objects does not collect them")
    func manyShortLived() throws {
        let tracker = LifetimeTracker()
        let box = Self.container(tracker)
        let screen = try box.require(Screen.self)
        for _ in 0..<1_000 { #expect(box.withObjectGraph(screen.graph) { $0.resolve(Body.self) } != nil) }
        #expect(tracker.made == 1_002)
        #expect(tracker.alive == 2)
        withExtendedLifetime(screen) {}
    }

    @Test("G8: what is built beside a graph that another tree runs is found through its identifier")
    func builtBeside() throws {
        let other = Container()
        let box = Self.container(LifetimeTracker())
        let graph = GraphIdentifier()
        let body = other.withObjectGraph(graph) { _ in box.withObjectGraph(graph) { $0.resolve(Body.self) } }
        #expect(body != nil)
        #expect(box.withObjectGraph(graph) { $0.resolve(Body.self) } === body)
    }

    @Test("G8: identifiers beside identifiers beside others are one deep")
    func manyBeside() throws {
        let other = Container()
        let box = Self.container(LifetimeTracker())
        let first = GraphIdentifier()
        let body = box.withObjectGraph(first) { $0.resolve(Body.self) }
        var graph = first
        for _ in 0..<20_000 {
            graph = try other.withObjectGraph(graph) { _ in
                try box.withObjectGraph(graph) { try $0.require(GraphIdentifier.self) }
            }
        }
        #expect(graph != first)
        #expect(box.withObjectGraph(graph) { $0.resolve(Body.self) } === body)
    }

    @Test("G8: graphs that begin after a graph of another tree was asked for are graphs of their own")
    func afterOtherTree() throws {
        let other = Container()
        let box = Self.container(LifetimeTracker())
        let running = GraphIdentifier()
        func screen() throws -> Screen {
            // The tree stands beside the graph, which the other tree is running, and nobody takes an identifier of that.
            other.withObjectGraph(running) { _ in box.withObjectGraph(running) { _ = $0.resolve(Body.self) } }
            return try box.require(Screen.self)
        }
        let first = try screen()
        let second = try screen()
        #expect(first.graph != second.graph)
        #expect(first.header !== second.header)
        #expect(box.withObjectGraph(running) { $0.resolve(Header.self) } !== second.header)
    }

    @Test("G8: a graph of one container tree that is joined from another tree while it runs does not end early")
    func otherTree() throws {
        let tracker = LifetimeTracker()
        let box = Container()
        let other = Self.container(tracker)
        box.register(Header.self) { _ in Header(tracker) }
        box.register(Screen.self) { [unowned other] r in
            let graph = try r.require(GraphIdentifier.self)
            let header = try r.require(Header.self)
            #expect(other.withObjectGraph(graph) { $0.resolve(Header.self) } !== header)
            #expect(try r.require(Header.self) === header)
            return Screen(tracker, graph, header)
        }
        _ = try box.require(Screen.self)
    }
}
