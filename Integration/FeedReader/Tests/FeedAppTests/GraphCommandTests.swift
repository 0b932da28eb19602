import DIAssembly
import DICore
import FeedApp
import FeedModel
import Foundation
import Testing

@Suite("The picture of the wiring")
struct GraphCommandTests {
    private func picture(_ format: GraphFormat, from root: String? = nil, depth: Int? = nil) async throws -> String {
        try await RealApp.look(.graph(GraphRequest(format: format, root: root, depth: depth)))
    }

    private struct Picture: Decodable {
        struct Node: Decodable {
            let id: Int
            let key: String
            let scope: String
            let module: String
            let origin: String?
        }
        struct Edge: Decodable {
            let from: Int
            let to: Int?
            let toMissing: Int?
            let isDeferred: Bool
        }
        let version: Int
        let nodes: [Node]
        let edges: [Edge]
        let missing: [String]
        let external: [String]
    }

    private func data(from root: String? = nil, depth: Int? = nil) async throws -> Picture {
        try JSONDecoder().decode(Picture.self, from: Data(try await picture(.json, from: root, depth: depth).utf8))
    }

    @Test("shows every registration of the app, in the module that it was written in")
    func everything() async throws {
        let data = try await data()
        #expect(data.version == 1)
        #expect(data.nodes.map(\.key) == (try RealApp.assembler()).resolver.visibleEntries.map(\.key.description))
        #expect(
            Set(data.nodes.map(\.module))
                == Set(["App", "Network", "Parsing", "Samples", "Storage"].map { "Feed" + $0 })
        )
        #expect(data.nodes.allSatisfy { $0.origin?.hasSuffix("Assembly") == true })
    }

    @Test("misses nothing but what each run and each unit of work is given")
    func missing() async throws {
        let data = try await data()
        #expect(Set(data.missing) == Set((RunAssembly.keys + [ServiceKey(Feed.self)]).map(\.description)))
        #expect(Set(data.external) == Set(data.missing))
    }

    @Test("is the same each time, and names no lines, so that it can be part of a document")
    func stable() async throws {
        let mermaid = try await picture(.mermaid)
        #expect(try await picture(.mermaid) == mermaid)
        #expect(!mermaid.contains(".swift"))
        #expect(mermaid.hasPrefix("flowchart LR\n"))
        #expect(!mermaid.hasSuffix("\n"))
        #expect(try await picture(.dot) == picture(.dot))
    }

    @Test("begins at a key, in Mermaid")
    func mermaid() async throws {
        let text = try await picture(.mermaid, from: "FeedStore", depth: 2)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("  classDef ") }
        #expect(
            lines.joined(separator: "\n") == """
                flowchart LR
                  subgraph m0["FeedApp"]
                    n20["DatabaseLocation<br/>graph"]:::scope_graph
                  end
                  subgraph m1["FeedStorage"]
                    n9["SQLiteLibrary<br/>container"]:::scope_container
                    n10["SQLiteFeedStore<br/>container"]:::scope_container
                    n11["FeedStore<br/>container"]:::scope_container
                  end
                  n11 -->|"is"| n10
                  n10 --> n20
                  n10 --> n9
                  subgraph legend["scopes"]
                    l0["graph"]:::scope_graph
                    l1["container"]:::scope_container
                  end
                """
        )
    }

    @Test("begins at a key, in the language of Graphviz")
    func dot() async throws {
        let text = try await picture(.dot, from: "FeedDetector")
        #expect(text.hasPrefix("digraph wiring {\n"))
        #expect(text.hasSuffix("\n}"))
        #expect(text.contains(#"n3 [label="FeedDetector\ngraph""#))
        #expect(text.contains(#"n2 [label="FeedParser named \"JSON Feed\"\ngraph, contributed""#))
        #expect(text.contains(#"n3 -> n2 [label="each"];"#))
        #expect(!text.contains("FeedStore"))
    }

    @Test("goes so many steps from a key")
    func depth() async throws {
        func keys(_ depth: Int?) async throws -> [String] {
            try await data(from: "FeedStore", depth: depth).nodes.map(\.key)
        }
        #expect(try await keys(0) == ["FeedStore"])
        #expect(try await keys(1) == ["SQLiteFeedStore", "FeedStore"])
        let all = ["SQLiteLibrary", "SQLiteFeedStore", "FeedStore", "DatabaseLocation"]
        #expect(try await keys(2) == all)
        #expect(try await keys(nil).count == all.count + 3)
    }

    @Test(
        "knows keys by their text, with a name and with arguments",
        arguments: [
            #"FeedFetcher named "HTTP""#, #"FeedFetcher named "HTTP" [contribution]"#, #"Command named "list""#,
            "FeedReading", #"[FeedSource] named "samples""#,
        ]
    )
    func roots(text: String) async throws {
        let nodes = try await data(from: text, depth: 0).nodes
        #expect(nodes.count == 1)
        #expect(nodes.allSatisfy { $0.key.hasPrefix(text) })
    }

    @Test(
        "says in one line which keys are near one that there is not",
        arguments: [
            ("FeedStor", "near it: FeedStore, FeedStoring, SQLiteFeedStore."),
            ("DateTxt", "near it: DateText."),
            ("fetcher", #"near it: FeedFetcher, FeedFetcher named "HTTP", FeedFetcher named "file"."#),
            ("Command named list", #"near it: Command named "list", Command named "add", Command named "help"."#),
            ("Zzyzx", "feeds graph shows all keys."),
        ]
    )
    func unknown(text: String, wayOut: String) async throws {
        let app = TestApp()
        #expect(try await app.run("graph", "--from", text) == 1)
        #expect(app.output.text.isEmpty)
        #expect(app.errors.text == "feeds: there is no key '\(text)' in the wiring; \(wayOut)")
    }
}
