import DIAssembly
import DICore
import DILogging
import DIThreadSafe
import FeedApp
import FeedModel
import Foundation
import Testing

@Suite("A wiring of closures")
struct ClosureWiringTests {
    /// An edge in words.
    private struct Edge: Hashable, Comparable, CustomStringConvertible {
        let from: String
        let to: String

        static func < (left: Edge, right: Edge) -> Bool { (left.from, left.to) < (right.from, right.to) }

        var description: String { "\(from) → \(to)" }
    }

    private func edges(
        of graph: DependencyGraph,
        where isIncluded: (DependencyGraph.Edge) -> Bool = { _ in true }
    ) -> Set<Edge> {
        Set(
            graph.edges.filter(isIncluded).map { edge in
                let to =
                    switch edge.to {
                    case .node(let node): graph.nodes[node].key
                    case .missing(let key): key
                    }
                return Edge(from: graph.nodes[edge.from].key.description, to: to.description)
            }
        )
    }

    private let externalKeys = RunAssembly.keys + [ServiceKey(Feed.self)]

    private func opaque(_ graph: DependencyGraph) -> [String] {
        graph.validate(external: externalKeys).problems(.notAnalysable).map(\.key.description)
    }

    /// Runs the program once in a folder of its own, and gives the graph before and after.
    private func record(
        _ arguments: String...
    ) async throws -> (before: DependencyGraph, after: DependencyGraph, recorder: DependencyRecorder) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "feeds-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = ["XDG_DATA_HOME": folder.path(percentEncoded: false)]
        let path = folder.appending(path: "feeds.sqlite").path(percentEncoded: false)
        let closures = ClosureApp(arguments: arguments + ["--database", path], environment: environment)
        let app = try closures.app()
        let assembler = app.assembler
        #expect(assembler.problems.isEmpty)
        let before = assembler.dependencyGraph()
        let recorder = DependencyRecorder()
        app.shared.addObserver(recorder)
        #expect(await Program(app).run() == 0, "\(closures.errors.text)")
        app.shared.removeObserver(recorder)
        return (before, assembler.dependencyGraph(observed: recorder.wiring), recorder)
    }

    @Test("is listed as what cannot be looked into, and nothing is claimed about it")
    func statically() throws {
        let graph = try ClosureApp(arguments: [], environment: [:]).app().assembler.dependencyGraph()
        let services = graph.nodes.filter { $0.key.serviceType != (any Command).self }
        // The one that forwards needs no look.
        #expect(opaque(graph) == services.map(\.key.description).filter { $0 != "FeedStore" })
        #expect(graph.validate(external: externalKeys).isValid)
        #expect(services.allSatisfy { graph.edges(from: $0).allSatisfy { $0.source == .forwarding } })
    }

    @Test("is completed by what one run shows, but for those that did not run")
    func observed() async throws {
        let (before, after, _) = try await record()
        let (opaqueBefore, opaqueAfter) = (opaque(before), opaque(after))
        let seen = after.edges.count { $0.source == .observed }
        print(
            "closures: \(opaqueBefore.count) of \(before.nodes.count) not analysable before the run,",
            "\(opaqueAfter.count) after it (\(opaqueAfter.joined(separator: ", "))); \(seen) edges observed"
        )
        #expect(opaqueAfter == ["DataFolder", "ItemPage"])
        #expect(after.validate(external: externalKeys).isValid)
        // What the registrations of the app say is what was seen, wherever something ran, and so is what a `Lazy` or a
        // `Provider` asks for later.
        let real = try RealApp.assembler().dependencyGraph()
        let ran = Set(after.nodes.filter(\.wasObserved).map(\.key.description))
        let said = edges(of: real) { ran.contains(real.nodes[$0.from].key.description) }
        // A branch that was not taken is not seen: the command line said where the database is. What was asked for under
        // a name that stands for another is seen as asked for under that one.
        #expect(
            said.subtracting(edges(of: after)).sorted().map(\.description) == [
                "DatabaseLocation → DataFolder", "FeedStoring → FeedStore",
            ]
        )
        let later = edges(of: after) { $0.source == .observed && $0.isDeferred }
        #expect(
            later.sorted().map(\.description) == [
                "ItemLister → FeedStore", "ItemLister → ItemTable",
            ]
        )
        let known = edges(of: after) { $0.source == .observed }
        #expect(known.subtracting(edges(of: real)).map(\.description) == ["FeedStoring → SQLiteFeedStore"])
    }
}

@Suite("What the registrations say of themselves")
struct DeclaredWiringTests {
    @Test(
        "is all that they are seen to ask for",
        arguments: [
            [], ["list"], ["refresh"], ["show", "1"], ["add", "sample:bakery"], ["doctor"], ["graph"], ["--help"],
        ]
    )
    func complete(arguments: [String]) async throws {
        let store = try TestApp.makeStore()
        _ = await Program(try TestApp(store: store).app([])).run()
        let test = TestApp(store: store)
        let app = try test.app(arguments)
        let recorder = DependencyRecorder()
        app.shared.addObserver(recorder)
        #expect(await Program(app).run() == 0, "\(test.errors.text)")
        let graph = app.assembler.dependencyGraph(observed: recorder.wiring)
        let surprises = graph.edges.filter { $0.source == .observed }.map { edge in
            "\(graph.nodes[edge.from].key) → \(edge.to)"
        }
        #expect(surprises == [])
        #expect(graph.nodes.contains { $0.wasObserved })
    }
}
