import DICore
import DIScopes
import DITestSupport
import Testing

/// G5: deep graphs that are no cycles, and recursion that carries runtime arguments.
@Suite("Deep graphs")
struct GraphDepthTests {
    private final class Node {
        let number: Int
        let next: Node?

        init(_ number: Int, _ next: Node?) {
            self.number = number
            self.next = next
        }

        // Not one release inside the other, which would need as much stack as the chain is long.
        deinit {
            var next = next
            while let node = next, isKnownUniquelyReferenced(&next) {
                next = node.next
            }
        }
    }

    /// The lengths of the chain as read from the objects, or -1 where it could not be built.
    private static func lengths(
        ofChainOf count: Int,
        in scope: ObjectScope,
        byRequire: Bool,
        stack: Int
    ) -> [Int] {
        Threads.result(stack: stack) {
            let box = Container()
            for number in 0..<count {
                box.register(Node.self, name: "node-\(number)", scope: scope) { r in
                    if number == count - 1 { return Node(number, nil) }
                    let next = "node-\(number + 1)"
                    return Node(
                        number,
                        byRequire ? try r.require(Node.self, name: next) : r.resolve(Node.self, name: next)
                    )
                }
            }
            return (0..<2).map { _ in
                guard let first = box.resolve(Node.self, name: "node-0") else { return -1 }
                var length = 0
                var next: Node? = first
                while let node = next, node.number == length {
                    length += 1
                    next = node.next
                }
                return length
            }
        }
    }

    struct Chain: Sendable, CustomTestStringConvertible {
        let count: Int
        let scope: ObjectScope
        let byRequire: Bool

        var testDescription: String { "\(count) nodes, \(scope), by \(byRequire ? "require" : "resolve")" }

        static let all: [Chain] = [201, 250, 2_000].flatMap { count in
            [ObjectScope.transient, .graph, .container, .weak].flatMap { scope in
                [true, false].map { Chain(count: count, scope: scope, byRequire: $0) }
            }
        }
    }

    @Test("G5: a chain that is deep but acyclic resolves, on a stack of 16 MB", arguments: Chain.all)
    func deepChain(test: Chain) {
        let lengths = Self.lengths(ofChainOf: test.count, in: test.scope, byRequire: test.byRequire, stack: 16 << 20)
        #expect(lengths == [test.count, test.count])
    }

    #if DEBUG
    static let smallStackCount = 100
    #else
    static let smallStackCount = 250
    #endif

    @Test(
        "G5: a chain of 250 nodes (100 in debug) resolves on a stack of 512 KB",
        arguments: [ObjectScope.transient, .graph, .container, .weak]
    )
    func smallStack(scope: ObjectScope) {
        let count = Self.smallStackCount
        for byRequire in [true, false] {
            // The runtime makes the metadata of types at their first use, which takes 20 KB of the stack.
            _ = Self.lengths(ofChainOf: 1, in: scope, byRequire: byRequire, stack: 512 << 10)
            let lengths = Self.lengths(ofChainOf: count, in: scope, byRequire: byRequire, stack: 512 << 10)
            #expect(lengths == [count, count])
        }
    }

    @Test(
        "G4, G5: a cycle of 250 nodes (100 in debug) is found on a stack of 512 KB",
        arguments: [ObjectScope.transient, .graph, .container, .weak]
    )
    func smallStackCycle(scope: ObjectScope) {
        let count = Self.smallStackCount
        let path = Threads.result(stack: 512 << 10) { () -> [String?] in
            let box = Container()
            for number in 0..<count {
                box.register(Node.self, name: "node-\(number)", scope: scope) { r in
                    Node(number, try r.require(Node.self, name: "node-\((number + 1) % count)"))
                }
            }
            do throws(ResolutionError) {
                _ = try box.require(Node.self, name: "node-0")
                return []
            } catch {
                return error.code == .circular ? error.path.map(\.key.name) : []
            }
        }
        #expect(path == (0..<count).map { "node-\($0)" } + ["node-0"])
    }

    @Test("G5: a chain of callbacks, each resolving the next, is as deep", arguments: [ObjectScope.graph, .container])
    func callbackChain(scope: ObjectScope) {
        let completed = Counter()
        let isResolved = Threads.result(stack: 16 << 20) {
            let box = Container()
            for number in 0..<500 {
                box.register(Node.self, name: "node-\(number)", scope: scope) { _ in Node(number, nil) }
                    .initCompleted { r, _ in
                        if number < 499 { _ = try r.require(Node.self, name: "node-\(number + 1)") }
                        completed.add()
                    }
            }
            return box.resolve(Node.self, name: "node-0") != nil
        }
        #expect(isResolved)
        #expect(completed.value == 500)
    }

