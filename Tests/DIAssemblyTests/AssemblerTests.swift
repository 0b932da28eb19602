import DIAssembly
import DICore
import DIScopes
import DITestSupport
import Testing

@Suite("Assembler")
struct AssemblerTests {
    struct Text: Equatable {
        let value: String
        init(_ value: String) { self.value = value }
    }

    /// Notes when it is called.
    struct Noting: Assembly {
        let name: String
        let journal: Journal<String>

        func assemble(container: Container) {
            journal.add("assemble \(name)")
            container.register(Text.self, name: name) { _ in Text(name) }
        }

        func loaded(resolver: any Resolver) {
            journal.add("loaded \(name)")
            for other in ["a", "b", "c"] where resolver.resolve(Text.self, name: other) != nil {
                journal.add("\(name) sees \(other)")
            }
        }

        var identity: AnyHashable { name }
    }

    /// Registers and is told nothing.
    struct Plain: Assembly {
        func assemble(container: Container) {
            container.register(Text.self) { _ in Text("plain") }
        }
    }

    private static func noting(_ names: String, _ journal: Journal<String>) -> [any Assembly] {
        names.map { Noting(name: String($0), journal: journal) }
    }

    // MARK: A1

    @Test("A1: in one batch every assemble runs before any loaded, in the order given")
    func oneBatch() {
        let journal = Journal<String>()
        let assembler = Assembler(Self.noting("cab", journal))
        #expect(
            journal.entries == [
                "assemble c", "assemble a", "assemble b",
                "loaded c", "c sees a", "c sees b", "c sees c",
                "loaded a", "a sees a", "a sees b", "a sees c",
                "loaded b", "b sees a", "b sees b", "b sees c",
            ]
        )
        #expect(assembler.resolver.resolve(Text.self, name: "a") == Text("a"))
    }

    @Test("A1: assemblies that were applied earlier are not notified again")
    func laterBatches() {
        let journal = Journal<String>()
        let assembler = Assembler()
        assembler.apply(assembly: Noting(name: "a", journal: journal))
        assembler.apply(assemblies: Self.noting("b", journal))
        #expect(
            journal.entries == [
                "assemble a", "loaded a", "a sees a", "assemble b", "loaded b", "b sees a", "b sees b",
            ]
        )
    }

    @Test("A1: an empty batch does nothing, and loaded has a default")
    func defaults() {
        let assembler = Assembler([])
        assembler.apply(assemblies: [])
        assembler.apply(assembly: Plain())
        #expect(assembler.resolver.resolve(Text.self) == Text("plain"))
        #expect(assembler.problems.isEmpty)
    }

    @Test("A1: load keeps the same order")
    func load() throws {
        let journal = Journal<String>()
        let assembler = Assembler()
        try assembler.load(Self.noting("ba", journal))
        #expect(
            journal.entries.filter { !$0.contains("sees") } == ["assemble b", "assemble a", "loaded b", "loaded a"]
        )
    }

    @Test("A1: assemblies of a class are told like those of a struct")
    func classAssembly() {
        final class Counting: Assembly {
            var calls: [String] = []
            func assemble(container: Container) { calls.append("assemble") }
            func loaded(resolver: any Resolver) { calls.append("loaded") }
        }
        let assembly = Counting()
        _ = Assembler([assembly])
        #expect(assembly.calls == ["assemble", "loaded"])
    }

    // MARK: Containers

    @Test("An assembler applies to the container that it is given")
    func givenContainer() {
        let box = Container()
        box.register(Int.self) { _ in 1 }
        let assembler = Assembler([Plain()], container: box)
        #expect(box.resolve(Text.self) == Text("plain"))
        #expect(assembler.resolver.resolve(Int.self) == 1)
        #expect(assembler.resolver === box)
        #expect(Assembler(container: box).resolver === box)
        #expect(Assembler(container: nil).resolver !== box)
    }

    @Test("An assembler with a parent sees the parent's services; the parent does not see its own")
    func parents() {
        let journal = Journal<String>()
        let parent = Assembler(Self.noting("a", journal))
        let child = Assembler(Self.noting("b", journal), parent: parent)
        let empty = Assembler(parentAssembler: child)
        #expect(child.resolver.resolve(Text.self, name: "a") == Text("a"))
        #expect(empty.resolver.resolve(Text.self, name: "b") == Text("b"))
        #expect(parent.resolver.resolve(Text.self, name: "b") == nil)
        #expect(Assembler(parentAssembler: nil).resolver.resolve(Text.self, name: "a") == nil)
    }

    @Test("A child assembler keeps its parent's container")
    func lifetime() {
        let journal = Journal<String>()
        let child = Assembler(Self.noting("b", journal), parent: Assembler(Self.noting("a", journal)))
        #expect(child.resolver.resolve(Text.self, name: "a") == Text("a"))
    }

    @Test("A child assembler has a default scope and behaviours of its own")
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
        struct Objects: Assembly {
            let tracker: LifetimeTracker
            func assemble(container: Container) {
                container.register(Tracked.self) { _ in Tracked(tracker) }
            }
        }
        let journal = Journal<String>()
        let tracker = LifetimeTracker()
        let shared = Assembler(
            [Objects(tracker: tracker)],
            parent: Assembler(),
            defaultObjectScope: ObjectScope.container,
            behaviors: [Note(journal: journal)]
        )
        #expect(journal.entries == ["Tracked"])
        let kept = try shared.resolver.require(Tracked.self)
        #expect(try shared.resolver.require(Tracked.self) === kept)
        let graph = Assembler(parentAssembler: nil)
        graph.apply(assembly: Objects(tracker: tracker))
        let first = try graph.resolver.require(Tracked.self)
        #expect(try graph.resolver.require(Tracked.self) !== first)
        #expect(journal.entries.count == 1)
    }
}
