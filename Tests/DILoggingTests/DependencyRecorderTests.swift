import DICore
import DILogging
import DIScopes
import DITestSupport
import DIWrappers
import Testing

@Suite("Recording what needs what")
struct DependencyRecorderTests {
    protocol Fetcher {}
    protocol Parser {}
    struct HTTPFetcher: Fetcher {}
    struct RSSParser: Parser {}
    struct AtomParser: Parser {}
    final class Database {}
    final class Library { init(_ database: Database) {} }
    final class Refresher {
        let library: Lazy<Library>
        init(_ fetcher: any Fetcher, _ parsers: [any Parser], _ library: Lazy<Library>) { self.library = library }
    }
    final class Window {
        let refresher: Refresher
        init(_ refresher: Refresher) { self.refresher = refresher }
    }

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
        let report = after.validate(roots: [ServiceKey(Window.self), ServiceKey(Library.self)])
        #expect(report.problems.isEmpty, "\(report)")
        #expect(after.nodes.allSatisfy { $0.wasObserved && $0.isAnalysable })
        #expect(report.usedEdges.observed == 5)
        let picture = try MermaidReader(GraphPicture(after).mermaid)
        #expect(picture.edges.count == 5)
        #expect(picture.edges.allSatisfy { $0.isDotted })
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
        #expect(recorder.wiring.edges.count == 4)
        #expect(recorder.wiring.constructed.count == 6)
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
