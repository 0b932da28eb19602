// Written as for Swinject 2.10: where that says `import Swinject`, this names the modules that it uses.
import DIAssembly
import DICore
import DILogging
import DIScopes
import DITestSupport
import DIWrappers
import Testing

@Suite("Code written for Swinject 2.10")
struct SwinjectVocabularyTests {
    protocol Animal: AnyObject {
        var name: String { get }
        var owner: Person? { get set }
    }

    protocol P: AnyObject {}
    protocol Q: AnyObject {}

    final class Cat: Animal, P, Q {
        let name: String
        weak var owner: Person?

        init(name: String = "") { self.name = name }
    }

    final class Person {
        let pet: any Animal

        init(pet: any Animal) { self.pet = pet }
    }

    struct Text: Equatable {
        let value: String
    }

    @Test("A container is made with a parent, a default scope, behaviours and a registering closure")
    func makingAContainer() {
        let parent = Container()
        let container = Container(
            parent: parent,
            defaultObjectScope: .container,
            behaviors: [],
            registeringClosure: { container in
                container.register((any Animal).self) { _ in Cat() }
            }
        )
        #expect(container.resolve((any Animal).self)! === container.resolve((any Animal).self)!)
        #expect(parent.resolve((any Animal).self) == nil)

        let other = Container { container in
            container.register(Text.self) { _ in Text(value: "closure") }
        }
        #expect(other.resolve(Text.self)?.value == "closure")
        #expect(Container(parent: other).resolve(Text.self)?.value == "closure")
        #expect(other.createChild().resolve(Text.self)?.value == "closure")
    }

    @Test("A registration chains inObjectScope, initCompleted and implements")
    func chaining() {
        let container = Container()
        container.register((any Animal).self, name: "x") { _ in Cat(name: "Mimi") }
            .inObjectScope(.container)
            .initCompleted { r, x in
                x.owner = r.resolve(Person.self)
            }
            .implements((any P).self, (any Q).self)
        container.register(Person.self) { r in Person(pet: r.resolve((any Animal).self, name: "x")!) }
            .inObjectScope(.container)

        let animal = container.resolve((any Animal).self, name: "x")!
        #expect(animal.owner?.pet === animal)
        #expect(container.resolve((any P).self)! === animal)
        #expect(container.resolve((any Q).self)! === animal)
        #expect(container.resolve((any Animal).self) == nil)
    }

    @Test("A forwarded type has a name of its own")
    func forwardingWithAName() {
        let container = Container()
        let entry = container.register(Cat.self) { _ in Cat() }
            .inObjectScope(.container)
            .implements((any P).self, name: "p")
        container.forward((any Q).self, to: entry)
        container.forward((any Q).self, name: "q", to: entry)
        let cat = container.resolve(Cat.self)!
        #expect(container.resolve((any P).self, name: "p")! === cat)
        #expect(container.resolve((any P).self) == nil)
        #expect(container.resolve((any Q).self)! === cat)
        #expect(container.resolve((any Q).self, name: "q")! === cat)
    }

    @Test("Runtime arguments are passed with argument and arguments, with and without a name")
    func arguments() {
        let container = Container()
        container.register(Text.self) { (_: any Resolver, a: Int) in Text(value: "\(a)") }
        container.register(Text.self) { (_: any Resolver, a: Int, b: Int) in Text(value: "\(a)\(b)") }
        container.register(Text.self) { _, a, b, c in Text(value: "\(a as Int)\(b as Int)\(c as Int)") }
        container.register(Text.self, name: "n") { (_: any Resolver, a: Int) in Text(value: "n\(a)") }
        container.register(Text.self, name: "n") { (_: any Resolver, a: Int, b: Int, c: Int) in
            Text(value: "n\(a)\(b)\(c)")
        }
        #expect(container.resolve(Text.self, argument: 1)?.value == "1")
        #expect(container.resolve(Text.self, arguments: 1, 2)?.value == "12")
        #expect(container.resolve(Text.self, arguments: 1, 2, 3)?.value == "123")
        #expect(container.resolve(Text.self, name: "n", argument: 1)?.value == "n1")
        #expect(container.resolve(Text.self, name: "n", arguments: 1, 2, 3)?.value == "n123")
    }

