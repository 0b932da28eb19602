import DICore
import DIScopes
import DITestSupport
import Testing

/// S2: services that are no objects.
@Suite("Value types in scopes")
struct ValueTypeTests {
    enum Direction: Sendable { case north, south }

    struct Small: Equatable { let number: Int }

    struct Large: Equatable {
        let numbers: [Int]
        let text: String
        let more: (Int, Int, Int, Int, Int)

        static func == (left: Large, right: Large) -> Bool {
            left.numbers == right.numbers && left.text == right.text && left.more == right.more
        }
    }

    struct Empty: Equatable {}

    private protocol Shape {}
    private struct Square: Shape {}

    /// A struct whose only part is an object: boxed, it looks like one.
    private struct Holder { let object: Tracked }

    /// How often a factory ran that was asked twice directly and twice within one graph.
    private static func runs<Service>(
        of type: Service.Type,
        in scope: ObjectScope,
        _ make: @escaping () -> Service
    ) throws -> (direct: Int, inGraph: Int) {
        let box = Container()
        let runs = Counter()
        box.register(type, scope: scope) { _ in
            runs.add()
            return make()
        }
        box.register([Service].self, name: "both", scope: .transient) { r in
            [try r.require(type), try r.require(type)]
        }
        _ = try (box.require(type), box.require(type))
        let direct = runs.value
        _ = try box.require([Service].self, name: "both")
        return (direct, runs.value - direct)
    }

    /// Runs a check for services of many kinds that are no objects.
    private static func forEachKind(
        _ scope: ObjectScope,
        _ check: (_ direct: Int, _ inGraph: Int, _ kind: String) -> Void
    ) throws {
        func run<Service>(_ type: Service.Type, _ make: @escaping () -> Service) throws {
            let (direct, inGraph) = try runs(of: type, in: scope, make)
            check(direct, inGraph, "\(type)")
        }
        try run(Int.self) { 7 }
        try run(Int.self) { .max }
        try run(Bool.self) { true }
        try run(Double.self) { 0.5 }
        try run(String.self) { "short" }
        try run(String.self) { "a text that does not fit into the words of a string" }
        try run([Int].self) { [1, 2, 3] }
        try run([String: Int].self) { ["a": 1] }
        try run(Direction.self) { .south }
        try run(Small.self) { Small(number: 1) }
        try run(Large.self) { Large(numbers: [1], text: "text", more: (1, 2, 3, 4, 5)) }
        try run(Empty.self) { Empty() }
        try run(Void.self) { () }
        try run((Int, String).self) { (1, "a") }
        try run((any Shape).self) { Square() }
        try run(Any.self) { 7 }
        try run(Holder.self) { Holder(object: Tracked(LifetimeTracker())) }
        try run((@Sendable () -> Int).self) { { 1 } }
        try run(Any.Type.self) { Int.self }
        try run(SIMD8<Double>.self) { SIMD8(repeating: 1) }
        try run(Int?.self) { 7 }
    }

    @Test("S2: a value type in the container scope is kept: the factory runs once")
    func container() throws {
        try Self.forEachKind(.container) { direct, inGraph, kind in
            #expect(direct == 1, "\(kind)")
            #expect(inGraph == 0, "\(kind)")
        }
    }

    @Test("S2: a value type in the graph scope is shared within the running graph")
    func graph() throws {
        try Self.forEachKind(.graph) { direct, inGraph, kind in
            #expect(direct == 2, "\(kind)")
            #expect(inGraph == 1, "\(kind)")
        }
    }

    @Test("S2: a value type in the weak scope is built every time, whatever it boxes to")
    func weak() throws {
        try Self.forEachKind(.weak) { direct, inGraph, kind in
            #expect(direct == 2, "\(kind)")
            #expect(inGraph == 2, "\(kind)")
        }
    }

    @Test("S2: a value type in the transient scope is built every time")
    func transient() throws {
        try Self.forEachKind(.transient) { direct, inGraph, kind in
            #expect(direct == 2, "\(kind)")
            #expect(inGraph == 2, "\(kind)")
        }
    }

    @Test("S2: a value type in the per-container scope is kept by the container that asks")
    func perContainer() throws {
        try Self.forEachKind(.perContainer) { direct, inGraph, kind in
            #expect(direct == 1, "\(kind)")
            #expect(inGraph == 0, "\(kind)")
        }
    }

    @Test(
        "S2: the value that comes out is the one that went in",
        arguments: [ObjectScope.transient, .graph, .container, .weak, .perContainer]
    )
    func values(scope: ObjectScope) throws {
        let box = Container()
        let large = Large(numbers: [1, 2], text: "text", more: (1, 2, 3, 4, 5))
        box.register(Large.self, scope: scope) { _ in large }
        box.register(SIMD8<Double>.self, scope: scope) { _ in SIMD8(0, 1, 2, 3, 4, 5, 6, 7) }
        box.register(UInt8.self, scope: scope) { _ in 255 }
        box.register(Empty.self, scope: scope) { _ in Empty() }
        box.register(Int.self) { r in
            for _ in 0..<3 {
                let simd = try r.require(SIMD8<Double>.self)
                let byte = try r.require(UInt8.self)
                let empty = try r.require(Empty.self)
                let again = try r.require(Large.self)
                #expect(simd == SIMD8(0, 1, 2, 3, 4, 5, 6, 7))
                #expect(byte == 255)
                #expect(empty == Empty())
                #expect(again == large)
            }
            return 1
        }
        #expect(try box.require(Int.self) == 1)
        #expect(try box.require(Int.self) == 1)
    }

    @Test("S2: what a kept value holds is released when its scope is reset")
    func contents() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Holder.self, scope: .container) { _ in Holder(object: Tracked(tracker)) }
        _ = try box.require(Holder.self)
        #expect(tracker.alive == 1)
        box.resetObjectScope(ObjectScope.container)
        #expect(tracker.alive == 0)
    }
}
