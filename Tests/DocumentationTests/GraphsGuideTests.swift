import DICore
import DIScopes
import DITestSupport
import DIWrappers
import Testing

@Suite("Guide: graphs and cycles")
struct GraphsGuideTests {
    @Test("One resolve shares what is in the graph scope")
    func sharing() throws {
        // sample: graphs-sharing
        final class Connection {}
        struct Reader { let connection: Connection }
        struct Writer { let connection: Connection }
        struct Editor {
            let reader: Reader
            let writer: Writer
        }

        let container = Container()
        container.register(Connection.self) { _ in Connection() }
        container.autoregister(Reader.self, initializer: Reader.init)
        container.autoregister(Writer.self, initializer: Writer.init)
        container.autoregister(Editor.self, initializer: Editor.init)

        let first = try container.require(Editor.self)
        let second = try container.require(Editor.self)
        // first.reader.connection === first.writer.connection
        // first.reader.connection !== second.reader.connection
        // end sample
        #expect(first.reader.connection === first.writer.connection)
        #expect(first.reader.connection !== second.reader.connection)
    }

    @Test("A property closes a cycle in a callback")
    func propertyCycle() throws {
        // sample: graphs-property-cycle
        final class Parent {
            let child: Child
            init(child: Child) { self.child = child }
        }
        final class Child {
            weak var parent: Parent?
        }

        let container = Container()
        container.register(Parent.self) { r in Parent(child: try r.require(Child.self)) }
        container.register(Child.self) { _ in Child() }
            .initCompleted { r, child in child.parent = try r.require(Parent.self) }

        let parent = try container.require(Parent.self)
        // parent.child.parent === parent
        // end sample
        #expect(parent.child.parent === parent)
        let child = try container.require(Child.self)
        withExtendedLifetime(child) {}
    }

    @Test("A cycle of constructors is an error with the whole path")
    func realCycle() throws {
        // sample: graphs-real-cycle
        final class Hen { init(_ egg: Egg) {} }
        final class Egg { init(_ hen: Hen) {} }

        let container = Container()
        container.register(Hen.self) { r in Hen(try r.require(Egg.self)) }
        container.register(Egg.self) { r in Egg(try r.require(Hen.self)) }

        do {
            _ = try container.require(Hen.self)
        } catch {
            print(error)
        }
        // end sample
        let error = try #require(throws: ResolutionError.self) { try container.require(Hen.self) }
        #expect(error.code == .circular)
        #expect(try Documents.block(labelled: "output: graphs-real-cycle") == Output.withoutPlaces(error))
    }

    @Test("A failure of a cycle cannot be swallowed")
    func sticky() throws {
        final class Hen { init(_ egg: Egg?) {} }
        final class Egg { init(_ hen: Hen?) {} }
        let container = Container()
        container.register(Hen.self) { r in Hen(r.resolve(Egg.self)) }
        container.register(Egg.self) { r in Egg(r.resolve(Hen.self)) }
        #expect(container.resolve(Hen.self) == nil)
    }

    @Test("A Lazy on one side ends a cycle of constructors")
    func lazyCycle() throws {
        // sample: graphs-lazy-cycle
        final class Hen {
            init(_ egg: Egg) {}
        }
        final class Egg {
            let hen: Lazy<Hen>
            init(_ hen: Lazy<Hen>) { self.hen = hen }
        }

        let container = Container()
        container.autoregister(Hen.self, scope: .container, initializer: Hen.init)
        container.autoregister(Egg.self, scope: .container, initializer: Egg.init)

        let egg = try container.require(Egg.self)
        let hen = try egg.hen.get()
        // end sample
        #expect(hen === container.resolve(Hen.self))
    }

    @Test("An identifier joins a graph later")
    func identifier() throws {
        // sample: graphs-identifier
        final class Model {}
        struct Screen {
            let model: Model
            let graph: GraphIdentifier
        }
        struct Footer { let model: Model }

        let container = Container()
        container.register(Model.self) { _ in Model() }
        container.autoregister(Screen.self, initializer: Screen.init)
        container.autoregister(Footer.self, initializer: Footer.init)

        let screen = try container.require(Screen.self)
        let footer = try container.withObjectGraph(screen.graph) { try $0.require(Footer.self) }
        // footer.model === screen.model
        // end sample
        #expect(footer.model === screen.model)
        #expect(try container.require(Footer.self).model !== screen.model)
    }

    @Test("Recursion with runtime arguments ends at the depth limit")
    func depth() throws {
        // sample: graphs-depth
        struct Folder { let subfolders: [Folder] }

        let container = Container()
        container.register(Folder.self) { (r, depth: Int) in
            Folder(subfolders: depth == 0 ? [] : [try r.require(Folder.self, argument: depth - 1)])
        }
        container.depthLimit = 50

        let shallow = container.resolve(Folder.self, argument: 20)
        let tooDeep = container.resolve(Folder.self, argument: 60)  // nil: depthExceeded
        // end sample
        #expect(shallow != nil)
        #expect(tooDeep == nil)
        let error = try #require(throws: ResolutionError.self) { try container.require(Folder.self, argument: 60) }
        #expect(error.code == .depthExceeded)
    }
}
