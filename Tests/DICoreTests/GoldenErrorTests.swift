import DICore
import DIScopes
import DITestSupport
import Testing

private protocol Animal: AnyObject {}
private protocol Vehicle: AnyObject {}
private final class Cat: Animal {}
private struct Bell {}
private struct Clock {}
private struct Animals {}
private struct AnimalImpl {}

private enum Network { struct Configuration {} }
private enum Storage { struct Configuration {} }

/// Has the short name of a type of another module.
private struct Counter {}

private final class Home { init(_ animal: any Animal) {} }
private final class Street { init(_ home: Home) {} }
private final class Town { init(_ clock: Clock?, _ street: Street) {} }
private final class Hen {
    init(_ bell: Bell) {}
    init(_ bell: Bell, _ egg: Egg) {}
}
private final class Egg { init(_ chick: Chick) {} }
private final class Chick { init(_ hen: Hen) {} }
private final class Farm { init(_ bell: Bell, _ clock: Clock?, _ hen: Hen) {} }

private struct Deferred<Wrapped>: InstanceWrapper {
    let provider: InstanceProvider<Wrapped>

    static var traits: WrapperTraits { .defersConstruction }
    static func makeWrapper(from source: InstanceSource<Wrapped>) -> Deferred {
        Deferred(provider: source.inNewGraphs())
    }
}

private struct Broken: Error, CustomStringConvertible {
    var description: String { "the tin is empty" }
}

@Suite("Golden texts of errors")
struct GoldenErrorTests {
    static func error(_ body: () throws -> Void) throws -> ResolutionError {
        try #require(throws: ResolutionError.self, performing: body)
    }

    static func text(_ body: () throws -> Void) throws -> String { "\(try error(body))" }

    private static func chain(in box: Container) {
        box.register(Town.self) { r in Town(nil, try r.require(Street.self)) }
        box.register(Street.self) { r in Street(try r.require(Home.self)) }
        box.register(Home.self) { r in Home(try r.require((any Animal).self)) }
    }

    private static func farm(in box: Container) {
        box.register(Bell.self) { _ in Bell() }
        box.autoregister(Hen.self, initializer: Hen.init(_:_:))
        box.autoregister(Egg.self, initializer: Egg.init)
        box.autoregister(Chick.self, initializer: Chick.init)
        box.autoregister(Farm.self, initializer: Farm.init)
    }

    // MARK: Not registered

