import DICore
import DIScopes
import DITestSupport
import Testing

/// S6 and S8: what is done many times leaves the process as large as it was.
///
/// Run alone, see `Memory.isMeasured`.
@Suite(
    "Memory",
    .serialized,
    .enabled(if: Memory.isMeasured, "DI_MEMORY_TESTS=1 swift test --no-parallel --filter Memory")
)
struct MemoryTests {
    private final class Leaf: Tracked {}

    private final class Top: Tracked {
        let leaf: Leaf
        weak var closing: Closing?

        init(_ tracker: LifetimeTracker, _ leaf: Leaf) {
            self.leaf = leaf
            super.init(tracker)
        }
    }

    private final class Closing {
        let top: Top

        init(_ top: Top) {
            self.top = top
        }
    }

    private struct Refused: Error {}

    /// A leak of the smallest block that an allocator has would be twice this.
    static let limit = 16.0

    private static func expectFlat(
        _ title: String,
        over repetitions: Int = Memory.manyTimes,
        sourceLocation: Testing.SourceLocation = #_sourceLocation,
        _ body: (Int) throws -> Void
    ) throws {
        let measured = try Memory.growth(over: repetitions, flatBelow: limit, of: body)
        let growth = try #require(measured)
        print("\(title): \(growth)")
        #expect(growth.bytesPerRepetition < limit, sourceLocation: sourceLocation)
    }

