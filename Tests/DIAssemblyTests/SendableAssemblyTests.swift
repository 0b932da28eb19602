import DIAssembly
import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Testing

private struct Text: Equatable {
    let value: String
}

private final class Engine: Sendable {}
private protocol Motor: Sendable {}
extension Engine: Motor {}
private struct Car { init(_ engine: Engine, _ plate: Plate) {} }
private struct Plate {}

/// Notes when it is called.
private struct Noting: SendableAssembly {
    let name: String
    let journal: Journal<String>
    var needed: [any Assembly] = []

    func assemble(registrar: any SendableRegistrar) {
        journal.add("assemble \(name)")
        let name = name
        registrar.register(Text.self, name: name) { _ in Text(value: name) }
    }

    func loaded(resolver: any Resolver) {
        journal.add("loaded \(name)")
        for other in ["a", "b", "c"] where resolver.resolve(Text.self, name: other) != nil {
            journal.add("\(name) sees \(other)")
        }
    }

    var needs: [any Assembly] { needed }
    var identity: AnyHashable { name }
}

private struct HenAssembly: SendableAssembly {
    var needs: [any Assembly] { [EggAssembly()] }
    func assemble(registrar: any SendableRegistrar) {
        registrar.register(Text.self) { _ in Text(value: "hen") }
    }
}

private struct EggAssembly: SendableAssembly {
    var needs: [any Assembly] { [HenAssembly()] }
    func assemble(registrar: any SendableRegistrar) {
        registrar.register(Text.self) { _ in Text(value: "egg") }
    }
}

private struct EngineAssembly: SendableAssembly {
    func assemble(registrar: any SendableRegistrar) {
        registrar.register(Engine.self, scope: .container) { _ in Engine() }
            .implements((any Motor).self) { $0 }
            .dependsOnNothing()
        registrar.contribute((any Motor).self, name: "spare") { _ in Engine() }
            .dependsOnNothing()
    }
}

/// Registers in plain containers alone.
private struct CarAssembly: Assembly {
    var needs: [any Assembly] { [EngineAssembly()] }

    func assemble(container: Container) {
        container.autoregister(Car.self, initializer: Car.init)
    }
}

private struct GarageAssembly: SendableAssembly {
    var needs: [any Assembly] { [CarAssembly()] }
    func assemble(registrar: any SendableRegistrar) {
        registrar.register(Text.self) { _ in Text(value: "garage") }
    }
    var externalKeys: [ServiceKey] { [ServiceKey(Plate.self)] }
}

