import DIAssembly
import DICore
import DILogging
import DIScopes
import DIWrappers
import Testing

private protocol Client {}
private struct HTTPClient: Client {}
private struct LoggingClient: Client { let base: any Client }
private struct Store {}
private struct Feed {
    let client: any Client
    let store: Store
}
private struct Screen { let feed: Feed }
private struct User {}
private struct Session {}
private struct Profile { let user: User }
private struct Cache { let session: Session }

private struct FeedAssembly: Assembly {
    func assemble(container: Container) {
        container.autoregister(Feed.self, initializer: Feed.init)
    }
}

@Suite("Guide: checking the wiring")
struct CheckingGuideTests {
    // sample: checking-external-assembly
    struct ProfileAssembly: Assembly {
        var externalKeys: [ServiceKey] { [ServiceKey(User.self)] }

        func assemble(container: Container) {
            container.autoregister(Profile.self, initializer: Profile.init)
        }
    }
    // end sample

    // sample: checking-test
    static func makeContainer() -> Container {
        let container = Container()
        container.register((any Client).self) { _ in HTTPClient() }
            .dependsOnNothing()
        container.register(Store.self, scope: .container) { _ in Store() }
            .dependsOnNothing()
        container.autoregister(Feed.self, initializer: Feed.init)
        container.autoregister(Screen.self, initializer: Screen.init)
        return container
    }

    @Test("The wiring is complete")
    func wiring() {
        let report = Self.makeContainer().dependencyGraph().validate()
        #expect(report.isValid, "\(report)")
    }
    // end sample

    @Test("A report shows all problems at once")
    func report() throws {
        // sample: checking-report
        let container = Container()
        container.autoregister(Feed.self, initializer: Feed.init)
        container.autoregister(Screen.self, initializer: Screen.init)
        print(container.dependencyGraph().validate())
        // end sample
        let text = "\(container.dependencyGraph().validate())"
        try Output.expect("checking-report", Output.withoutPlaces(text))
    }