    // The second time there is as much free memory as is lost. Few, so that other measures are not disturbed for long.
    @Test("S6: the measure shows a loss of 100 bytes each time, also where much memory is free", arguments: 1...2)
    func measure(attempt: Int) throws {
        var lost: [UnsafeMutableRawPointer] = []
        lost.reserveCapacity(200_000)
        defer { for block in lost { block.deallocate() } }
        let measured = Memory.growth(over: 50_000) { _ in
            let block = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 8)
            block.initializeMemory(as: UInt8.self, repeating: 1, count: 100)
            lost.append(block)
        }
        let growth = try #require(measured)
        print("100 bytes lost, attempt \(attempt): \(growth)")
        #expect(growth.bytesPerRepetition > 2 * Self.limit)
    }

    static let scopes: [ObjectScope] = [.graph, .transient, .container, .weak, .perContainer]

    @Test("S6: a million resolves of a two-node graph leave memory flat", arguments: scopes)
    func twoNodes(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }
        box.register(Top.self, scope: scope) { r in Top(tracker, try r.require(Leaf.self)) }
        try Self.expectFlat("two nodes, \(scope)") { _ in _ = try box.require(Top.self) }
        #expect(tracker.alive == (scope === ObjectScope.container || scope === ObjectScope.perContainer ? 2 : 0))
        withExtendedLifetime(box) {}
    }

    @Test("S6: a million resolves of a property cycle leave memory flat", arguments: [ObjectScope.graph, .weak])
    func cycle(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }
        box.register(Top.self, scope: scope) { r in Top(tracker, try r.require(Leaf.self)) }
            .initCompleted { r, top in top.closing = try r.require(Closing.self) }
        box.register(Closing.self, scope: scope) { r in Closing(try r.require(Top.self)) }
        try Self.expectFlat("property cycle, \(scope)", over: Memory.manyTimes / 2) { number in
            if number % 2 == 0 { _ = try box.require(Top.self) } else { _ = try box.require(Closing.self) }
        }
        #expect(tracker.alive == 0)
    }

    @Test("S6: a million resolves whose graph identifier is taken and dropped leave memory flat")
    func identifiers() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self) { _ in Leaf(tracker) }
        box.register(GraphIdentifier?.self) { r in
            _ = try r.require(Leaf.self)
            return try r.require(GraphIdentifier.self)
        }
        try Self.expectFlat("identifiers", over: Memory.manyTimes / 2) { _ in
            let identifier = try box.require(GraphIdentifier?.self)
            box.withObjectGraph(identifier!) { _ = $0.resolve(Leaf.self) }
        }
        #expect(tracker.alive == 0)
    }

    @Test("S6: one graph that is joined a million times does not collect its dead objects")
    func joinedGraph() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self) { _ in Leaf(tracker) }
        let graph = GraphIdentifier()
        try Self.expectFlat("a graph that is joined", over: Memory.manyTimes / 2) { _ in
            box.withObjectGraph(graph) { _ = $0.resolve(Leaf.self) }
        }
        #expect(tracker.alive == 0)
    }

    // MARK: Failures

    enum Failure: CaseIterable {
        case missing, throwing, callback, circular, swallowed
    }

    @Test("S6, G7: resolves that fail leave memory flat", arguments: Failure.allCases)
    func failures(kind: Failure) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Leaf.self, scope: .container) { _ in Leaf(tracker) }
            .initCompleted { r, _ in
                _ = try r.require(Top.self)
                throw Refused()
            }
        box.register(Top.self, scope: .container) { r in Top(tracker, try r.require(Leaf.self)) }
        box.register(Int.self) { r in
            switch kind {
            case .missing: _ = try r.require(Character.self)
            case .throwing: throw Refused()
            case .callback: _ = try r.require(Leaf.self)
            case .circular: _ = try r.require(Int.self)
            case .swallowed: _ = r.resolve(Int.self)
            }
            return 1
        }
        // An error costs ten times a resolve.
        try Self.expectFlat("failing: \(kind)", over: Memory.manyTimes / 4) { _ in
            #expect(box.resolve(Int.self) == nil)
        }
        #expect(tracker.alive == 0)
    }

    @Test("S6: a million misses leave memory flat")
    func misses() throws {
        let box = Container()
        try Self.expectFlat("misses") { number in
            _ = box.resolve(Leaf.self)
            _ = box.resolve(Leaf.self, name: number % 2 == 0 ? "a" : "b")
        }
    }

    // MARK: Containers

    @Test(
        "S6: child containers that are made, used and dropped leave memory flat",
        arguments: [ParentSharing.all, .none]
    )
    func children(sharing: ParentSharing) throws {
        let root = Container()
        let tracker = LifetimeTracker()
        root.register(Leaf.self, scope: .perContainer) { _ in Leaf(tracker) }
        root.register(Top.self, scope: .perContainer) { r in Top(tracker, try r.require(Leaf.self)) }
        try Self.expectFlat("children, sharing \(sharing)", over: Memory.manyTimes / 4) { _ in
            let child = root.createChild(sharing: sharing)
            child.register(Int.self, scope: .container) { _ in 1 }
            _ = try child.require(Top.self)
            _ = try child.require(Int.self)
        }
        #expect(tracker.alive == 0)
    }

    @Test("S6: containers that are made, used and dropped leave memory flat")
    func containers() throws {
        let tracker = LifetimeTracker()
        try Self.expectFlat("containers", over: Memory.manyTimes / 4) { _ in
            let box = Container()
            box.register(Leaf.self, scope: .container) { _ in Leaf(tracker) }
            box.register(Top.self) { r in Top(tracker, try r.require(Leaf.self)) }
            _ = try box.require(Top.self)
        }
        #expect(tracker.alive == 0)
    }

    @Test(
        "S6: a scope that is reset again and again leaves memory flat",
        arguments: [ObjectScope.container, .perContainer]
    )
    func resets(scope: ObjectScope) throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        root.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }
        try Self.expectFlat("resets, \(scope)", over: Memory.manyTimes / 2) { _ in
            _ = try child.require(Leaf.self)
            child.resetObjectScope(scope)
        }
        #expect(tracker.alive == 0)
    }

    // MARK: Registrations

    @Test("S8: replacing one key a million times leaves memory flat, and what it held is released", arguments: scopes)
    func replacing(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        try Self.expectFlat("replacing, \(scope)", over: Memory.manyTimes / 2) { _ in
            let captured = Leaf(tracker)
            box.register(Leaf.self, scope: scope) { _ in captured }
            _ = try box.require(Leaf.self)
        }
        #expect(tracker.alive == 1)
        withExtendedLifetime(box) {}
    }

    @Test("S8: registering and removing one key a million times leaves memory flat", arguments: [nil, "name"])
    func removing(name: String?) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        try Self.expectFlat("removing, \(name ?? "no name")", over: Memory.manyTimes / 2) { _ in
            box.register(Leaf.self, name: name, scope: .container) { _ in Leaf(tracker) }
            _ = try box.require(Leaf.self, name: name)
            #expect(box.remove(Leaf.self, name: name))
        }
        #expect(tracker.alive == 0)
    }

    @Test("S8: registering and removing ever new names leaves memory flat")
    func everNewNames() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        var last = 0
        try Self.expectFlat("ever new names", over: Memory.manyTimes / 2) { _ in
            last += 1
            box.register(Leaf.self, name: "name \(last)", scope: .container) { _ in Leaf(tracker) }
            _ = try box.require(Leaf.self, name: "name \(last)")
            #expect(box.remove(Leaf.self, name: "name \(last)"))
        }
        #expect(tracker.alive == 0)
    }

    @Test("S8: removing everything again and again leaves memory flat")
    func removingAll() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        try Self.expectFlat("removing all", over: Memory.manyTimes / 4) { _ in
            for name in ["a", "b", "c"] {
                box.register(Leaf.self, name: name, scope: .container) { _ in Leaf(tracker) }
                _ = try box.require(Leaf.self, name: name)
            }
            box.removeAll()
        }
        #expect(tracker.alive == 0)
    }

    @Test("S8: replacing a key inside its own factory leaves memory flat")
    func replacingItself() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        func register() {
            box.register(Leaf.self) { [unowned box] _ in
                let leaf = Leaf(tracker)
                box.register(Leaf.self) { _ in leaf }
                return leaf
            }
        }
        try Self.expectFlat("replacing itself", over: Memory.manyTimes / 2) { _ in
            register()
            _ = try box.require(Leaf.self)
        }
        box.remove(Leaf.self)
        #expect(tracker.alive == 0)
    }

    @Test("S8: what a child kept of a parent's per-container entry that is replaced does not pile up")
    func replacedBehindChild() throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        try Self.expectFlat("replaced behind a child", over: Memory.manyTimes / 2) { _ in
            root.register(Leaf.self, scope: .perContainer) { _ in Leaf(tracker) }
            _ = try child.require(Leaf.self)
        }
        #expect(tracker.alive < 16)
        withExtendedLifetime((root, child)) {}
    }
}
