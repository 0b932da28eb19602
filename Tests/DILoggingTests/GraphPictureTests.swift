import DICore
import DILogging
import DIScopes
import DITestSupport
import DIWrappers
import Foundation
import Testing

private protocol Client: AnyObject {}
private final class HTTPClient: Client {}
private struct Clock {}
private struct Store {}
private struct Feed { init(_ client: any Client, _ store: Store) {} }
private struct Reader { init(_ feed: Feed, _ clock: Clock?, _ later: Lazy<Store>, _ parts: [Int]) {} }
private struct Window { init(_ reader: Reader) {} }

@Suite("Pictures of the wiring")
struct GraphPictureTests {
    static func container() -> Container {
        let box = Container()
        box.autoregister(Window.self, scope: .transient, fileID: "App/Window.swift", initializer: Window.init)
        box.autoregister(Reader.self, fileID: "App/Window.swift", initializer: Reader.init)
        box.autoregister(Feed.self, scope: .perContainer, fileID: "Feeds/Feed.swift", initializer: Feed.init)
        box.register(HTTPClient.self, scope: .weak, fileID: "Net/Client.swift") { _ in HTTPClient() }
            .dependsOnNothing()
            .implements((any Client).self, fileID: "Net/Client.swift")
        box.register(Store.self, scope: .container, fileID: "Feeds/Store.swift") { _ in Store() }
            .dependsOn(String.self, name: "path")
        box.contribute(Int.self, scope: .expiring(after: .seconds(3)), fileID: "App/Parts.swift") { _ in 1 }
        return box
    }

    // MARK: Mermaid

    @Test("Every line of the Mermaid text is one of the language, and what it names is declared")
    func mermaid() throws {
        let picture = try MermaidReader(GraphPicture(Self.container().dependencyGraph()).mermaid)
        #expect(picture.undeclared == [])
        #expect(picture.drawn.count == 9)
        #expect(picture.edges.count == 9)
        #expect(Set(picture.subgraphs.values).isSuperset(of: ["App", "Feeds", "Net", "scopes"]))
        #expect(picture.node(labelled: "Feed\n")?.subgraph == "Feeds")
        #expect(picture.node(labelled: "Feed\n")?.label == "Feed\nperContainer")
        #expect(picture.node(labelled: "String named \"path\"")?.style == "missing")
    }

    @Test("Scopes are told apart and explained by a legend, the shortest-living first")
    func legend() throws {
        let text = GraphPicture(Self.container().dependencyGraph()).mermaid
        let picture = try MermaidReader(text)
        let styles = Dictionary(grouping: picture.drawn.filter { $0.style != "missing" }, by: \.style)
        #expect(styles.count == 6)
        let legend = picture.nodes.filter { $0.value.subgraph == "scopes" }.sorted { $0.key < $1.key }.map(
            \.value.label
        )
        #expect(legend == ["transient", "graph", "perContainer", "expiring after 3.0 seconds", "weak", "container"])
    }

    @Test("Arrows say what is optional, resolved later, forwarded or one of a collection")
    func arrows() throws {
        let picture = try MermaidReader(GraphPicture(Self.container().dependencyGraph()).mermaid)
        #expect(picture.edges.compactMap(\.label).sorted() == ["each", "is", "later", "optional"])
        #expect(picture.edges.filter(\.isDotted).compactMap(\.label).sorted() == ["later", "optional"])
    }

    static let awkward = [
        "say \"hi\"", "<b>&amp;</b>", "a\nb", "back\\slash", "#1; [x] {y} |z|", "%% end", "Ünïcödé 🐈",
    ]

    private static func awkwardContainer(_ name: String) -> Container {
        let box = Container()
        box.register(Clock.self, name: name) { _ in Clock() }.dependsOn(Store.self, name: name)
        return box
    }

    @Test("Awkward names do not break the Mermaid text", arguments: awkward)
    func awkwardMermaid(_ name: String) throws {
        let picture = try MermaidReader(GraphPicture(Self.awkwardContainer(name).dependencyGraph()).mermaid)
        #expect(picture.undeclared == [])
        let shown = name.replacing("\n", with: " ")
        #expect(picture.node(labelled: "Clock")?.label == "Clock named \"\(shown)\"\ngraph")
        #expect(picture.node(labelled: "Store")?.label == "Store named \"\(shown)\"\nnot registered")
    }

    @Test("A name with the line end of other systems does not break the Mermaid text")
    func lineEnds() throws {
        let text = GraphPicture(Self.awkwardContainer("a\r\nb\rc").dependencyGraph()).mermaid
        #expect(!text.contains("\r\n") && !text.contains("\r"))
    }