    static let missingCases: [GoldenCase] = [
        GoldenCase("not-registered") {
            let box = Container()
            return try text { _ = try box.require(Clock.self) }
        },
        GoldenCase("not-registered-debug") {
            let box = Container()
            chain(in: box)
            let child = box.createChild()
            child.register(Bell.self) { _ in Bell() }
            return try error { _ = try child.require(Street.self) }.debugDescription
        },
        GoldenCase("name-slip") {
            let box = Container()
            for name in ["production", "staging", "stage", "test"] {
                box.register(String.self, name: name) { _ in name }
            }
            box.register(Clock.self) { r in
                _ = try r.require(String.self, name: "stagin")
                return Clock()
            }
            return try text { _ = try box.require(Clock.self) }
        },
        GoldenCase("name-forgotten") {
            let box = Container()
            box.register((any Animal).self, name: "cat") { _ in Cat() }
            return try text { _ = try box.require((any Animal).self) }
        },
        GoldenCase("name-and-arguments") {
            let box = Container()
            box.register((any Animal).self, name: "cat") { (_, _: String) in Cat() }
            box.register((any Animal).self, name: "tiger") { _ in Cat() }
            return try text { _ = try box.require((any Animal).self, name: "lion", argument: 4) }
        },
        GoldenCase("protocol-for-implementation") {
            let box = Container()
            box.register(Cat.self) { _ in Cat() }
            box.register(Home.self) { r in Home(try r.require((any Animal).self)) }
            return try text { _ = try box.require(Home.self) }
        },
        GoldenCase("implementation-for-protocol") {
            let box = Container()
            box.register((any Animal).self) { _ in Cat() }
            box.register(Home.self) { r in Home(try r.require(Cat.self)) }
            return try text { _ = try box.require(Home.self) }
        },
        GoldenCase("child-only") {
            let box = Container()
            chain(in: box)
            let child = box.createChild()
            child.register((any Animal).self) { _ in Cat() }
            return try text { _ = try box.require(Street.self) }
        },
        GoldenCase("child-only-for-kept") {
            let box = Container()
            box.register(Home.self, scope: .container) { r in Home(try r.require((any Animal).self)) }
            let child = box.createChild()
            child.register((any Animal).self) { _ in Cat() }
            return try text { _ = try child.require(Home.self) }
        },
        GoldenCase("sibling-only") {
            let box = Container()
            let other = box.createChild()
            other.register(Clock.self) { _ in Clock() }
            let child = box.createChild()
            let text = try error { _ = try child.require(Clock.self) }.debugDescription
            withExtendedLifetime(other) {}
            return text
        },
        GoldenCase("wrapper-of-unknown") {
            let box = Container()
            box.autoregister(Hen.self) { (bell: Bell, clock: Deferred<Clock>) in Hen(bell) }
            box.register(Bell.self) { _ in Bell() }
            return try text { _ = try box.require(Hen.self) }
        },
        GoldenCase("optional-registered-instead") {
            let box = Container()
            box.register(Clock?.self) { _ in nil }
            return try text { _ = try box.require(Clock.self) }
        },
        GoldenCase("wrapper-registered-instead") {
            let box = Container()
            box.register(Deferred<Clock>.self) { r in try r.require(Deferred<Clock>.self) }
            return try text { _ = try box.require(Clock.self) }
        },
        GoldenCase("contributed-instead") {
            let box = Container()
            box.contribute((any Animal).self) { _ in Cat() }
            box.contribute((any Animal).self) { _ in Cat() }
            return try text { _ = try box.require((any Animal).self) }
        },
        GoldenCase("similar-type") {
            let box = Container()
            box.register(AnimalImpl.self) { _ in AnimalImpl() }
            box.register(Animals.self) { _ in Animals() }
            return try text { _ = try box.require((any Animal).self) }
        },
        GoldenCase("nested-names") {
            let box = Container()
            box.register(Network.Configuration.self) { _ in .init() }
            box.register(Clock.self) { r in
                _ = try r.require(Storage.Configuration.self)
                return Clock()
            }
            return try text { _ = try box.require(Clock.self) }
        },
        GoldenCase("colliding-names") {
            let box = Container()
            box.register(DITestSupport.Counter.self) { _ in .init() }
            box.register(Clock.self) { r in
                _ = try r.require(Counter.self)
                return Clock()
            }
            return try text { _ = try box.require(Clock.self) }
        },
        GoldenCase("parameter-numbers") {
            let box = Container()
            box.register(Bell.self) { _ in Bell() }
            box.autoregister(Hen.self, initializer: Hen.init(_:_:))
            box.autoregister(Egg.self, initializer: Egg.init)
            box.autoregister(Farm.self, initializer: Farm.init)
            return try text { _ = try box.require(Farm.self) }
        },
        GoldenCase("optional-dependency-is-broken") {
            let box = Container()
            box.autoregister(Farm.self) { (hen: Hen?) in Farm(Bell(), nil, hen!) }
            box.autoregister(Hen.self, initializer: Hen.init(_:_:))
            return try text { _ = try box.require(Farm.self) }
        },
    ]

    // MARK: Other arguments

    static let argumentCases: [GoldenCase] = [
        GoldenCase("string-for-optional-string") {
            let box = Container()
            box.register((any Animal).self, name: "cat") { (_, _: String?) in Cat() }
            return try text { _ = try box.require((any Animal).self, name: "cat", argument: "Mimi") }
        },
        GoldenCase("concrete-argument-for-protocol") {
            let box = Container()
            box.register(Home.self) { (_, animal: any Animal) in Home(animal) }
            box.register(Street.self) { r in Street(try r.require(Home.self, argument: Cat())) }
            return try text { _ = try box.require(Street.self) }
        },
        GoldenCase("arguments-forgotten") {
            let box = Container()
            box.register(Home.self) { (_, animal: any Animal, _: Int) in Home(animal) }
            return try text { _ = try box.require(Home.self) }
        },
        GoldenCase("arguments-not-wanted") {
            let box = Container()
            box.register(Clock.self) { _ in Clock() }
            return try error { _ = try box.require(Clock.self, argument: 12) }.debugDescription
        },
        GoldenCase("colliding-arguments") {
            let box = Container()
            box.register(Clock.self) { (_, _: DITestSupport.Counter) in Clock() }
            return try text { _ = try box.require(Clock.self, argument: Counter()) }
        },
        GoldenCase("string-for-optional-service") {
            let box = Container()
            box.register(String?.self, name: "title") { _ in nil }
            return try text { _ = try box.require(String.self, name: "title") }
        },
    ]

    // MARK: Cycles and depth