    @Test("Scopes are reset, whole and for a type")
    func resets() {
        let container = Container()
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.container)
        container.register((any Animal).self) { _ in Cat() }.inObjectScope(.container)
        container.register((any P).self) { _ in Cat() }.inObjectScope(.weak)
        let (cat, animal, p) = (
            container.resolve(Cat.self)!, container.resolve((any Animal).self)!, container.resolve((any P).self)!
        )
        container.resetObjectScope(.container, serviceType: Cat.self)
        #expect(container.resolve(Cat.self)! !== cat)
        #expect(container.resolve((any Animal).self)! === animal)
        container.resetObjectScope(.container)
        #expect(container.resolve((any Animal).self)! !== animal)
        #expect(container.resolve((any P).self)! === p)
        container.resetObjectScope(ObjectScope.weak)
        #expect(container.resolve((any P).self)! !== p)
    }

    @Test("The standard scopes go by the same names")
    func standardScopes() {
        let container = Container()
        container.register(Cat.self, name: "t") { _ in Cat() }.inObjectScope(.transient)
        container.register(Cat.self, name: "g") { _ in Cat() }.inObjectScope(.graph)
        container.register(Cat.self, name: "c") { _ in Cat() }.inObjectScope(.container)
        container.register(Cat.self, name: "w") { _ in Cat() }.inObjectScope(.weak)
        container.register([Bool].self) { r in
            ["t", "g", "c", "w"].map { r.resolve(Cat.self, name: $0)! === r.resolve(Cat.self, name: $0)! }
        }
        #expect(container.resolve([Bool].self)! == [false, true, true, true])
    }

    @Test("A scope of one's own has a storage factory, a description and a parent")
    func customScopes() {
        let own = ObjectScope(storageFactory: PermanentStorage.init, description: "own")
        let composed = ObjectScope(storageFactory: PermanentStorage.init, description: "composed", parent: .graph)
        let unnamed = ObjectScope(storageFactory: GraphStorage.init)
        let container = Container()
        container.register(Cat.self, name: "own") { _ in Cat() }.inObjectScope(own)
        container.register(Cat.self, name: "composed") { _ in Cat() }.inObjectScope(composed)
        container.register(Cat.self, name: "unnamed") { _ in Cat() }.inObjectScope(unnamed)
        let kept = container.resolve(Cat.self, name: "own")!
        let composedCat = container.resolve(Cat.self, name: "composed")!
        #expect(container.resolve(Cat.self, name: "own")! === kept)
        #expect(container.resolve(Cat.self, name: "composed")! === composedCat)
        #expect(container.resolve(Cat.self, name: "unnamed")! !== container.resolve(Cat.self, name: "unnamed")!)
        container.resetObjectScope(own)
        #expect(container.resolve(Cat.self, name: "own")! !== kept)
        #expect(container.resolve(Cat.self, name: "composed")! === composedCat)
        #expect("\(own)" == "own")
    }

    @Test("A storage of one's own keeps the instance")
    func customStorage() {
        final class Session: InstanceStorage {
            var instance: Any?
        }
        let container = Container()
        container.register(Cat.self) { _ in Cat() }
            .inObjectScope(ObjectScope(storageFactory: Session.init, description: "session"))
        #expect(container.resolve(Cat.self)! === container.resolve(Cat.self)!)
    }

    @Test("removeAll and hasAnyRegistration")
    func removal() {
        let container = Container()
        container.register((any Animal).self) { _ in Cat() }
        container.register((any P).self, name: "p") { (_: any Resolver, _: Int) in Cat() }
        #expect(container.hasAnyRegistration(of: (any Animal).self))
        #expect(container.hasAnyRegistration(of: (any P).self, name: "p"))
        #expect(!container.hasAnyRegistration(of: (any P).self))
        #expect(Container(parent: container).hasAnyRegistration(of: (any Animal).self))
        container.removeAll()
        #expect(!container.hasAnyRegistration(of: (any Animal).self))
        #expect(container.resolve((any Animal).self) == nil)
    }

    @Test("Lazy and Provider wrap what is registered")
    func wrappers() {
        let container = Container()
        let made = Counter()
        container.register((any P).self) { _ in
            made.add()
            return Cat()
        }
        container.register((any P).self, name: "n") { _ in Cat() }
        let lazy = container.resolve(Lazy<any P>.self)!
        let provider = container.resolve(Provider<any P>.self)!
        #expect(made.value == 0)
        #expect(lazy.instance === lazy.instance)
        #expect(made.value == 1)
        #expect(provider.instance !== provider.instance)
        #expect(made.value == 3)
        #expect(container.resolve(Lazy<any P>.self, name: "n") != nil)
        #expect(container.resolve(Lazy<any Q>.self) == nil)
        #expect(container.lazyResolve((any P).self)?.instance != nil)
    }

    @Test("A factory resolves the graph identifier, and a later resolve joins the graph")
    func graphs() {
        final class Screen {
            let graph: GraphIdentifier
            let cat: Cat
            init(graph: GraphIdentifier, cat: Cat) {
                self.graph = graph
                self.cat = cat
            }
        }
        let container = Container()
        container.register(Cat.self) { _ in Cat() }
        container.register(Screen.self) { r in
            Screen(graph: r.resolve(GraphIdentifier.self)!, cat: r.resolve(Cat.self)!)
        }
        let screen = container.resolve(Screen.self)!
        let joined = container.withObjectGraph(screen.graph) { r in r.resolve(Cat.self)! }
        #expect(joined === screen.cat)
        #expect(container.resolve(Cat.self)! !== screen.cat)
    }

    @Test("A behaviour is told of registrations")
    func behaviors() {
        struct Spy: Behavior {
            let journal: Journal<String>

            func container<Type, Service>(
                _ container: Container,
                didRegisterType type: Type.Type,
                toService entry: ServiceEntry<Service>,
                withName name: String?
            ) {
                journal.add("\(type) \(name ?? "-")")
            }
        }
        let journal = Journal<String>()
        let container = Container(behaviors: [Spy(journal: journal)])
        container.addBehavior(Spy(journal: journal))
        container.register(Text.self, name: "n") { _ in Text(value: "") }
        #expect(journal.entries == ["Text n", "Text n"])
    }

    // MARK: Assemblies

    struct AnimalAssembly: Assembly {
        func assemble(container: Container) {
            container.register((any Animal).self) { _ in Cat(name: "assembled") }
        }
    }

    final class PersonAssembly: Assembly {
        private(set) var loadedPerson: Person?

        func assemble(container: Container) {
            container.register(Person.self) { r in Person(pet: r.resolve((any Animal).self)!) }
        }

        func loaded(resolver: any Resolver) {
            loadedPerson = resolver.resolve(Person.self)
        }
    }

    @Test("An assembler is made of assemblies, for a container or a parent")
    func assemblers() {
        let assembler = Assembler([AnimalAssembly(), PersonAssembly()])
        #expect(assembler.resolver.resolve(Person.self)!.pet.name == "assembled")

        let container = Container()
        _ = Assembler([AnimalAssembly()], container: container)
        #expect(container.resolve((any Animal).self) != nil)
        #expect(Assembler(container: container).resolver.resolve((any Animal).self) != nil)

        let child = Assembler([PersonAssembly()], parent: assembler)
        #expect(child.resolver.resolve(Person.self) != nil)
        let kept = Assembler([PersonAssembly()], parent: assembler, defaultObjectScope: .container, behaviors: [])
        #expect(kept.resolver.resolve(Person.self)! === kept.resolver.resolve(Person.self)!)

        #expect(Assembler(parentAssembler: child).resolver.resolve(Person.self) != nil)
        let last = Assembler(parentAssembler: child, defaultObjectScope: .container, behaviors: [])
        #expect(last.resolver.resolve(Person.self) != nil)
    }

    @Test("Assemblies are applied later, one or several")
    func applying() {
        let assembler = Assembler()
        let person = PersonAssembly()
        assembler.apply(assembly: AnimalAssembly())
        assembler.apply(assemblies: [person])
        #expect(person.loadedPerson?.pet.name == "assembled")
        #expect(assembler.resolver.resolve((any Animal).self) != nil)
    }

    // MARK: Logging

    @Test("The logging function is told of what could not be resolved")
    func logging() async {
        // In a process of its own, since the function is one for the whole process.
        await #expect(processExitsWith: .success) {
            let journal = Journal<String>()
            Container.loggingFunction = { journal.add($0) }
            #expect(Container().resolve((any Animal).self) == nil)
            Container.loggingFunction = nil
            #expect(Container().resolve((any Animal).self) == nil)
            #expect(journal.entries.count == 1)
            #expect(journal.entries.first?.contains("Animal is not registered") == true)
        }
    }
}
