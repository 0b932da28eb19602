import DICore
import DITestSupport
import DIWrappers

/// An instance in a ``WiringRun``.
final class WiringPart: ServiceA, ServiceB, ServiceC, ServiceD, ServiceE {
    let build: WiringRun.Build

    init(_ build: WiringRun.Build) { self.build = build }
}

protocol ServiceA: AnyObject {}
protocol ServiceB: AnyObject {}
protocol ServiceC: AnyObject {}
protocol ServiceD: AnyObject {}
protocol ServiceE: AnyObject {}

/// The services that random wirings are made of, and the shapes in which they are asked for.
struct WiringServices {
    let all: [any WiringService] = [
        Service<any ServiceA> { $0 }, Service<any ServiceB> { $0 }, Service<any ServiceC> { $0 },
        Service<any ServiceD> { $0 }, Service<any ServiceE> { $0 },
    ]

    static let shapeNames = [
        "S", "S?", "[S]", "Lazy<S>", "Provider<S>", "Lazy<S>?", "Lazy<S?>", "[Lazy<S>]", "[Provider<S>]", "[S?]",
        "Provider<[S]>", "Lazy<[Provider<S>]>", "[Lazy<S>]?", "[Lazy<Provider<S>>]", "Provider<Lazy<S>>", "[[S]]",
        "Provider<[Lazy<S>?]>",
    ]

    /// A shape by chance: most often a plain one, or a collection where the service is contributed.
    static func shape(ofCollection isCollection: Bool, using random: inout SeededRandom) -> Int {
        let usual = isCollection ? [2, 7, 8] : [0, 0, 0, 0, 0, 1, 3, 4]
        return Int.random(in: 0..<3, using: &random) > 0
            ? usual.randomElement(using: &random)! : Int.random(in: shapeNames.indices, using: &random)
    }

    struct Service<S>: WiringService {
        let make: (WiringPart) -> S
        let shapes: [any WiringShape]

        init(_ make: @escaping (WiringPart) -> S) {
            self.make = make
            let plain = Shape<S> { service in Asked(parts: [service as! WiringPart]) }
            shapes = [
                plain, plain.optional, plain.array, plain.lazy, plain.provider, plain.lazy.optional,
                plain.optional.lazy, plain.lazy.array, plain.provider.array, plain.optional.array,
                plain.array.provider, plain.provider.array.lazy, plain.lazy.array.optional, plain.provider.lazy.array,
                plain.lazy.provider, plain.array.array, plain.lazy.optional.array.provider,
            ]
        }
    }

    /// The answer to a request: instances, and wrappers to be opened.
    struct Asked {
        var parts: [WiringPart] = []
        var later: [() throws -> Asked] = []

        static func + (left: Asked, right: Asked) -> Asked {
            Asked(parts: left.parts + right.parts, later: left.later + right.later)
        }
    }

    /// A type that is made of a service by wrapping it.
    struct Shape<Value>: WiringShape {
        let look: (Value) -> Asked

        init(_ look: @escaping (Value) -> Asked) { self.look = look }

        var optional: Shape<Value?> { .init { value in value.map(look) ?? Asked() } }
        var array: Shape<[Value]> { .init { values in values.map(look).reduce(Asked(), +) } }
        var lazy: Shape<Lazy<Value>> { .init { value in Asked(later: [{ look(try value.get()) }]) } }
        var provider: Shape<Provider<Value>> { .init { value in Asked(later: [{ look(try value.get()) }]) } }
    }
}

protocol WiringShape {
    associatedtype Value
    var look: (Value) -> WiringServices.Asked { get }
}

extension WiringShape {
    var type: Any.Type { Value.self }

    func ask(_ resolver: any Resolver, _ name: String?) throws -> WiringServices.Asked {
        look(try resolver.require(Value.self, name: name))
    }
}

protocol WiringService {
    associatedtype S
    var make: (WiringPart) -> S { get }
    var shapes: [any WiringShape] { get }
}

extension WiringService {
    func key(_ registration: RandomWiring.Registration) -> ServiceKey {
        registration.takesArgument
            ? ServiceKey(S.self, arguments: Int.self, name: registration.name)
            : ServiceKey(S.self, name: registration.name)
    }

    func key(_ dependency: RandomWiring.Dependency) -> ServiceKey {
        dependency.passesArgument
            ? ServiceKey(S.self, arguments: Int.self, name: dependency.name)
            : ServiceKey(serviceType: shapes[dependency.shape].type, name: dependency.name)
    }