    @Test("The throwing form is for the launch")
    func launch() throws {
        let container = Self.makeContainer()
        // sample: checking-launch
        try container.dependencyGraph().validate().check()
        // end sample
        #expect(throws: WiringError.self) {
            try FeedAssembly().assemblingAlone().dependencyGraph().validate().check()
        }
    }

    @Test("A closure says what it asks for")
    func dependsOn() throws {
        // sample: checking-depends-on
        let container = Container()
        container.register(Feed.self) { r in
            Feed(client: try r.require((any Client).self), store: try r.require(Store.self, name: "main"))
        }
        .dependsOn((any Client).self)
        .dependsOn(Store.self, name: "main")
        // end sample
        let missing = container.dependencyGraph().validate().problems(.missing)
        #expect(missing.map(\.key) == [ServiceKey((any Client).self), ServiceKey(Store.self, name: "main")])
    }

    @Test("A closure says which runtime arguments it passes")
    func dependsOnKey() throws {
        // sample: checking-depends-on-key
        let container = Container()
        container.register(Profile.self) { (_, user: User) in Profile(user: user) }
            .dependsOnNothing()
        container.register(Session.self) { r in
            _ = try r.require(Profile.self, argument: User())
            return Session()
        }
        .dependsOn(ServiceKey(Profile.self, arguments: User.self))
        // end sample
        #expect(container.dependencyGraph().validate().problems.isEmpty)
        #expect(container.resolve(Session.self) != nil)
    }

    @Test("A parent builds its kept services from its own registrations")
    func levels() throws {
        // sample: checking-levels
        let app = Container()
        app.autoregister(Cache.self, scope: .container, initializer: Cache.init)

        let request = app.createChild()
        request.register(Session.self, scope: .perContainer) { _ in Session() }
            .dependsOnNothing()
        print(request.dependencyGraph().validate())
        // end sample
        try Output.expect("checking-levels", Output.withoutPlaces("\(request.dependencyGraph().validate())"))
    }

    @Test("A decorator asks its parent")
    func decorator() throws {
        // sample: checking-decorator
        let app = Container()
        app.register((any Client).self) { _ in HTTPClient() }
            .dependsOnNothing()

        let request = app.createChild()
        request.register((any Client).self) { _ in LoggingClient(base: try app.require((any Client).self)) }
            .dependsOnParent((any Client).self)
        let report = request.dependencyGraph().validate()
        // end sample
        #expect(report.problems.isEmpty)
        #expect(try request.require((any Client).self) is LoggingClient)
    }

    @Test("External keys are taken as given")
    func external() throws {
        let container = Container()
        container.autoregister(Profile.self, initializer: Profile.init)
        // sample: checking-external
        let report = container.dependencyGraph().validate(external: [ServiceKey(User.self)])
        // end sample
        #expect(report.isValid)
        #expect(Assembler([ProfileAssembly()], validation: .always).problems.isEmpty)
    }

    @Test("With roots, what they do not reach is reported")
    func roots() throws {
        let container = Self.makeContainer()
        container.register(User.self, instance: User())
        // sample: checking-roots
        let report = container.dependencyGraph().validate(roots: [ServiceKey(Screen.self)])
        let unused = report.problems(.unused).map(\.key)
        // end sample
        #expect(unused == [ServiceKey(User.self)])
    }

    @Test("A captive can be granted with a reason")
    func captives() throws {
        // sample: checking-captives
        let container = Container()
        container.register(Session.self, scope: .perContainer) { _ in Session() }
            .dependsOnNothing()
        container.autoregister(Cache.self, scope: .container, initializer: Cache.init)
            .allowsCaptives(because: "this program has one container")
        let report = container.dependencyGraph().validate()
        // end sample
        #expect(report.isValid)
    }

    @Test("A recorded run completes what closures do not say")
    func recorder() throws {
        // sample: checking-recorder
        let container = Container()
        container.register(Store.self) { _ in Store() }
        container.register((any Client).self) { _ in HTTPClient() }
        container.register(Feed.self) { r in
            Feed(client: try r.require((any Client).self), store: try r.require(Store.self))
        }

        let recorder = DependencyRecorder()
        container.addObserver(recorder)
        _ = try container.require(Feed.self)
        container.removeObserver(recorder)

        let graph = container.dependencyGraph(observed: recorder.wiring)
        let report = graph.validate()
        // end sample
        #expect(report.problems.isEmpty)
        #expect(report.usedEdges.observed == 2)
        #expect(container.dependencyGraph().validate().problems(.notAnalysable).count == 3)
    }

    @Test("Assemblies are checked after they are loaded")
    func assembler() throws {
        // sample: checking-assembler
        let assembler = Assembler(validation: .always)
        do {
            try assembler.load([FeedAssembly()])
        } catch {
            print(error)
        }
        // end sample
        let error = try #require(throws: AssemblyError.self) {
            try Assembler(validation: .always).load([FeedAssembly()])
        }
        try Output.expect("checking-assembler", Output.withoutPlaces(error))
    }

    @Test("A picture is text")
    func picture() throws {
        let container = Self.makeContainer()
        // sample: checking-picture
        let graph = container.dependencyGraph()
        let picture = GraphPicture(graph, below: ServiceKey(Screen.self), depth: 1)
        print(picture.mermaid)
        // end sample
        let text = picture.mermaid.replacing("DocumentationTests", with: "App")
        try Output.expect("checking-picture", String(text.dropLast()))
    }

    @Test("A picture of a problem shows what it breaks")
    func explaining() throws {
        let container = Container()
        container.autoregister(Feed.self, initializer: Feed.init)
        // sample: checking-explaining
        let graph = container.dependencyGraph()
        for problem in graph.validate().problems {
            print(GraphPicture(graph, explaining: problem).dot)
        }
        // end sample
        #expect(graph.validate().problems.count == 2)
    }
}

extension FeedAssembly {
    fileprivate func assemblingAlone() -> Container {
        let container = Container()
        assemble(container: container)
        return container
    }
}
