import DICore
import DIScopes
import DITestSupport
import Testing

@Suite("Behaviours")
struct ObserverBehaviorTests {
    protocol Animal: AnyObject {}
    final class Cat: Animal {}

    /// Notes what it is told: the type, the entry that answers for it, and the name.
    struct Note: Behavior {
        let journal: Journal<String>

        func container<Type, Service>(
            _ container: Container,
            didRegisterType type: Type.Type,
            toService entry: ServiceEntry<Service>,
            withName name: String?
        ) {
            journal.add("\(Type.self) -> \(entry.key.serviceType)" + (name.map { " \($0)" } ?? ""))
        }
    }

    /// Notes each instance that is completed.
    struct Tracing: Behavior {
        let journal: Journal<String>

        func container<Type, Service>(
            _ container: Container,
            didRegisterType type: Type.Type,
            toService entry: ServiceEntry<Service>,
            withName name: String?
        ) {
            entry.initCompleted { [journal] _, instance in
                journal.add("\(Swift.type(of: instance as Any))")
            }
        }
    }

    @Test("A behaviour is told of each registration with its types and name")
    func registrations() {
        let journal = Journal<String>()
        let box = Container(behaviors: [Note(journal: journal)])
        box.register((any Animal).self) { _ in Cat() }
        box.register((any Animal).self, name: "n") { (_, _: Int) in Cat() }
        box.register((any Animal).self) { (_, _: Int, _: Int) in Cat() }
        box.register(Int.self, instance: 3)
        box.contribute(Int.self) { _ in 4 }
        box.autoregister(Cat.self, initializer: Cat.init)
        #expect(
            journal.entries == [
                "Animal -> Animal", "Animal -> Animal n", "Animal -> Animal", "Int -> Int",
                "Int -> Int", "Cat -> Cat",
            ]
        )
    }

    @Test("For a forwarded type a behaviour is told that type, and the entry that it stands for")
    func forwarding() {
        let journal = Journal<String>()
        let box = Container(behaviors: [Note(journal: journal)])
        let entry = box.register(Cat.self) { _ in Cat() }
            .implements((any Animal).self, name: "n")
        box.forward(AnyObject.self, to: entry)
        #expect(journal.entries == ["Cat -> Cat", "Animal -> Cat n", "AnyObject -> Cat"])
    }

    @Test("A behaviour that is added later is told of what comes after, each in the order of adding")
    func addedLater() {
        let first = Journal<String>()
        let second = Journal<String>()
        let box = Container(behaviors: [Note(journal: first)])
        box.register(Int.self) { _ in 1 }
        box.addBehavior(Note(journal: second))
        box.register(String.self) { _ in "" }
        #expect(first.entries == ["Int -> Int", "String -> String"])
        #expect(second.entries == ["String -> String"])
    }

    @Test("A behaviour may configure the entry before anybody resolves it")
    func configuration() throws {
        let journal = Journal<String>()
        let box = Container(behaviors: [Tracing(journal: journal)])
        box.register((any Animal).self, scope: .container) { _ in Cat() }
        box.register(Int.self) { _ in 7 }
        _ = try box.require((any Animal).self)
        _ = try box.require((any Animal).self)
        _ = try box.require(Int.self)
        #expect(journal.entries == ["Cat", "Int"])
    }

    @Test("A behaviour belongs to one container: a child has its own")
    func children() {
        let journal = Journal<String>()
        let parent = Container(behaviors: [Note(journal: journal)])
        parent.createChild().register(Int.self) { _ in 1 }
        #expect(journal.entries.isEmpty)
    }

    @Test("A behaviour of a container with an observer sees the registration after the observer")
    func afterObservers() {
        final class Watcher: ResolutionObserver {
            let journal: Journal<String>
            init(_ journal: Journal<String>) { self.journal = journal }
            func observe(_ event: ResolutionEvent) { journal.add("observer") }
        }
        let journal = Journal<String>()
        let box = Container(behaviors: [Note(journal: journal)])
        box.addObserver(Watcher(journal))
        box.register(Int.self) { _ in 1 }
        #expect(journal.entries == ["observer", "Int -> Int"])
    }
}