    @Test("G5: the depth limit does not apply to a chain of different registrations")
    func limitDoesNotApplyToChains() {
        let box = Container()
        box.depthLimit = 1
        for number in 0..<20 {
            box.register(Node.self, name: "node-\(number)") { r in
                Node(number, number == 19 ? nil : try r.require(Node.self, name: "node-\(number + 1)"))
            }
        }
        #expect(box.resolve(Node.self, name: "node-0") != nil)
    }

    // MARK: Recursion with runtime arguments

    /// A node that asks for the next lower number until there is none, or for ever.
    private static func registerRecursion(in box: Container, _ scope: ObjectScope, endless: Bool, _ built: Counter) {
        box.register(Node.self, scope: scope) { (r: any Resolver, number: Int) in
            built.add()
            if number == 0, !endless { return Node(0, nil) }
            return Node(number, try r.require(Node.self, argument: number - 1))
        }
    }

    private static func failure(_ box: Container, _ number: Int) -> ResolutionError? {
        do throws(ResolutionError) {
            _ = try box.require(Node.self, argument: number)
            return nil
        } catch {
            return error
        }
    }

    @Test("G5: endless recursion with runtime arguments fails and says depth, never circular")
    func endlessRecursion() throws {
        let box = Container()
        box.depthLimit = 20
        let built = Counter()
        Self.registerRecursion(in: box, .transient, endless: true, built)
        let error = try #require(Self.failure(box, 0))
        #expect(error.code == .depthExceeded)
        #expect(error.description.contains("depth"))
        #expect(error.description.contains("20"))
        #expect(!error.description.lowercased().contains("circular"))
        #expect(!error.description.lowercased().contains("cycle"))
        #expect(error.path.count == 21)
        #expect(built.value == 20)
    }

    @Test("G5: the default depth limit stops endless recursion on a stack of 8 MB")
    func defaultLimit() {
        let codes = Threads.result(stack: 8 << 20) { () -> [ResolutionError.Code?] in
            let box = Container()
            Self.registerRecursion(in: box, .transient, endless: true, Counter())
            return [Self.failure(box, 0)?.code, Self.failure(box, 0)?.code]
        }
        #expect(codes == [.depthExceeded, .depthExceeded])
    }

    /// Ways to recurse without an end, from small frames to large ones.
    enum Recursion: String, CaseIterable {
        case plain, kept, container, forwarded, observed, decorated, optional, mutual, callback, large

        func begin() -> ResolutionError? {
            switch self {
            case .container:
                let box = Container()
                box.register(Int.self, scope: .container) { (r, number: Int) in
                    try r.require(Int.self, argument: number + 1)
                }
                return error(box)
            case .forwarded:
                let box = Container()
                box.register(Text.self, scope: .container) { (r, number: Int) in
                    Text(try r.require((any CustomStringConvertible).self, argument: number + 1).description)
                }
                .implements((any CustomStringConvertible).self)
                return error(box, Text.self)
            case .mutual:
                let box = plain(.transient)
                box.register(String.self) { (r, number: Int) in "\(try r.require(Bool.self, argument: number))" }
                box.register(Bool.self) { (r, number: Int) in try r.require(Int.self, argument: number) == 0 }
                box.register(Int.self) { (r, number: Int) in try r.require(String.self, argument: number + 1).count }
                return error(box)
            case .callback:
                let box = Container()
                box.register(Int.self, scope: .transient) { (_, number: Int) in number }
                    .initCompleted { r, number in _ = try r.require(Int.self, argument: number + 1) }
                return error(box)
            case .optional:
                let box = Container()
                box.register(Int.self) { (r, number: Int) in try r.require(Int?.self, argument: number + 1) ?? 0 }
                return error(box)
            case .large:
                let box = Container()
                box.register(Int.self) { (r, number: Int) in
                    try withUnsafeTemporaryAllocation(byteCount: 1_000, alignment: 8) { bytes in
                        bytes[0] = UInt8(truncatingIfNeeded: number)
                        return try r.require(Int.self, argument: number + Int(bytes[0]))
                    }
                }
                return error(box)
            case .plain, .kept:
                return error(plain(self == .plain ? .transient : .perContainer))
            case .observed:
                let box = plain(.transient)
                box.addObserver(EventRecorder())
                return error(box)
            case .decorated:
                final class Decorated: Resolver {
                    let base = Container()
                    func locate(_ key: ServiceKey) -> LocatedEntry { base.locate(key) }
                }
                let resolver = Decorated()
                resolver.base.register(Int.self) { (r, number: Int) in try r.require(Int.self, argument: number + 1) }
                return error(resolver)
            }
        }

        private struct Text: CustomStringConvertible {
            let description: String
            init(_ description: String) { self.description = description }
        }

        private func plain(_ scope: ObjectScope) -> Container {
            let box = Container()
            box.register(Int.self, scope: scope) { (r, number: Int) in try r.require(Int.self, argument: number + 1) }
            return box
        }