    func ask(_ dependency: RandomWiring.Dependency, _ resolver: any Resolver) throws -> WiringServices.Asked {
        if dependency.passesArgument {
            let service = try resolver.require(S.self, name: dependency.name, argument: 1)
            return WiringServices.Asked(parts: [service as! WiringPart])
        }
        return try shapes[dependency.shape].ask(resolver, dependency.name)
    }

    /// Asks for a registration that is visible from a container. A contribution that fails comes to nothing.
    func ask(_ registration: RandomWiring.Registration, _ key: ServiceKey, _ container: Container) throws
        -> WiringServices.Asked
    {
        if registration.isContribution {
            let parts = container.resolveAll(S.self) { $0 == key }
            return WiringServices.Asked(parts: parts.map { $0 as! WiringPart })
        }
        let plain = RandomWiring.Dependency(
            service: registration.service,
            name: registration.name,
            shape: 0,
            passesArgument: registration.takesArgument
        )
        return try ask(plain, container)
    }

    /// Asks for a contribution, and says whether that gave one.
    func askContribution(_ key: ServiceKey, _ resolver: any Resolver) -> Bool {
        !resolver.resolveAll(S.self) { $0 == key }.isEmpty
    }

    /// Registers a service with a factory.
    func register(
        _ registration: RandomWiring.Registration,
        in container: Container,
        factory: @escaping (any Resolver) throws -> WiringPart
    ) -> any WiringEntry {
        let make = make
        let scope = RandomWiring.scopes[registration.scope]
        let line = UInt(registration.number)
        let entry: ServiceEntry<S> =
            if registration.takesArgument {
                container.register(S.self, name: registration.name, scope: scope, fileID: "App/W.swift", line: line) {
                    (r: any Resolver, _: Int) in make(try factory(r))
                }
            } else if registration.isContribution {
                container.contribute(S.self, name: registration.name, scope: scope, fileID: "App/W.swift", line: line) {
                    make(try factory($0))
                }
            } else {
                container.register(S.self, name: registration.name, scope: scope, fileID: "App/W.swift", line: line) {
                    make(try factory($0))
                }
            }
        return Entry(entry: entry.dependsOnNothing())
    }

    /// Registers a service by an initializer that is never called.
    func registerInitializer(
        _ registration: RandomWiring.Registration,
        _ services: WiringServices,
        in container: Container
    )
        -> any WiringEntry
    {
        let shapes = registration.dependencies.map { services.all[$0.service].shapes[$0.shape] }
        func register<each V>(_ shapes: repeat WiringServices.Shape<each V>) -> any WiringEntry {
            let scope = RandomWiring.scopes[registration.scope]
            let line = UInt(registration.number)
            let initializer: (repeat each V) throws -> S = { (_: repeat each V) in fatalError("it is not to be built") }
            return Entry<S>(
                entry: registration.isContribution
                    ? container.contribute(
                        S.self,
                        name: registration.name,
                        scope: scope,
                        fileID: "App/W.swift",
                        line: line,
                        initializer: initializer
                    )
                    : container.autoregister(
                        S.self,
                        name: registration.name,
                        scope: scope,
                        fileID: "App/W.swift",
                        line: line,
                        initializer: initializer
                    )
            )
        }
        func one<A: WiringShape>(_ a: A) -> any WiringEntry {
            register(a as! WiringServices.Shape<A.Value>)
        }
        func two<A: WiringShape, B: WiringShape>(_ a: A, _ b: B) -> any WiringEntry {
            register(a as! WiringServices.Shape<A.Value>, b as! WiringServices.Shape<B.Value>)
        }
        func three<A: WiringShape, B: WiringShape, C: WiringShape>(_ a: A, _ b: B, _ c: C) -> any WiringEntry {
            register(
                a as! WiringServices.Shape<A.Value>,
                b as! WiringServices.Shape<B.Value>,
                c as! WiringServices.Shape<C.Value>
            )
        }
        return switch shapes.count {
        case 0: register()
        case 1: one(shapes[0])
        case 2: two(shapes[0], shapes[1])
        default: three(shapes[0], shapes[1], shapes[2])
        }
    }

    /// Registers the service as another name for an entry.
    func forward(_ registration: RandomWiring.Registration, to entry: any WiringEntry, in container: Container)
        -> any WiringEntry
    {
        let make = make
        func forward<E: WiringEntry>(_ base: E) -> any WiringEntry {
            let entry = container.forward(
                S.self,
                name: registration.name,
                to: base.entry,
                fileID: "App/W.swift",
                line: UInt(registration.number)
            ) { make($0 as! WiringPart) }
            return Entry(entry: entry)
        }
        return forward(entry)
    }
}

protocol WiringEntry {
    associatedtype S
    var entry: ServiceEntry<S> { get }
}

private struct Entry<S>: WiringEntry {
    let entry: ServiceEntry<S>
}
