import DIAssembly
import DICore
import DIScopes
import Testing

private struct EggAssembly: Assembly {
    var needs: [any Assembly] { [HenAssembly()] }
    func assemble(container: Container) { container.register(Int.self) { _ in 1 } }
}

private struct HenAssembly: Assembly {
    var needs: [any Assembly] { [EggAssembly()] }
    func assemble(container: Container) {}
}

@Suite("Guide: modules with assemblies")
struct AssembliesGuideTests {
    // sample: assemblies-modules
    struct NetworkAssembly: Assembly {
        func assemble(container: Container) {
            container.register((any Client).self, scope: .container) { _ in HTTPClient() }
        }
    }

    struct FeedAssembly: Assembly {
        var needs: [any Assembly] { [NetworkAssembly()] }

        func assemble(container: Container) {
            container.autoregister(Feed.self, initializer: Feed.init)
        }

        func loaded(resolver: any Resolver) {
            resolver.resolve((any Client).self)?.warmUp()
        }
    }
    // end sample

    // sample: assemblies-identity
    struct ServerAssembly: Assembly {
        let name: String

        var identity: AnyHashable { name }

        func assemble(container: Container) {
            let name = name
            container.register(String.self, name: name) { _ in "https://\(name).example" }
        }
    }
    // end sample

    protocol Client: AnyObject { func warmUp() }
    final class HTTPClient: Client {
        var isWarm = false
        func warmUp() { isWarm = true }
    }
    struct Feed { let client: any Client }

    @Test("What is needed is applied first, each once, and all before any is told")
    func modules() throws {
        // sample: assemblies-apply
        let assembler = Assembler([FeedAssembly(), NetworkAssembly()])
        let feed = try assembler.resolver.require(Feed.self)
        // end sample
        #expect((feed.client as? HTTPClient)?.isWarm == true)
    }

    @Test("An assembler may have a parent")
    func parents() throws {
        // sample: assemblies-parent
        let app = Assembler([NetworkAssembly()])
        let feature = Assembler([FeedAssembly()], parent: app)
        let feed = try feature.resolver.require(Feed.self)  // with the client of the app
        // end sample
        #expect(try feed.client === app.resolver.require((any Client).self))
    }

    @Test("Assemblies of one type with different identities stand side by side")
    func identity() throws {
        // sample: assemblies-identity-use
        let assembler = Assembler([ServerAssembly(name: "east"), ServerAssembly(name: "west")])
        let east = assembler.resolver.resolve(String.self, name: "east")
        // end sample
        #expect(east == "https://east.example")
        #expect(assembler.resolver.resolve(String.self, name: "west") == "https://west.example")
    }

    @Test("Assemblies that need each other are an error, and nothing is registered")
    func cycle() throws {
        // sample: assemblies-cycle
        let assembler = Assembler()
        do {
            try assembler.load([EggAssembly()])
        } catch {
            print(error)
        }
        // end sample
        let error = try #require(throws: AssemblyError.self) { try assembler.load([EggAssembly()]) }
        #expect(try Documents.block(labelled: "output: assemblies-cycle") == "\(error)")
        #expect(assembler.resolver.resolve(Int.self) == nil)
        assembler.apply(assembly: EggAssembly())
        #expect(assembler.problems.map(\.cycle) == [error.cycle])
        #expect(assembler.resolver.resolve(Int.self) == 1)
    }
}
