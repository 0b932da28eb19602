import DIAssembly
import DICore
import DIScopes
import DIWrappers
import Testing

@Suite("Migrating")
struct MigratingTests {
    protocol Animal: AnyObject { var name: String { get } }
    protocol Pet: AnyObject {}
    final class Cat: Animal, Pet {
        let name: String
        init(name: String) { self.name = name }
    }
    final class Owner {
        let pet: any Animal
        init(pet: any Animal) { self.pet = pet }
    }

    @Test("A registration needs no trap")
    func factories() throws {
        // sample: migrating-factory
        let container = Container()
        container.register((any Animal).self) { _ in Cat(name: "Mimi") }
        container.register(Owner.self) { r in Owner(pet: try r.require((any Animal).self)) }

        let owner = try container.require(Owner.self)
        // end sample
        #expect(owner.pet.name == "Mimi")
    }

    @Test("What was a static call that traps is an initializer that is registered")
    func autoregistration() throws {
        let container = Container()
        container.register((any Animal).self) { _ in Cat(name: "Mimi") }
        // sample: migrating-autoregister
        container.autoregister(Owner.self, initializer: Owner.init)
        // end sample
        #expect(try container.require(Owner.self).pet.name == "Mimi")
    }

    @Test("Forwarding with a proof")
    func forwarding() throws {
        let container = Container()
        // sample: migrating-implements
        container.register(Cat.self, scope: .container) { _ in Cat(name: "Mimi") }
            .implements((any Animal).self) { $0 }
            .implements((any Pet).self) { $0 }
        // end sample
        #expect(try container.require((any Animal).self) === container.require(Cat.self))
        #expect(try container.require((any Pet).self) === container.require(Cat.self))
        container.register(Int.self) { _ in 3 }.implements((any Pet).self)
        let error = try #require(throws: ResolutionError.self) { try container.require((any Pet).self) }
        #expect(error.code == .typeMismatch)
    }

    @Test("What a child is to change in shared services is not shared")
    func children() throws {
        // sample: migrating-children
        let app = Container()
        app.register((any Animal).self) { _ in Cat(name: "Mimi") }
        app.autoregister(Owner.self, scope: .container, initializer: Owner.init)

        let test = app.createChild(sharing: .none)
        test.register((any Animal).self) { _ in Cat(name: "Stub") }
        let owner = try test.require(Owner.self)
        // end sample
        #expect(owner.pet.name == "Stub")
        #expect(try app.require(Owner.self).pet.name == "Mimi")
    }

    @Test("An option takes the place of the underscored calls")
    func options() throws {
        // sample: migrating-option
        struct StoryboardOption: ServiceKeyOption {
            let controller: String
            var description: String { "controller \(controller)" }
        }

        let container = Container()
        container.register(Owner.self, option: StoryboardOption(controller: "main")) { _ in
            Owner(pet: Cat(name: "Mimi"))
        }
        let key = ServiceKey(Owner.self, option: StoryboardOption(controller: "main"))
        let isThere = container.locate(key).isFound
        // end sample
        #expect(isThere)
        #expect(container.resolve(Owner.self) == nil)
    }

    @Test("A storage of the other framework's form compiles")
    func storages() throws {
        // sample: migrating-storage
        final class CountingStorage: InstanceStorage {
            private var stored: Any?
            private(set) var writes = 0

            var instance: Any? {
                get { stored }
                set {
                    stored = newValue
                    writes += 1
                }
            }
        }

        let scope = ObjectScope(storageFactory: CountingStorage.init, description: "counting")
        // end sample
        let container = Container()
        container.register(Cat.self, scope: scope) { _ in Cat(name: "Mimi") }
        #expect(try container.require(Cat.self) === container.require(Cat.self))
    }
}