    @Test("A hash is written as Mermaid's own entity, which begins with one")
    func hash() {
        let text = GraphPicture(Self.awkwardContainer("a#b").dependencyGraph()).mermaid
        // Mermaid itself turns `#35;` into `&#35;`, so that `&#35;` would show as `&#`.
        #expect(text.contains("a#35;b") && !text.contains("a&#35;b"))
    }

    // MARK: JSON

    private static func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("The JSON is read by another reader, has a version, and says all of the graph")
    func json() throws {
        let graph = Self.container().dependencyGraph { key, _ in key.name == nil ? "FeedAssembly" : nil }
        let document = try Self.object(GraphPicture(graph).json)
        #expect(document["version"] as? Int == 1)
        #expect(GraphPicture.jsonVersion == 1)
        let nodes = try #require(document["nodes"] as? [[String: Any]])
        #expect(nodes.map { $0["key"] as? String } == graph.nodes.map(\.key.description))
        #expect(nodes.map { $0["scope"] as? String } == graph.nodes.map(\.scope))
        #expect(nodes.map { $0["module"] as? String } == graph.nodes.map(\.module))
        #expect(nodes.map { $0["level"] as? Int } == graph.nodes.map(\.level))
        #expect(nodes.map { $0["id"] as? Int } == Array(0..<nodes.count))
        #expect(nodes.allSatisfy { $0["origin"] as? String == "FeedAssembly" })
        #expect(nodes.allSatisfy { $0["captiveReason"] is NSNull })
        let edges = try #require(document["edges"] as? [[String: Any]])
        #expect(edges.count == graph.edges.count)
        #expect(edges.compactMap { $0["parameter"] as? Int } == [0, 0, 1, 2, 3, 0, 1])
        #expect(edges.filter { $0["isDeferred"] as? Bool == true }.count == 1)
        let missing = try #require(document["missing"] as? [String])
        #expect(missing.sorted() == ["Clock", "String named \"path\""])
        for edge in edges where edge["to"] == nil {
            #expect(missing.indices.contains(try #require(edge["toMissing"] as? Int)))
        }
    }

    @Test("Awkward names come out of the JSON as they went in", arguments: awkward + ["\t\u{1}\u{1F}\r\n", ""])
    func awkwardJSON(_ name: String) throws {
        let document = try Self.object(GraphPicture(Self.awkwardContainer(name).dependencyGraph()).json)
        let nodes = try #require(document["nodes"] as? [[String: Any]])
        #expect(nodes.first?["key"] as? String == "Clock named \"\(name)\"")
        #expect(document["missing"] as? [String] == ["Store named \"\(name)\""])
    }

    @Test("The JSON of a report has a version, each problem with its kind, and who asks")
    func jsonOfReport() throws {
        let box = Self.container()
        box.register(Clock.self) { (_, _: Int) in Clock() }
        let report = box.dependencyGraph { _, _ in "FeedAssembly" }.validate()
        let document = try Self.object(report.json)
        #expect(document["version"] as? Int == 1)
        #expect(document["isValid"] as? Bool == false)
        let problems = try #require(document["problems"] as? [[String: Any]])
        #expect(problems.map { $0["kind"] as? String } == report.problems.map(\.kind.rawValue))
        #expect(problems.map { $0["isAdvice"] as? Bool } == report.problems.map(\.kind.isAdvice))
        #expect(problems.map { $0["key"] as? String } == report.problems.map(\.key.description))
        let first = try #require(problems.first)
        #expect(first["location"] is NSNull)
        let requesters = try #require(first["requesters"] as? [[String: Any]])
        #expect(requesters.map { $0["key"] as? String } == ["Store"])
        #expect(requesters.map { $0["origin"] as? String } == ["FeedAssembly"])
        #expect((requesters.first?["location"] as? String)?.hasPrefix("Feeds/Store.swift:") == true)
        #expect(try Self.object(Container().dependencyGraph().validate().json)["isValid"] as? Bool == true)
    }

