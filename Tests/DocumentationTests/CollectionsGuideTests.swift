import DICore
import Testing

@Suite("Guide: collections")
struct CollectionsGuideTests {
    protocol Parser { var format: String { get } }
    struct RSS: Parser { let format = "rss" }
    struct Atom: Parser { let format = "atom" }

    @Test("Contributions are collected in order")
    func contributions() throws {
        // sample: collections-contribute
        struct Reader { let parsers: [any Parser] }

        let container = Container()
        container.contribute((any Parser).self) { _ in RSS() }
        container.contribute((any Parser).self) { _ in Atom() }
        container.autoregister(Reader.self, initializer: Reader.init)

        let reader = try container.require(Reader.self)  // rss, then atom
        let parsers = try container.requireAll((any Parser).self)  // the same two
        // end sample
        #expect(reader.parsers.map(\.format) == ["rss", "atom"])
        #expect(parsers.map(\.format) == ["rss", "atom"])
        #expect(container.resolve((any Parser).self) == nil)
        #expect(try Container().require([any Parser].self).isEmpty)
    }

    @Test("A collection is built in one graph")
    func graph() throws {
        final class Connection {}
        // sample: collections-graph
        struct Plugin { let connection: Connection }

        let container = Container()
        container.register(Connection.self) { _ in Connection() }
        container.contribute(Plugin.self, initializer: Plugin.init)
        container.contribute(Plugin.self, initializer: Plugin.init)

        let plugins = try container.requireAll(Plugin.self)
        // plugins[0].connection === plugins[1].connection
        // end sample
        #expect(plugins[0].connection === plugins[1].connection)
    }

    @Test("Contributions of the parents come first")
    func parents() throws {
        // sample: collections-parents
        let app = Container()
        app.contribute((any Parser).self) { _ in RSS() }
        let plugin = app.createChild()
        plugin.contribute((any Parser).self) { _ in Atom() }

        let all = plugin.resolveAll((any Parser).self)  // rss, then atom
        let own = app.resolveAll((any Parser).self)  // rss
        // end sample
        #expect(all.map(\.format) == ["rss", "atom"])
        #expect(own.map(\.format) == ["rss"])
    }

    @Test("A broken contribution is left out by one form and thrown by the other")
    func broken() throws {
        struct Broken: Error {}
        let container = Container()
        container.contribute((any Parser).self) { _ in RSS() }
        container.contribute((any Parser).self) { _ in throw Broken() }
        #expect(container.resolveAll((any Parser).self).count == 1)
        #expect(throws: ResolutionError.self) { try container.requireAll((any Parser).self) }
        #expect(throws: ResolutionError.self) { try container.require([any Parser].self) }
    }

    @Test("Registrations can be selected by their keys")
    func selection() throws {
        // sample: collections-where
        let container = Container()
        container.register(String.self, name: "color/sea") { _ in "blue" }
        container.register(String.self, name: "color/fire") { _ in "red" }
        container.register(String.self, name: "title") { _ in "Elements" }

        let colors = container.resolveAll(String.self) { key in
            key.name?.hasPrefix("color/") == true
        }
        // end sample
        #expect(colors == ["blue", "red"])
    }

    @Test("A key with an option is found by the option")
    func options() throws {
        // sample: collections-option
        struct Region: ServiceKeyOption {
            let code: String
            var description: String { "region \(code)" }
        }

        let container = Container()
        container.register(String.self, option: Region(code: "eu")) { _ in "https://eu.example" }
        container.register(String.self, option: Region(code: "us")) { _ in "https://us.example" }

        let servers = container.resolveAll(String.self) { ($0.option as? Region)?.code == "eu" }
        // end sample
        #expect(servers == ["https://eu.example"])
    }
}
