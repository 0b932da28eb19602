import DICore
import DIScopes
import DITestSupport
import Testing

private protocol Animal: AnyObject {}
private protocol Vehicle: AnyObject {}
private final class Cat: Animal {}

private final class Home {
    let animal: any Animal
    init(_ animal: any Animal) { self.animal = animal }
}

private final class Street {
    let home: Home
    init(_ home: Home) { self.home = home }
}

private struct Broken: Error, CustomStringConvertible {
    var description: String { "the tin is empty" }
}

@Suite("The texts of failures")
struct FailureTextTests {
    private func text(_ body: () throws -> Void) throws -> String {
        "\(try #require(throws: ResolutionError.self, performing: body))"
    }

    @Test("E1: the text of a missing name shows the path and the nearest names with their places")
    func notRegistered() throws {
        let box = Container()
        let line: UInt = #line
        box.register((any Animal).self, name: "dog") { _ in Cat() }
        box.register((any Animal).self, name: "cat") { _ in Cat() }
        box.register(Home.self) { r in Home(try r.require((any Animal).self, name: "cta")) }
        let text = try text { _ = try box.require(Home.self) }
        #expect(
            text == """
                [notRegistered] Animal named "cta" is not registered
                  needed by Home  (DICoreTests/FailureTextTests.swift:\(line + 3))
                  registered instead: Animal named "cat"  (DICoreTests/FailureTextTests.swift:\(line + 2))
                  registered instead: Animal named "dog"  (DICoreTests/FailureTextTests.swift:\(line + 1))
                  → ask for the name "cat"
                  → ask for the name "dog"
                """
        )
    }

    @Test("E1: the text of wrong arguments shows both lists and the way out")
    func argumentsMismatch() throws {
        let box = Container()
        let line: UInt = #line + 1
        box.register((any Animal).self, name: "cat") { (_, _: String?) in Cat() }
        let text = try text { _ = try box.require((any Animal).self, name: "cat", argument: "Mimi") }
        let fact = "Animal(String) named \"cat\" is not registered for these runtime arguments"
        #expect(
            text == """
                [argumentsMismatch] \(fact): asked with (String), registered with (String?)
                  asked for directly
                  registered instead: Animal(String?) named "cat"  (DICoreTests/FailureTextTests.swift:\(line))
                  → pass (String?), exactly these static types
                """
        )
    }

    @Test("E1: the text of a cycle shows the way round and the two ways out")
    func circular() throws {
        let box = Container()
        let line: UInt = #line
        box.register(Street.self) { r in Street(try r.require(Home.self)) }
        box.register(Home.self) { r in
            _ = try r.require(Street.self)
            return Home(Cat())
        }
        let text = try text { _ = try box.require(Street.self) }
        #expect(
            text == """
                [circular] Street needs itself in order to be built  (DICoreTests/FailureTextTests.swift:\(line + 1))
                  cycle: Street → Home → Street
                  needed by Home  (DICoreTests/FailureTextTests.swift:\(line + 2))
                  needed by Street  (DICoreTests/FailureTextTests.swift:\(line + 1))
                  → set one side as a property in initCompleted, in a scope that shares the instance
                  → or give one side a Lazy or Provider of the other, and open it after construction
                """
        )
    }

    @Test("E1: the text of a factory that threw, at the end of a chain, shows what it threw and the chain")
    func factoryThrew() throws {
        let box = Container()
        let line: UInt = #line
        box.register(Street.self) { r in Street(try r.require(Home.self)) }
        box.register(Home.self) { r in Home(try r.require((any Animal).self)) }
        box.register((any Animal).self) { _ -> any Animal in throw Broken() }
        let place = "(DICoreTests/FailureTextTests.swift:\(line + 3))"
        let text = try text { _ = try box.require(Street.self) }
        #expect(
            text == """
                [factoryThrew] the factory of Animal threw: the tin is empty  \(place)
                  needed by Home  (DICoreTests/FailureTextTests.swift:\(line + 2))
                  needed by Street  (DICoreTests/FailureTextTests.swift:\(line + 1))
                """
        )
    }

    @Test("E1: the text of a wrong type names both types")
    func typeMismatch() throws {
        let box = Container()
        let line: UInt = #line + 1
        box.register(Cat.self) { _ in Cat() }.implements((any Vehicle).self)
        let place = "(DICoreTests/FailureTextTests.swift:\(line))"
        let text = try text { _ = try box.require((any Vehicle).self) }
        #expect(
            text == """
                [typeMismatch] Vehicle got an instance of another type: Cat is no Vehicle  \(place)
                  asked for directly
                  → where it was forwarded: use the form with a closure, which lets the compiler prove the type
                  → where a storage was filled from outside: put in an instance of exactly this type
                """
        )
    }

    @Test("E1: the text of a container that has ended names the service and says that the container is gone")
    func containerGone() throws {
        struct Later: InstanceWrapper {
            let provider: InstanceProvider<Cat>

            static func makeWrapper(from source: InstanceSource<Cat>) -> Later {
                Later(provider: source.inNewGraphs())
            }
        }
        let line: UInt = 7
        func makeLater() throws -> Later {
            let box = Container()
            box.register(Cat.self, line: line) { _ in Cat() }
            box.register([Later].self, scope: .container) { r in [try r.require(Later.self)] }
            return try box.require([Later].self)[0]
        }
        let later = try makeLater()
        let text = try text { _ = try later.provider() }
        let lines = text.split(separator: "\n")
        let fact = "[containerGone] Cat cannot be resolved, since its container is gone"
        #expect(lines.first == "\(fact)  (DICoreTests/FailureTextTests.swift:\(line))")
        #expect(lines.last == "  → keep the container, or open the wrapper before it ends")
        #expect(!text.contains("not registered"), "what ended with its container was registered there")
    }
}