    @Test("The JSON of a report has who registered what belongs to a problem, where and in which module")
    func jsonOfRelated() throws {
        let box = Container()
        box.register(Clock.self, scope: .perContainer, fileID: "Time/Clock.swift", line: 3) { _ in Clock() }
            .dependsOnNothing()
        box.register(Int.self, fileID: "App/Parts.swift", line: 5) { _ in 1 }.dependsOn(Clock.self)
        box.register(Store.self, scope: .container, fileID: "App/Parts.swift", line: 7) { _ in Store() }
            .dependsOn(Int.self)
        let report = box.dependencyGraph { _, location in "\(location.module)Assembly" }.validate()
        let problem = try #require((try Self.object(report.json)["problems"] as? [[String: Any]])?.first)
        #expect(problem["module"] as? String == "App")
        let clock = [
            "key": "Clock", "module": "Time", "location": "Time/Clock.swift:3", "origin": "TimeAssembly",
        ]
        #expect(problem["related"] as? [[String: String]] == [clock])
        let ways = try #require(problem["ways"] as? [[[String: String]]])
        #expect(ways.count == 1)
        let places = ways.first?.map { $0["location"] }
        #expect(places == ["App/Parts.swift:7", "App/Parts.swift:5", "Time/Clock.swift:3"])
        #expect(ways.first?.last == clock)
    }

    // MARK: DOT

