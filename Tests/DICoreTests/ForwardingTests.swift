import DICore
import DIScopes
import DITestSupport
import Testing

@Suite("Type forwarding")
struct ForwardingTests {
    protocol Animal: AnyObject {}
    protocol Pet: AnyObject {}
    protocol Vehicle: AnyObject {}

    final class Cat: Tracked, Animal, Pet {
        let name: String

        init(_ tracker: LifetimeTracker, name: String = "") {
            self.name = name
            super.init(tracker)
        }
    }

    /// All that one graph sees of a cat.
    final class Household {
        let cat: Cat
        let animal: any Animal
        let pet: any Pet
        let named: any Pet

        init(_ r: any Resolver) throws {
            pet = try r.require((any Pet).self)
            cat = try r.require(Cat.self)
            named = try r.require((any Pet).self, name: "p")
            animal = try r.require((any Animal).self)
        }

        var isOneCat: Bool { cat === animal && cat === pet && cat === named }
    }

    private static func registerCat(
        in box: Container,
        _ tracker: LifetimeTracker,
        scope: ObjectScope? = nil
    ) -> ServiceEntry<Cat> {
        box.register(Household.self, scope: .transient) { r in try Household(r) }
        return box.register(Cat.self, scope: scope) { _ in Cat(tracker) }
            .implements((any Animal).self, (any Pet).self)
            .implements((any Pet).self, name: "p")
    }

    static let sharingScopes: [ObjectScope] = [.graph, .container, .weak, .perContainer]

    @Test(
        "F1: all forwarded keys give the same instance, and its callback runs once",
        arguments: sharingScopes
    )
    func oneInstance(_ scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let completed = Counter()
        let entry = Self.registerCat(in: box, tracker, scope: scope)
        entry.initCompleted { _, _ in completed.add() }
        let household = try box.require(Household.self)
        #expect(household.isOneCat)
        #expect(tracker.made == 1)
        #expect(completed.value == 1)
    }