@Suite("Assemblies for both kinds of container")
struct SendableAssemblyTests {
    @Test("A1: in one batch every assemble runs before any loaded, in the order given")
    func oneBatch() throws {
        let journal = Journal<String>()
        let box = ThreadSafeContainer()
        try box.apply(assemblies: "cab".map { Noting(name: String($0), journal: journal) })
        #expect(
            journal.entries == [
                "assemble c", "assemble a", "assemble b",
                "loaded c", "c sees a", "c sees b", "c sees c",
                "loaded a", "a sees a", "a sees b", "a sees c",
                "loaded b", "b sees a", "b sees b", "b sees c",
            ]
        )
    }

    @Test("A2: what is needed comes first, and each assembly is applied once in a batch")
    func needsFirst() throws {
        let journal = Journal<String>()
        let base = Noting(name: "c", journal: journal)
        let box = ThreadSafeContainer()
        try box.apply(assemblies: [
            Noting(name: "a", journal: journal, needed: [base]), Noting(name: "b", journal: journal, needed: [base]),
            base,
        ])
        #expect(
            journal.entries.filter { $0.hasPrefix("assemble") || $0.hasPrefix("loaded") } == [
                "assemble c", "assemble a", "assemble b", "loaded c", "loaded a", "loaded b",
            ]
        )
    }

    @Test("A3: assemblies that need each other are an error, and nothing is registered")
    func cycle() throws {
        let box = ThreadSafeContainer()
        let error = try #require(throws: AssemblyError.self) {
            try box.apply(assemblies: [EngineAssembly(), HenAssembly()])
        }
        #expect(error.cycle == ["HenAssembly", "EggAssembly", "HenAssembly"])
        #expect(box.visibleEntries.isEmpty)
    }

    @Test("One that registers in plain containers alone is an error that names it, and nothing is registered")
    func confined() throws {
        let box = ThreadSafeContainer()
        let error = try #require(throws: AssemblyError.self) { try box.apply(assemblies: [GarageAssembly()]) }
        #expect(
            "\(error)" == """
                [confinedAssembly] CarAssembly registers in plain containers alone
                  → make it a SendableAssembly
                """
        )
        #expect(error.cycle.isEmpty)
        #expect(box.visibleEntries.isEmpty)
    }

    @Test("A plain container gets the same registrations, and keeps what is kept")
    func bothKinds() throws {
        let shared = ThreadSafeContainer()
        try shared.apply(assemblies: [EngineAssembly()])
        let plain = Assembler([EngineAssembly()])
        #expect(plain.problems.isEmpty)
        func told(_ resolver: any Resolver) -> [String] {
            resolver.visibleEntries.map { "\($0.key) \($0.scope) \($0.location)" }
        }
        #expect(told(shared) == told(plain.resolver))
        #expect(told(shared).count == 3)
        for resolver in [shared, plain.resolver] as [any Resolver] {
            let engine = try resolver.require(Engine.self)
            #expect(try resolver.require((any Motor).self) as? Engine === engine)
            #expect(try resolver.requireAll((any Motor).self).count == 1)
        }
    }

    @Test("Every batch is by itself: what is applied again registers again")
    func batches() throws {
        let journal = Journal<String>()
        let box = ThreadSafeContainer()
        for _ in 0..<2 { try box.apply(assemblies: [Noting(name: "a", journal: journal)]) }
        #expect(journal.entries == ["assemble a", "loaded a", "a sees a", "assemble a", "loaded a", "a sees a"])
    }

    // MARK: What was applied

    @Test("The record says who has registered what, also what an entry implements and contributes")
    func origins() throws {
        let box = ThreadSafeContainer()
        box.register(Plate.self, instance: Plate())
        let parts = try box.apply(assemblies: [EngineAssembly(), Noting(name: "a", journal: Journal())])
        let graph = box.dependencyGraph(origin: parts.origin)
        #expect(
            graph.nodes.map { "\($0.key): \($0.origin ?? "-")" } == [
                "Plate: -", "Engine: EngineAssembly", "Motor: EngineAssembly",
                "Motor named \"spare\" [contribution]: EngineAssembly", "Text named \"a\": Noting a",
            ]
        )
    }

    @Test("The record has the keys that others provide")
    func externalKeys() throws {
        struct PlateReader: SendableAssembly {
            func assemble(registrar: any SendableRegistrar) {
                registrar.registerUnshared(Text.self) { _ in Text(value: "") }.dependsOn(Plate.self)
            }
            var externalKeys: [ServiceKey] { [ServiceKey(Plate.self)] }
        }
        let box = ThreadSafeContainer()
        let parts = try box.apply(assemblies: [PlateReader()])
        #expect(parts.externalKeys == [ServiceKey(Plate.self)])
        let graph = box.dependencyGraph(origin: parts.origin)
        #expect(graph.validate(external: parts.externalKeys).isValid)
        #expect(!graph.validate().isValid)
        #expect(Assembler(over: parts, validation: .always).problems.isEmpty)
    }

    @Test("An assembler over it passes over what is needed and applied, and registers what is given anew")
    func assemblerOver() throws {
        let shared = ThreadSafeContainer()
        let parts = try shared.apply(assemblies: [EngineAssembly()])
        let app = Assembler([CarAssembly()], over: parts)
        app.apply { $0.register(Plate.self, instance: Plate()) }
        let engine = try shared.require(Engine.self)
        #expect(try app.resolver.require(Engine.self) === engine)
        #expect(throws: Never.self) { try app.resolver.require(Car.self) }
        let own = Assembler([EngineAssembly()], over: parts)
        #expect(try own.resolver.require(Engine.self) !== engine)
        // Below as well.
        let feature = Assembler([CarAssembly()], parent: app)
        #expect(try feature.resolver.require(Engine.self) === engine)
    }

    @Test("An assembler over it checks the wiring of both, and names the assemblies of both")
    func validation() throws {
        let shared = ThreadSafeContainer()
        let parts = try shared.apply(assemblies: [EngineAssembly()])
        let app = Assembler([CarAssembly()], over: parts, validation: .always)
        #expect(app.problems.count == 1)
        #expect("\(app.problems[0])".contains("[missing] Plate is not registered"))
        let graph = app.dependencyGraph()
        #expect(
            graph.nodes.filter { $0.key.option == nil }.map { "\($0.key): \($0.origin ?? "-")" } == [
                "Engine: EngineAssembly", "Motor: EngineAssembly", "Car: CarAssembly",
            ]
        )
        // The record is no longer needed, and the container is kept.
        #expect(throws: Never.self) { try app.resolver.require(Engine.self) }
    }

    @Test("An assembler over it has the default scope and the behaviours that it is given")
    func scopeAndBehaviors() throws {
        struct Note: Behavior {
            let journal: Journal<String>

            func container<Type, Service>(
                _ container: Container,
                didRegisterType type: Type.Type,
                toService entry: ServiceEntry<Service>,
                withName name: String?
            ) {
                journal.add("\(type)")
            }
        }
        let journal = Journal<String>()
        let parts = try ThreadSafeContainer().apply(assemblies: [EngineAssembly()])
        let app = Assembler(
            over: parts,
            defaultObjectScope: ObjectScope.container,
            behaviors: [Note(journal: journal)]
        )
        app.apply { $0.register(Engine.self) { _ in Engine() } }
        #expect(try app.resolver.require(Engine.self) === app.resolver.require(Engine.self))
        #expect(journal.entries == ["Engine"])
    }
}