    static let graphviz = ["/usr/bin/dot", "/usr/local/bin/dot", "/opt/homebrew/bin/dot"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// What Graphviz makes of a text.
    private static func render(_ dot: String, as format: String) throws -> (status: Int32, output: Data, errors: String)
    {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(graphviz))
        process.arguments = ["-T\(format)"]
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        input.fileHandleForWriting.write(Data(dot.utf8))
        try input.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, data, text)
    }

    @Test(
        "Graphviz draws the DOT text without a complaint",
        .enabled(if: graphviz != nil, "Graphviz is not installed: apt-get install graphviz")
    )
    func dot() throws {
        let graph = Self.container().dependencyGraph()
        let dot = GraphPicture(graph).dot
        let picture = try Self.render(dot, as: "svg")
        #expect(picture.status == 0)
        // It complains of fonts where none are installed.
        #expect(!picture.errors.contains("syntax error"))
        #expect(String(decoding: picture.output, as: UTF8.self).contains("</svg>"))
        let read = try Self.object(String(decoding: try Self.render(dot, as: "dot_json").output, as: UTF8.self))
        let edges = try #require(read["edges"] as? [[String: Any]])
        #expect(edges.count == graph.edges.count)
        let objects = try #require(read["objects"] as? [[String: Any]])
        let names = objects.compactMap { $0["name"] as? String }
        #expect(names.filter { $0.hasPrefix("n") }.count == graph.nodes.count)
        #expect(names.filter { $0.hasPrefix("x") }.count == 2)
        #expect(names.filter { $0.hasPrefix("cluster_") }.count == 4)
    }

    @Test(
        "Awkward names do not break the DOT text",
        .enabled(if: graphviz != nil, "Graphviz is not installed: apt-get install graphviz"),
        arguments: awkward
    )
    func awkwardDot(_ name: String) throws {
        let dot = GraphPicture(Self.awkwardContainer(name).dependencyGraph()).dot
        let rendered = try Self.render(dot, as: "dot_json")
        #expect(rendered.status == 0, "\(rendered.errors)")
        let read = try Self.object(String(decoding: rendered.output, as: UTF8.self))
        let labels = try #require(read["objects"] as? [[String: Any]]).filter { $0["name"] as? String == "n0" }
            .compactMap { $0["label"] as? String }
        let escaped = name.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        #expect(labels == ["Clock named \"\(escaped)\"\\ngraph"])
    }

    @Test("Every string of the DOT text is closed, and braces match")
    func balancedDot() {
        for name in Self.awkward {
            var isInString = false
            var isEscaped = false
            var depth = 0
            for character in GraphPicture(Self.awkwardContainer(name).dependencyGraph()).dot {
                if isEscaped {
                    isEscaped = false
                } else if isInString {
                    if character == "\\" { isEscaped = true }
                    if character == "\"" { isInString = false }
                    #expect(character != "\n", "a string ends on its line")
                } else {
                    if character == "\"" { isInString = true }
                    if character == "{" { depth += 1 }
                    if character == "}" { depth -= 1 }
                }
            }
            #expect(!isInString)
            #expect(depth == 0)
        }
    }

    // MARK: Parts

    @Test("Below a key is what it needs, to a depth")
    func below() throws {
        let graph = Self.container().dependencyGraph()
        func keys(_ depth: Int?) throws -> [String] {
            let picture = GraphPicture(graph, below: ServiceKey(Reader.self), depth: depth)
            return try MermaidReader(picture.mermaid).drawn.map { $0.label.prefix { $0 != "\n" }.description }.sorted()
        }
        #expect(try keys(0) == ["Reader"])
        #expect(try keys(1) == ["Clock", "Feed", "Int", "Reader", "Store"])
        #expect(try keys(2) == ["Client", "Clock", "Feed", "Int", "Reader", "Store", "String named \"path\""])
        #expect(
            try keys(nil) == [
                "Client", "Clock", "Feed", "HTTPClient", "Int", "Reader", "Store", "String named \"path\"",
            ]
        )
        #expect(try keys(9) == keys(nil))
        let nothing = GraphPicture(graph, below: ServiceKey(Clock.self))
        #expect(try MermaidReader(nothing.mermaid).nodes.isEmpty)
    }

    @Test("A cycle is drawn once, also below one of its services")
    func cycle() throws {
        let box = Container()
        box.register(Clock.self) { _ in Clock() }.dependsOn(Store.self)
        box.register(Store.self) { _ in Store() }.dependsOn(Clock.self)
        let picture = try MermaidReader(GraphPicture(box.dependencyGraph(), below: ServiceKey(Clock.self)).mermaid)
        #expect(picture.drawn.count == 2)
        #expect(picture.edges.count == 2)
    }

    @Test("What is given at run time is drawn as that, and not as missing")
    func external() throws {
        let graph = Self.container().dependencyGraph()
        let path = ServiceKey(String.self, name: "path")
        let picture = GraphPicture(graph, external: [path])
        let read = try MermaidReader(picture.mermaid)
        #expect(read.undeclared == [])
        #expect(read.node(labelled: "String")?.style == "external")
        #expect(read.node(labelled: "Clock")?.style == "missing")
        #expect(try Self.object(picture.json)["external"] as? [String] == ["String named \"path\""])
    }

    private static func marks(_ picture: GraphPicture) throws -> [String: String] {
        let read = try MermaidReader(picture.mermaid)
        #expect(read.undeclared == [])
        return Dictionary(
            uniqueKeysWithValues: read.drawn.map { ($0.label.prefix { $0 != "\n" }.description, $0.style) }
        )
    }

    @Test("The picture of a missing service marks it as the cause and whoever needs it as a consequence, nothing else")
    func explainingMissing() throws {
        let graph = Self.container().dependencyGraph()
        let problem = try #require(graph.validate().problems.first)
        let picture = GraphPicture(graph, explaining: problem)
        #expect(
            try Self.marks(picture) == [
                "String named \"path\"": "cause", "Store": "consequence", "Feed": "consequence",
                "Reader": "consequence", "Window": "consequence",
            ]
        )
        let nodes = try #require(try Self.object(picture.json)["nodes"] as? [[String: Any]])
        #expect(nodes.allSatisfy { $0["mark"] as? String == "consequence" })
        #expect(picture.dot.contains("#f9dedc"))
    }

    @Test("The picture of a cycle marks its services as the cause, and whoever needs one of them")
    func explainingCycle() throws {
        let box = Container()
        box.register(Clock.self) { _ in Clock() }.dependsOn(Store.self)
        box.register(Store.self) { _ in Store() }.dependsOn(Clock.self, Int.self)
        box.register(String.self) { _ in "" }.dependsOn(Clock.self)
        box.register(Int.self, instance: 4)
        let graph = box.dependencyGraph()
        let problem = try #require(graph.validate().problems.first)
        #expect(problem.kind == .cycle)
        #expect(
            try Self.marks(GraphPicture(graph, explaining: problem))
                == ["Clock": "cause", "Store": "cause", "String": "consequence"]
        )
    }

    @Test("Who does without the missing service is no consequence")
    func explainingOptional() throws {
        let box = Container()
        box.register(Store.self) { _ in Store() }.dependsOn(Clock.self)
        box.register(Int.self) { _ in 1 }.dependsOn(Clock?.self)
        let graph = box.dependencyGraph()
        let problem = try #require(graph.validate().problems.first)
        let marks = try Self.marks(GraphPicture(graph, explaining: problem))
        #expect(marks["Store"] == "consequence")
        #expect(marks["Int"] == nil)
    }

    @Test("What leads to a captive is a consequence, and nothing beside the way is shown")
    func explainingDeferredCaptive() throws {
        let box = Container()
        box.register(Clock.self, scope: .perContainer) { _ in Clock() }.dependsOnNothing()
        box.register(Int.self) { _ in 1 }.dependsOn(Clock.self)
        box.register(Store.self, scope: .container) { _ in Store() }.dependsOn(Lazy<Int>.self, Double.self)
        box.register(Double.self) { _ in 1 }.dependsOnNothing()
        let graph = box.dependencyGraph()
        let problem = try #require(graph.validate().problems.first)
        #expect(problem.kind == .deferredCaptive)
        #expect(
            try Self.marks(GraphPicture(graph, explaining: problem))
                == ["Clock": "cause", "Store": "cause", "Int": "consequence"]
        )
    }

    /// A kept service of the root needs a clock of the root; only the child has a clock.
    private static func levels() -> Container {
        let root = Container()
        root.register(Store.self, scope: .container) { _ in Store() }.dependsOn(Int.self)
        root.register(Int.self, scope: .transient) { _ in 1 }.dependsOn(Clock.self)
        root.register(Double.self) { _ in 1 }.dependsOnNothing()
        let child = root.createChild()
        child.register(Clock.self) { _ in Clock() }.dependsOnNothing()
        child.register(Double.self) { _ in 1 }.dependsOnNothing()
        return child
    }

    @Test(
        "E7: a registration has a box for each way in which containers build it, and an overridden one is labelled so"
    )
    func severalWays() throws {
        let graph = Self.levels().dependencyGraph()
        let picture = try MermaidReader(GraphPicture(graph).mermaid)
        let labels = picture.drawn.map { $0.label.replacing("\n", with: " ") }.sorted()
        #expect(
            labels == [
                "Clock graph", "Clock not registered", "Double graph", "Double graph, overridden",
                "Int transient, built by parent 1",
                "Int transient, built here", "Store container",
            ]
        )
        #expect(picture.edges.count == 3)
        let nodes = try #require(try Self.object(GraphPicture(graph).json)["nodes"] as? [[String: Any]])
        #expect(nodes.map { $0["registration"] as? Int } == [0, 1, 1, 2, 3, 4])
        #expect(nodes.map { $0["builtBy"] as? [Int] } == [[1], [0], [1], [], [0], [0]])
        #expect(nodes.map { $0["isHidden"] as? Bool } == [false, false, false, true, false, false])
    }

    @Test("E7: a registration that is at fault as one container builds it is marked for that container alone")
    func explainingOneWay() throws {
        let graph = Self.levels().dependencyGraph()
        let problem = try #require(graph.validate().problems.first)
        let picture = try MermaidReader(GraphPicture(graph, explaining: problem).mermaid)
        #expect(
            Set(picture.drawn.map { $0.label.replacing("\n", with: " ") }) == [
                "Store container", "Int transient, built by parent 1", "Clock not registered",
            ]
        )
    }

    @Test("A request that is declared of the parent is an arrow, and an edge of its own kind in the JSON")
    func askedOfTheParent() throws {
        let root = Container()
        root.register(Clock.self) { _ in Clock() }.dependsOnNothing()
        let child = root.createChild()
        child.register(Clock.self) { _ in try root.require(Clock.self) }.dependsOnParent(Clock.self)
        let picture = GraphPicture(child.dependencyGraph())
        #expect(try MermaidReader(picture.mermaid).edges.count == 1)
        let edges = try #require(try Self.object(picture.json)["edges"] as? [[String: Any]])
        #expect(edges.map { $0["source"] as? String } == ["declaredOfParent"])
    }

    @Test("Who uses the captive of another one rightly is no consequence")
    func explainingCaptive() throws {
        let box = Container()
        box.register(Clock.self, scope: .perContainer) { _ in Clock() }.dependsOnNothing()
        box.register(Store.self, scope: .container) { _ in Store() }.dependsOn(Clock.self)
        box.register(Int.self) { _ in 1 }.dependsOn(Clock.self)
        let graph = box.dependencyGraph()
        let problem = try #require(graph.validate().problems.first)
        #expect(problem.kind == .captive)
        let marks = try Self.marks(GraphPicture(graph, explaining: problem))
        #expect(marks["Store"] == "cause")
        #expect(marks["Clock"] == "cause")
        #expect(marks["Int"] == nil)
    }

    @Test("Pictures are the same every time, and that of an empty container is readable")
    func deterministic() throws {
        let pictures = (0..<5).map { _ in GraphPicture(Self.container().dependencyGraph()) }
        func stable(_ text: String) -> String { Golden.stable(text) }
        #expect(Set(pictures.map { stable($0.mermaid) }).count == 1)
        #expect(Set(pictures.map { stable($0.dot) }).count == 1)
        #expect(Set(pictures.map { stable($0.json) }).count == 1)
        let empty = GraphPicture(Container().dependencyGraph())
        #expect(try MermaidReader(empty.mermaid).nodes.isEmpty)
        #expect(empty.dot.hasPrefix("digraph wiring {"))
        #expect(try Self.object(empty.json)["version"] as? Int == 1)
    }
}