    @Test("F1: without sharing each forwarded request builds, with one callback each")
    func transient() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let completed = Counter()
        Self.registerCat(in: box, tracker, scope: .transient).initCompleted { _, _ in completed.add() }
        #expect(try !box.require(Household.self).isOneCat)
        #expect(tracker.made == 4)
        #expect(completed.value == 4)
    }

    @Test("F1: a scope set after forwarding applies to every key", arguments: sharingScopes)
    func scopeSetLater(_ scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let entry = Self.registerCat(in: box, tracker, scope: .transient)
        entry.inObjectScope(scope)
        let household = try box.require(Household.self)
        #expect(household.isOneCat)
        #expect(tracker.made == 1)
    }

    @Test("F1: a scope and a callback set on the forwarded entry go to the original")
    func configuredThroughTheForwardedEntry() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let completed = Counter()
        let entry = box.register(Cat.self) { _ in Cat(tracker) }
        box.forward((any Pet).self, to: entry)
            .inObjectScope(.container)
            .initCompleted { _, _ in completed.add() }
        let cat = try box.require(Cat.self)
        #expect(try box.require((any Pet).self) === cat)
        #expect(entry.scope === ObjectScope.container)
        #expect(completed.value == 1)
    }

    @Test("F1: a reset of one forwarded type renews all of them")
    func resetThroughAForwardedType() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        _ = Self.registerCat(in: box, tracker, scope: .container)
        let before = try box.require(Household.self)
        box.resetObjectScope(.container, serviceType: (any Vehicle).self)
        #expect(try box.require(Cat.self) === before.cat)
        box.resetObjectScope(.container, serviceType: (any Animal).self)
        let after = try box.require(Household.self)
        #expect(after.isOneCat)
        #expect(after.cat !== before.cat)
        #expect(tracker.made == 2)
    }

    @Test("F1: forwarding carries runtime arguments")
    func arguments() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Cat.self, scope: .transient) { (_, name: String) in Cat(tracker, name: name) }
            .implements((any Pet).self)
        box.register(Cat.self, name: "n", scope: .container) { (_, first: String, last: String) in
            Cat(tracker, name: first + " " + last)
        }
        .implements((any Pet).self, name: "m")
        #expect((try box.require((any Pet).self, argument: "Mimi") as? Cat)?.name == "Mimi")
        let pet = try box.require((any Pet).self, name: "m", arguments: "Mew", "Two")
        #expect((pet as? Cat)?.name == "Mew Two")
        #expect(try box.require(Cat.self, name: "n", arguments: "Mew", "Two") === pet)
        #expect(box.resolve((any Pet).self) == nil)
        #expect(box.resolve((any Pet).self, name: "n", arguments: "Mew", "Two") == nil)
    }

    @Test("F1: a name of the original is not taken over by the forwarded type")
    func names() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Cat.self, name: "n", scope: .container) { _ in Cat(tracker) }
            .implements((any Pet).self)
            .implements((any Animal).self, name: "a")
        #expect(box.resolve((any Pet).self, name: "n") == nil)
        #expect(try box.require((any Pet).self) === box.require(Cat.self, name: "n"))
        #expect(try box.require((any Animal).self, name: "a") === box.require(Cat.self, name: "n"))
    }

    @Test("F1: several types are forwarded at once")
    func manyTypes() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Cat.self, scope: .container) { _ in Cat(tracker) }
            .implements((any Animal).self, (any Pet).self, Tracked.self, AnyObject.self)
        let cat = try box.require(Cat.self)
        #expect(try box.require((any Animal).self) === cat)
        #expect(try box.require((any Pet).self) === cat)
        #expect(try box.require(Tracked.self) === cat)
        #expect(try box.require(AnyObject.self) === cat)
    }

    @Test("F1: a forwarded type may be forwarded again")
    func chain() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let completed = Journal<String>()
        let entry = box.register(Cat.self, scope: .container) { _ in Cat(tracker) }
        let pet = box.forward((any Pet).self, to: entry)
        box.forward((any Animal).self, to: pet).initCompleted { _, _ in completed.add("animal") }
        pet.initCompleted { _, _ in completed.add("pet") }
        #expect(try box.require((any Animal).self) === box.require(Cat.self))
        #expect(completed.entries == ["animal", "pet"])
        #expect(box.locate(ServiceKey((any Animal).self)).entry?.forwardTarget === entry.anyEntry)
    }

    @Test("F1: the child's request for a forwarded type gets the parent's instance")
    func hierarchy() throws {
        let parent = Container()
        let child = parent.createChild()
        let tracker = LifetimeTracker()
        _ = Self.registerCat(in: parent, tracker, scope: .container)
        #expect(try child.require((any Pet).self) === parent.require((any Animal).self))
        child.resetObjectScope(.container, serviceType: (any Pet).self)
        _ = try child.require(Household.self)
        #expect(tracker.made == 2)
    }

    @Test("F1: a forwarded type in a cycle joins it")
    func cycle() throws {
        final class Owner {
            var pet: (any Pet)?
        }
        final class Dog: Pet {
            let owner: Owner
            init(_ owner: Owner) { self.owner = owner }
        }
        let box = Container()
        box.register(Owner.self) { _ in Owner() }.initCompleted { r, owner in
            owner.pet = try r.require((any Pet).self)
        }
        box.register(Dog.self) { r in Dog(try r.require(Owner.self)) }.implements((any Pet).self)
        let pet = try box.require((any Pet).self)
        let dog = try #require(pet as? Dog)
        #expect(dog.owner.pet === dog)
        let owner = try box.require(Owner.self)
        #expect((owner.pet as? Dog)?.owner === owner)
    }

    // MARK: F2

    @Test("F2: forwarding to an unrelated type fails with both types named, at the request")
    func unrelatedType() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        box.register(Cat.self, scope: .container) { _ in Cat(tracker) }
            .implements((any Vehicle).self)
        #expect(box.resolve((any Vehicle).self) == nil)
        let error = try #require(throws: ResolutionError.self) { try box.require((any Vehicle).self) }
        #expect(error.code == .typeMismatch)
        #expect(error.key == ServiceKey((any Vehicle).self))
        #expect("\(error)".contains("Cat"))
        #expect("\(error)".contains("Vehicle"))
        #expect(recorder.failures.map(\.code) == [.typeMismatch, .typeMismatch])
        _ = try box.require(Cat.self)
    }

    @Test("F2: the failure of a forwarded type says where it was forwarded")
    func locationOfTheFailure() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let entry = box.register(Cat.self) { _ in Cat(tracker) }
        let line: UInt = #line + 1
        entry.implements((any Vehicle).self)
        let error = try #require(throws: ResolutionError.self) { try box.require((any Vehicle).self) }
        #expect(error.path.last?.location == SourceLocation(fileID: #fileID, line: line))
    }

    @Test("F2: a conversion lets the compiler prove the forwarding")
    func conversion() throws {
        struct Label: Equatable {
            let text: String
        }
        let box = Container()
        let tracker = LifetimeTracker()
        let entry = box.register(Cat.self, scope: .container) { _ in Cat(tracker, name: "Mimi") }
            .implements((any Pet).self) { $0 }
            .implements(Label.self, name: "l") { Label(text: $0.name) }
        box.forward(String.self, to: entry) { $0.name }
        #expect(try box.require((any Pet).self) === box.require(Cat.self))
        #expect(try box.require(Label.self, name: "l") == Label(text: "Mimi"))
        #expect(try box.require(String.self) == "Mimi")
        #expect(tracker.made == 1)
    }
}