        private func error<Service>(_ box: any Resolver, _ type: Service.Type = Int.self) -> ResolutionError? {
            do throws(ResolutionError) {
                _ = try box.require(type, argument: 0)
                return nil
            } catch {
                // The text is long, and written on the same stack.
                return error.description.isEmpty ? nil : error
            }
        }
    }

    @Test(
        "G5: endless recursion fails and says depth on the smallest stack that a thread is given",
        arguments: Recursion.allCases
    )
    func smallStack(_ recursion: Recursion) {
        let codes = Threads.result(stack: 512 << 10) { [recursion.begin()?.code, recursion.begin()?.code] }
        #expect(codes == [.depthExceeded, .depthExceeded])
    }

    @Test("G5: where the stack ends before the depth limit, the error says so")
    func stackBeforeLimit() throws {
        let text = Threads.result(stack: 192 << 10) { Recursion.forwarded.begin()?.detail }
        #expect(try #require(text).hasSuffix(" times, and there is no room for more on the stack of the thread"))
    }

    @Test("G5: recursion works up to the depth limit and fails beyond it", arguments: [1, 2, 7, 50])
    func exactLimit(limit: Int) throws {
        let box = Container()
        box.depthLimit = limit
        Self.registerRecursion(in: box, .transient, endless: false, Counter())
        let deepest = try box.require(Node.self, argument: limit - 1)
        #expect(deepest.number == limit - 1)
        #expect(Self.failure(box, limit)?.code == .depthExceeded)
        #expect(Self.failure(box, limit - 1) == nil)
    }

    @Test(
        "G5: recursion that ends is built in full, whatever graph scope shares",
        arguments: [ObjectScope.transient, .graph]
    )
    func recursionThatEnds(scope: ObjectScope) throws {
        let box = Container()
        Self.registerRecursion(in: box, scope, endless: false, Counter())
        var next: Node? = try box.require(Node.self, argument: 30)
        var numbers: [Int] = []
        while let node = next {
            numbers.append(node.number)
            next = node.next
        }
        #expect(numbers == Array((0...30).reversed()))
    }

    @Test("G5: recursion with several arguments has the same limit")
    func severalArguments() {
        let box = Container()
        box.depthLimit = 5
        box.register(Int.self) { (r: any Resolver, left: Int, right: Int) in
            try r.require(Int.self, arguments: right, left)
        }
        do throws(ResolutionError) {
            _ = try box.require(Int.self, arguments: 1, 2)
            Issue.record("the recursion has no end")
        } catch {
            #expect(error.code == .depthExceeded)
        }
    }

    @Test("G5: mutual recursion with arguments is limited by activations of one registration")
    func mutualRecursion() throws {
        let box = Container()
        box.depthLimit = 4
        box.register(Int.self) { (r: any Resolver, number: Int) in
            number == 0 ? 0 : try r.require(String.self, argument: number - 1).count
        }
        box.register(String.self) { (r: any Resolver, number: Int) in
            number == 0 ? "" : "\(try r.require(Int.self, argument: number - 1))"
        }
        // Eight frames, four of each registration.
        #expect(box.resolve(Int.self, argument: 7) != nil)
        #expect(box.resolve(Int.self, argument: 8) == nil)
    }

    @Test("G5: a depth failure is sticky: no half-built recursion comes out although the nil was accepted")
    func stickyDepth() throws {
        let box = Container()
        box.depthLimit = 5
        let tracker = LifetimeTracker()
        box.register(Tracked.self) { (r: any Resolver, number: Int) in
            _ = r.resolve(Tracked.self, argument: number + 1)
            return Tracked(tracker)
        }
        #expect(box.resolve(Tracked.self, argument: 0) == nil)
        #expect(tracker.alive == 0)
    }

    @Test("G5: the depth limit is shared by a container tree")
    func sharedByTree() {
        let root = Container()
        let child = root.createChild()
        child.depthLimit = 3
        #expect(root.depthLimit == 3)
        Self.registerRecursion(in: root, .transient, endless: true, Counter())
        #expect(Self.failure(child, 0)?.path.count == 4)
    }

    @Test("G5: a cycle without arguments below a recursion with arguments is still called a cycle")
    func cycleBelowRecursion() throws {
        let box = Container()
        box.register(String.self) { (r: any Resolver, number: Int) in
            number == 0 ? "\(try r.require(Double.self))" : try r.require(String.self, argument: number - 1)
        }
        box.register(Double.self) { r in Double(try r.require(Float.self)) }
        box.register(Float.self) { r in Float(try r.require(Double.self)) }
        do throws(ResolutionError) {
            _ = try box.require(String.self, argument: 3)
            Issue.record("the cycle has no end")
        } catch {
            #expect(error.code == .circular)
            #expect(error.path.suffix(3).map(\.key.description) == ["Double", "Float", "Double"])
        }
    }
}