    static let cycleCases: [GoldenCase] = [
        GoldenCase("cycle-of-three") {
            let box = Container()
            farm(in: box)
            return try text { _ = try box.require(Egg.self) }
        },
        GoldenCase("cycle-of-three-debug") {
            let box = Container()
            farm(in: box)
            return try error { _ = try box.require(Egg.self) }.debugDescription
        },
        GoldenCase("cycle-from-outside") {
            let box = Container()
            farm(in: box)
            return try text { _ = try box.require(Farm.self) }
        },
        GoldenCase("cycle-of-one") {
            let box = Container()
            box.register(Clock.self) { r in try r.require(Clock.self) }
            return try text { _ = try box.require(Clock.self) }
        },
        GoldenCase("depth-exceeded") {
            let box = Container()
            box.depthLimit = 40
            box.register(Clock.self) { (r, number: Int) in try r.require(Clock.self, argument: number + 1) }
            box.register(Bell.self) { r in
                _ = try r.require(Clock.self, argument: 1)
                return Bell()
            }
            return try text { _ = try box.require(Bell.self) }
        },
        GoldenCase("depth-exceeded-in-turns") {
            let box = Container()
            box.depthLimit = 40
            box.register(Clock.self) { (r, number: Int) in
                _ = try r.require(Bell.self, argument: number)
                return Clock()
            }
            box.register(Bell.self) { (r, number: Int) in
                _ = try r.require(Clock.self, argument: number + 1)
                return Bell()
            }
            return try error { _ = try box.require(Clock.self, argument: 1) }.debugDescription
        },
    ]

    // MARK: What was built

    static let buildingCases: [GoldenCase] = [
        GoldenCase("factory-threw-in-chain") {
            let box = Container()
            chain(in: box)
            box.register((any Animal).self) { _ -> any Animal in throw Broken() }
            return try text { _ = try box.require(Town.self) }
        },
        GoldenCase("factory-threw-debug") {
            let box = Container()
            box.register(Clock.self) { _ -> Clock in throw Broken() }
            return try error { _ = try box.require(Clock.self) }.debugDescription
        },
        GoldenCase("callback-threw") {
            let box = Container()
            box.register((any Animal).self) { _ in Cat() }.initCompleted { _, _ in throw Broken() }
            box.register(Home.self) { r in Home(try r.require((any Animal).self)) }
            return try text { _ = try box.require(Home.self) }
        },
        GoldenCase("second-callback-threw") {
            let box = Container()
            box.register((any Animal).self) { _ in Cat() }
                .initCompleted { _, _ in }
                .initCompleted { _, _ in throw Broken() }
                .initCompleted { _, _ in }
            return try text { _ = try box.require((any Animal).self) }
        },
        GoldenCase("forwarded-type-mismatch") {
            let box = Container()
            box.register(Cat.self) { _ in Cat() }.implements((any Vehicle).self)
            return try text { _ = try box.require((any Vehicle).self) }
        },
        GoldenCase("storage-type-mismatch") {
            final class Filled: InstanceStorage {
                var instance: Any? = "half past ten"
            }
            let scope = ObjectScope(storageFactory: Filled.init, description: "filled")
            let box = Container()
            box.register(Clock.self, scope: scope) { _ in Clock() }
            return try text { _ = try box.require(Clock.self) }
        },
        GoldenCase("container-gone") {
            func makeLater() throws -> Deferred<Clock> {
                let box = Container()
                box.register(Clock.self) { _ in Clock() }
                box.register([Deferred<Clock>].self, scope: .container) { r in [try r.require(Deferred<Clock>.self)] }
                return try box.require([Deferred<Clock>].self)[0]
            }
            let later = try makeLater()
            return try text { _ = try later.provider() }
        },
        GoldenCase("scope-changed") {
            let box = Container()
            let recorder = EventRecorder(.failures)
            box.addObserver(recorder)
            let entry = box.register((any Animal).self, name: "cat") { _ in Cat() }
            _ = box.resolve((any Animal).self, name: "cat")
            entry.inObjectScope(.container)
            return "\(try #require(recorder.failures.first))"
        },
        GoldenCase("invalid-wiring") {
            let box = Container()
            box.autoregister(Hen.self, initializer: Hen.init(_:_:))
            let error = ResolutionError(
                .invalidWiring,
                key: ServiceKey(Container.self),
                detail: "\(box.dependencyGraph().validate())"
            )
            return error.debugDescription
        },
        GoldenCase("own-code") {
            let box = Container()
            box.register(Clock.self) { _ -> Clock in
                throw ResolutionError(.init(rawValue: "closed"), key: ServiceKey(Clock.self), detail: "after hours")
            }
            return try text { _ = try box.require(Clock.self) }
        },
    ]

    @Test("E1, E2: the text of a missing service says what to do", arguments: missingCases)
    func missing(_ golden: GoldenCase) throws {
        Golden.expect(golden.description, try golden.text())
    }

    @Test("E1, K5: the text of other runtime arguments says which are wanted", arguments: argumentCases)
    func arguments(_ golden: GoldenCase) throws {
        Golden.expect(golden.description, try golden.text())
    }

    @Test("E1, G4: the text of a cycle shows the way round, and nothing else as part of it", arguments: cycleCases)
    func cycles(_ golden: GoldenCase) throws {
        Golden.expect(golden.description, try golden.text())
    }

    @Test("E1, E3: the text of what went wrong while building says what and where", arguments: buildingCases)
    func building(_ golden: GoldenCase) throws {
        Golden.expect(golden.description, try golden.text())
    }
}
