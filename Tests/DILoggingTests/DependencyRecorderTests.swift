import DICore
import DILogging
import DIScopes
import DITestSupport
import DIWrappers
import Testing

private protocol Fetcher {}
private protocol Parser {}
private struct HTTPFetcher: Fetcher {}
private struct RSSParser: Parser {}
private struct AtomParser: Parser {}
private final class Database {}
private final class Library { init(_ database: Database) {} }
private final class Refresher {
    let library: Lazy<Library>
    init(_ fetcher: any Fetcher, _ parsers: [any Parser], _ library: Lazy<Library>) { self.library = library }
}
private final class Window {
    let refresher: Refresher
    init(_ refresher: Refresher) { self.refresher = refresher }
}

@Suite("Recording what needs what")
struct DependencyRecorderTests {
    /// An app whose registrations are all closures.
    private static func app() -> Container {
        let box = Container()
        box.register((any Fetcher).self) { _ in HTTPFetcher() }
        box.contribute((any Parser).self) { _ in RSSParser() }
        box.contribute((any Parser).self) { _ in AtomParser() }
        box.register(Database.self, scope: .container) { _ in Database() }
        box.register(Library.self, scope: .container) { r in Library(try r.require(Database.self)) }
        box.register(Refresher.self) { r in
            Refresher(
                try r.require((any Fetcher).self),
                try r.requireAll((any Parser).self),
                try r.require(Lazy<Library>.self)
            )
        }
        box.register(Window.self, scope: .container) { r in Window(try r.require(Refresher.self)) }
        return box
    }

    @Test("An app of closures is listed as not analysable; after one recorded run the picture is complete")
    func recordedRun() throws {
        let box = Self.app()
        let before = box.dependencyGraph()
        #expect(before.edges.isEmpty)
        #expect(before.validate().problems.map(\.kind) == Array(repeating: .notAnalysable, count: 7))

        let recorder = DependencyRecorder()
        box.addObserver(recorder)
        let window = try box.require(Window.self)
        _ = try window.refresher.library.get()
        box.removeObserver(recorder)

        let after = box.dependencyGraph(observed: recorder.wiring)
        let report = after.validate(roots: [ServiceKey(Window.self)])
        #expect(report.problems.isEmpty, "\(report)")
        #expect(after.nodes.allSatisfy { $0.wasObserved && $0.isAnalysable })
        #expect(report.usedEdges.observed == 6)
        let picture = try MermaidReader(GraphPicture(after).mermaid)
        #expect(picture.edges.count == 6)
        #expect(picture.edges.allSatisfy { $0.isDotted })
        #expect(picture.edges.count { $0.label == "later" } == 1)
        #expect(picture.undeclared == [])
    }

    @Test("What did not run is still listed after the run")
    func partOfTheApp() throws {
        let box = Self.app()
        let recorder = DependencyRecorder()
        box.addObserver(recorder)
        _ = try box.require(Window.self)
        let report = box.dependencyGraph(observed: recorder.wiring).validate()
        #expect(report.problems(.notAnalysable).map(\.key) == [ServiceKey(Database.self), ServiceKey(Library.self)])
    }

    @Test("Several runs add up, each edge once")
    func severalRuns() throws {
        let box = Self.app()
        let recorder = DependencyRecorder()
        box.addObserver(recorder)
        for _ in 0..<3 {
            _ = try box.require(Refresher.self)
            _ = try box.require(Library.self)
        }
        #expect(recorder.wiring.edges.count == 5)
        #expect(recorder.wiring.constructed.count == 6)
    }

    /// The edges from a closure, each with whether it is asked for later.
    private static func recorded<Service>(
        _ box: Container,
        from service: Service.Type,
        _ run: (Service) throws -> Void = { _ in }
    ) throws -> [String] {
        let recorder = DependencyRecorder()
        box.addObserver(recorder)
        try run(try box.require(Service.self))
        box.removeObserver(recorder)
        let graph = box.dependencyGraph(observed: recorder.wiring)
        let node = try #require(graph.node(for: ServiceKey(Service.self)))
        return graph.edges(from: node).map { edge in
            let target =
                switch edge.to {
                case .node(let target): "\(graph.nodes[target].key)"
                case .missing(let key): "?\(key)"
                }
            return target + (edge.isOptional ? " optional" : "") + (edge.isDeferred ? " later" : "")
        }
    }

