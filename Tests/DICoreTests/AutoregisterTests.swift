import DICore
import DIScopes
import DITestSupport
import Testing

@Suite("Autoregistration")
struct AutoregisterTests {
    protocol Service: AnyObject {}

    final class Nothing: Service {}

    final class Leaf: Service {}

    struct Part<Tag> {
        let number: Int
    }

    enum One {}
    enum Two {}
    enum Three {}
    enum Four {}
    enum Five {}
    enum Six {}
    enum Seven {}

    final class Many: Service {
        let numbers: [Int]

        init(
            _ one: Part<One>,
            _ two: Part<Two>,
            _ three: Part<Three>,
            _ four: Part<Four>,
            _ five: Part<Five>,
            _ six: Part<Six>,
            _ seven: Part<Seven>
        ) {
            numbers = [one.number, two.number, three.number, four.number, five.number, six.number, seven.number]
        }
    }

    struct Refusal: Error, Equatable {
        let number: Int
    }

    final class Picky: Service {
        init(_ part: Part<One>) throws {
            if part.number < 0 { throw Refusal(number: part.number) }
        }
    }

    final class WithOptional: Service {
        let leaf: Leaf?
        let part: Part<One>

        init(leaf: Leaf?, part: Part<One>) {
            self.leaf = leaf
            self.part = part
        }
    }

    final class WithArray: Service {
        let parts: [Part<One>]

        init(parts: [Part<One>]) { self.parts = parts }
    }

    final class WithArgument: Service {
        let name: String
        let leaf: Leaf

        init(name: String, leaf: Leaf) {
            self.name = name
            self.leaf = leaf
        }
    }

    final class Pair: Service {
        let left: Leaf
        let right: Leaf

        init(_ left: Leaf, _ right: Leaf) {
            self.left = left
            self.right = right
        }
    }

    @Test("An initializer without parameters is enough")
    func noDependencies() throws {
        let box = Container()
        let entry = box.autoregister((any Service).self, initializer: Nothing.init)
        #expect(try box.require((any Service).self) is Nothing)
        #expect(entry.anyEntry.dependencies.isEmpty)
    }

    @Test("An initializer with many parameters gets each by its type, and the entry knows them in order")
    func manyDependencies() throws {
        let box = Container()
        box.register(Part<One>.self) { _ in Part(number: 1) }
        box.register(Part<Two>.self) { _ in Part(number: 2) }
        box.register(Part<Three>.self) { _ in Part(number: 3) }
        box.register(Part<Four>.self) { _ in Part(number: 4) }
        box.register(Part<Five>.self) { _ in Part(number: 5) }
        box.register(Part<Six>.self) { _ in Part(number: 6) }
        box.register(Part<Seven>.self) { _ in Part(number: 7) }
        let entry = box.autoregister(Many.self, name: "many", initializer: Many.init)
        #expect(try box.require(Many.self, name: "many").numbers == [1, 2, 3, 4, 5, 6, 7])
        #expect(
            entry.anyEntry.dependencies.map(\.key) == [
                ServiceKey(Part<One>.self), ServiceKey(Part<Two>.self), ServiceKey(Part<Three>.self),
                ServiceKey(Part<Four>.self), ServiceKey(Part<Five>.self), ServiceKey(Part<Six>.self),
                ServiceKey(Part<Seven>.self),
            ]
        )
    }

    @Test("A missing parameter fails with the path, not with nil")
    func missingDependency() throws {
        let box = Container()
        box.autoregister(Picky.self, initializer: Picky.init)
        let error = try #require(throws: ResolutionError.self) { try box.require(Picky.self) }
        #expect(error.code == .notRegistered)
        #expect(error.path.map(\.key) == [ServiceKey(Picky.self), ServiceKey(Part<One>.self)])
        #expect(box.resolve(Picky.self) == nil)
    }

    @Test("What an initializer throws is wrapped with the path")
    func throwingInitializer() throws {
        let box = Container()
        box.autoregister(Picky.self, initializer: Picky.init)
        box.register(Part<One>.self, instance: Part(number: -3))
        let error = try #require(throws: ResolutionError.self) { try box.require(Picky.self) }
        #expect(error.code == .factoryThrew)
        #expect(error.underlying as? Refusal == Refusal(number: -3))
        box.register(Part<One>.self, instance: Part(number: 3))
        _ = try box.require(Picky.self)
    }

    @Test("A parameter of Optional type is nil when its type is not registered, and else the instance")
    func optionalDependency() throws {
        let box = Container()
        box.register(Part<One>.self, instance: Part(number: 1))
        box.autoregister(WithOptional.self, initializer: WithOptional.init)
        #expect(try box.require(WithOptional.self).leaf == nil)
        box.register(Leaf.self, scope: .container) { _ in Leaf() }
        #expect(try box.require(WithOptional.self).leaf === box.require(Leaf.self))
    }

    @Test("A parameter of array type gets all contributions in order")
    func arrayDependency() throws {
        let box = Container()
        box.autoregister(WithArray.self, initializer: WithArray.init)
        #expect(try box.require(WithArray.self).parts.isEmpty)
        box.contribute(Part<One>.self) { _ in Part(number: 1) }
        box.contribute(Part<One>.self) { _ in Part(number: 2) }
        #expect(try box.require(WithArray.self).parts.map(\.number) == [1, 2])
    }

    @Test("One parameter may be a runtime argument; it is no dependency")
    func runtimeArgument() throws {
        let box = Container()
        let leaf = Leaf()
        box.register(Leaf.self, instance: leaf)
        let entry = box.autoregister(
            (any Service).self,
            argument: String.self,
            name: "n",
            initializer: WithArgument.init
        )
        let service = try box.require((any Service).self, name: "n", argument: "Mimi")
        #expect((service as? WithArgument)?.name == "Mimi")
        #expect((service as? WithArgument)?.leaf === leaf)
        #expect(entry.anyEntry.dependencies.map(\.key) == [ServiceKey(Leaf.self)])
        #expect(entry.key == ServiceKey((any Service).self, arguments: String.self, name: "n"))
        #expect(box.resolve((any Service).self, name: "n") == nil)
    }

    @Test("Parameters of the argument's type get the argument even where the type is registered")
    func argumentBeforeRegistration() throws {
        let box = Container()
        box.register(Leaf.self, scope: .container) { _ in Leaf() }
        box.autoregister(Pair.self, argument: Leaf.self, initializer: Pair.init)
        let leaf = Leaf()
        let pair = try box.require(Pair.self, argument: leaf)
        #expect(pair.left === leaf)
        #expect(pair.right === leaf)
    }

    @Test("Scope, location and the graph are those of any registration")
    func ordinaryRegistration() throws {
        let box = Container()
        box.register(Leaf.self) { _ in Leaf() }
        let line: UInt = #line + 1
        let entry = box.autoregister(Pair.self, scope: .container, initializer: Pair.init)
        let pair = try box.require(Pair.self)
        #expect(pair.left === pair.right)
        #expect(try box.require(Pair.self) === pair)
        #expect(entry.location == SourceLocation(fileID: #fileID, line: line))
        #expect(entry.scope === ObjectScope.container)
    }
}
