import DICore
import DIScopes
import DIThreadSafe
import DIWrappers
import Testing

private protocol Animal: Sendable {}
private class Mammal: Animal, @unchecked Sendable {}
private final class Cat: Mammal, @unchecked Sendable {}

/// What was registered for which static types of arguments.
private final class Home: Sendable {
    let wanted: String
    init(_ wanted: String) { self.wanted = wanted }
}

private let animal: any Animal = Cat()
private let maybe: (any Animal)? = Cat()
private let mammal: Mammal = Cat()

/// Has a registration for each type that an argument could be taken for, and keeps what it builds.
private let box: ThreadSafeContainer = {
    let box = ThreadSafeContainer(defaultObjectScope: .container)
    box.register(Home.self) { (_, _: any Animal) in Home("any") }
    box.register(Home.self) { (_, _: (any Animal)?) in Home("maybe") }
    box.register(Home.self) { (_, _: Mammal) in Home("mammal") }
    box.register(Home.self) { (_, _: Cat) in Home("cat") }
    box.register(Home.self) { (_, _: any Animal, _: Mammal) in Home("any, mammal") }
    box.register(Home.self) { (_, _: Cat, _: Mammal) in Home("cat, mammal") }
    box.register(Home.self) { (_, _: Mammal, _: any Animal) in Home("mammal, any") }
    box.register(Home.self) { (_, _: Mammal, _: Cat) in Home("mammal, cat") }
    box.register(Home.self) { (_, _: any Animal, _: Int, _: (any Animal)?) in Home("any, Int, maybe") }
    box.register(Home.self) { (_, _: Cat, _: Int, _: (any Animal)?) in Home("cat, Int, maybe") }
    box.register(Home.self) { (_, _: Int, _: Mammal, _: Int, _: any Animal) in Home("Int, mammal, Int, any") }
    box.register(Home.self) { (_, _: Int, _: Mammal, _: Int, _: Cat) in Home("Int, mammal, Int, cat") }
    return box
}()

private final class Eager {
    @Injected(argument: animal) var a: Home
    @Injected(argument: maybe) var b: Home
    @Injected(argument: mammal) var c: Home
    @Injected(argument: mammal as! Cat, as: Mammal.self) var d: Home
    @Injected(arguments: animal, mammal) var e: Home
    @Injected(arguments: mammal, animal) var f: Home
    @Injected(arguments: animal, 1, maybe) var g: Home
    @Injected(arguments: 1, mammal, 2, animal) var h: Home

    var wanted: [String] { [a, b, c, d, e, f, g, h].map(\.wanted) }
}

private final class Late {
    @LazyInjected(argument: animal) var a: Home
    @LazyInjected(argument: maybe) var b: Home
    @LazyInjected(argument: mammal) var c: Home
    @LazyInjected(argument: mammal as! Cat, as: Mammal.self) var d: Home
    @LazyInjected(arguments: animal, mammal) var e: Home
    @LazyInjected(arguments: mammal, animal) var f: Home
    @LazyInjected(arguments: animal, 1, maybe) var g: Home
    @LazyInjected(arguments: 1, mammal, 2, animal) var h: Home

    var wanted: [String] { [a, b, c, d, e, f, g, h].map(\.wanted) }
}

private final class Anew {
    @ProvidedInjected(argument: animal) var a: Home
    @ProvidedInjected(argument: maybe) var b: Home
    @ProvidedInjected(argument: mammal) var c: Home
    @ProvidedInjected(argument: mammal as! Cat, as: Mammal.self) var d: Home
    @ProvidedInjected(arguments: animal, mammal) var e: Home
    @ProvidedInjected(arguments: mammal, animal) var f: Home
    @ProvidedInjected(arguments: animal, 1, maybe) var g: Home
    @ProvidedInjected(arguments: 1, mammal, 2, animal) var h: Home

    var wanted: [String] { [a, b, c, d, e, f, g, h].map(\.wanted) }
}

private final class Unheld {
    @WeakInjected(argument: animal) var a: Home?
    @WeakInjected(argument: maybe) var b: Home?
    @WeakInjected(argument: mammal) var c: Home?
    @WeakInjected(argument: mammal as! Cat, as: Mammal.self) var d: Home?
    @WeakInjected(arguments: animal, mammal) var e: Home?
    @WeakInjected(arguments: mammal, animal) var f: Home?
    @WeakInjected(arguments: animal, 1, maybe) var g: Home?
    @WeakInjected(arguments: 1, mammal, 2, animal) var h: Home?

    var wanted: [String] { [a, b, c, d, e, f, g, h].map { $0?.wanted ?? "-" } }
}

private let right = [
    "any", "maybe", "mammal", "mammal", "any, mammal", "mammal, any", "any, Int, maybe", "Int, mammal, Int, any",
]

@Suite("Runtime arguments of wrappers")
struct InjectedArgumentsTests {
    @Test("K7: @Injected asks with the static types of its arguments")
    func eager() {
        CurrentResolver.withValue(box) { #expect(Eager().wanted == right) }
    }

    @Test("K7: @LazyInjected asks with the static types of its arguments")
    func late() {
        CurrentResolver.withValue(box) { #expect(Late().wanted == right) }
    }

    @Test("K7: @ProvidedInjected asks with the static types of its arguments")
    func anew() {
        CurrentResolver.withValue(box) { #expect(Anew().wanted == right) }
    }

    @Test("K7: @WeakInjected asks with the static types of its arguments")
    func unheld() {
        CurrentResolver.withValue(box) { #expect(Unheld().wanted == right) }
    }

    @Test("K7: Lazy, Provider and Optional carry the static types of the arguments that they were asked for with")
    func wrappers() throws {
        #expect(try box.require(Lazy<Home>.self, argument: animal).instance.wanted == "any")
        #expect(try box.require(Lazy<Home>.self, argument: maybe).instance.wanted == "maybe")
        #expect(try box.require(Lazy<Home>.self, argument: mammal).instance.wanted == "mammal")
        #expect(try box.require(Lazy<Home>.self, arguments: animal, mammal).instance.wanted == "any, mammal")
        #expect(try box.require(Provider<Home>.self, argument: animal).instance.wanted == "any")
        #expect(try box.require(Provider<Home>.self, arguments: mammal, animal).instance.wanted == "mammal, any")
        #expect(
            try box.require(Provider<Lazy<Home>>.self, arguments: 1, mammal, 2, animal).instance.instance.wanted
                == "Int, mammal, Int, any"
        )
        #expect(try box.require(Home?.self, argument: animal)?.wanted == "any")
        #expect(box.resolve(Home?.self, arguments: animal, 1, maybe)??.wanted == "any, Int, maybe")
    }
}