    @Test("What a Lazy or a Provider asks for is an edge from the service that was given it, opened or not")
    func wrappers() throws {
        let box = Self.app()
        box.register(Int.self) { r in
            _ = try r.require(Lazy<Library>.self)
            _ = try r.require(Provider<any Fetcher>.self)
            return 1
        }
        #expect(try Self.recorded(box, from: Int.self) == ["Library later", "Fetcher later"])
        box.register(Lazy<Library>.self, name: "kept") { r in try r.require(Lazy<Library>.self) }
        let recorder = DependencyRecorder()
        box.addObserver(recorder)
        let lazy = try box.require(Lazy<Library>.self, name: "kept")
        _ = try lazy.get()
        let from = ServiceKey(Lazy<Library>.self, name: "kept")
        let library = ServiceKey(Library.self)
        let edge = try #require(recorder.wiring.edges.first)
        #expect(edge.from == from && edge.to == library && edge.isDeferred)
        #expect(edge.fromLocation == box.locate(from).entry?.location)
        #expect(edge.toLocation == box.locate(library).entry?.location)
        #expect(recorder.wiring.edges.dropFirst().map(\.from) == [library], "opened by nobody that is being built")
    }

    @Test("Wrappers of wrappers lead to what they wrap, as optional as that is; a collection to each part")
    func composedWrappers() throws {
        let box = Self.app()
        box.register(Int.self) { r in
            _ = try r.require(Lazy<Provider<Database>>.self)
            _ = try r.require(Lazy<String?>.self)
            _ = try r.require(Provider<[any Parser]>.self)
            return 1
        }
        let parser = "Parser [contribution] optional later"
        #expect(
            try Self.recorded(box, from: Int.self) == ["Database later", "?String optional later", parser, parser]
        )
        box.register(Int.self) { r in try r.require([Lazy<any Parser>].self).count }
        #expect(try Self.recorded(box, from: Int.self) == Array(repeating: "Parser [contribution] later", count: 2))
    }

    @Test("What is asked for at once and later is both, and so is a Lazy that is opened in the factory")
    func atOnceAndLater() throws {
        let box = Self.app()
        box.register(Int.self) { r in
            _ = try r.require(Database.self)
            _ = try r.require(Lazy<Database>.self)
            return 1
        }
        #expect(try Self.recorded(box, from: Int.self) == ["Database"], "the later request says nothing more")
        box.register(Int.self) { r in
            _ = try r.require(Lazy<Library>.self).get()
            return 1
        }
        #expect(try Self.recorded(box, from: Int.self) == ["Library later", "Library"])
        struct Reader { init(_ library: Lazy<Library>) throws { _ = try library.get() } }
        box.autoregister(Reader.self) { (library: Lazy<Library>) in try Reader(library) }
        #expect(try Self.recorded(box, from: Reader.self) == ["Library later", "Library"])
    }

    @Test("What only a Lazy asks for closes no cycle and is no captive, but may become one")
    func recordedLater() throws {
        let box = Container()
        box.register(Library.self, scope: .container) { r in
            _ = try r.require(Lazy<Database>.self)
            return Library(Database())
        }
        box.register(Database.self, scope: .perContainer) { r in
            _ = try r.require(Library.self)
            return Database()
        }
        let recorder = DependencyRecorder()
        box.addObserver(recorder)
        _ = try box.require(Database.self)
        let report = box.dependencyGraph(observed: recorder.wiring).validate()
        #expect(report.problems.map(\.kind) == [.deferredCaptive])
    }

    @Test("What a child asks for is recorded with an observer of its parent")
    func children() throws {
        let root = Self.app()
        let recorder = DependencyRecorder()
        root.addObserver(recorder)
        let box = root.createChild()
        box.register(String.self) { r in "\(try r.require((any Fetcher).self))" }
        _ = try box.require(String.self)
        #expect(recorder.wiring.edges.map(\.from) == [ServiceKey(String.self)])
    }

    @Test("When the recorder is removed nothing more is recorded")
    func removed() throws {
        let box = Self.app()
        let recorder = DependencyRecorder()
        box.addObserver(recorder)
        box.removeObserver(recorder)
        _ = try box.require(Window.self)
        #expect(recorder.wiring.edges.isEmpty)
        #expect(recorder.wiring.constructed.isEmpty)
    }
}
