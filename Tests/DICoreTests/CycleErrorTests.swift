import DICore
import DIScopes
import DITestSupport
import Testing

/// G4: cycles that can never be built.
private class Service: Tracked {
    var other: Service?
}

private final class A: Service {}
private final class B: Service {}
private final class C: Service {}
private final class Root: Service {}

/// How a node asks for the next one.
private enum Asking {
    /// Passes the failure on.
    case require
    /// Goes on without.
    case resolve
}

@Suite("Real cycles")
struct CycleErrorTests {
    private static func register<Kind: Service, Next: Service>(
        _ type: Kind.Type,
        needs next: Next.Type,
        _ asking: Asking = .require,
        _ scope: ObjectScope = .graph,
        in box: Container,
        _ tracker: LifetimeTracker,
        make: @escaping (LifetimeTracker) -> Kind
    ) {
        box.register(type, scope: scope) { r in
            let needed = asking == .require ? try r.require(next) : r.resolve(next)
            let service = make(tracker)
            service.other = needed
            return service
        }
    }

    /// The error of a request that must fail.
    private static func failure<Service>(of type: Service.Type, name: String? = nil, in box: Container)
        -> ResolutionError?
    {
        do throws(ResolutionError) {
            _ = try box.require(type, name: name)
            return nil
        } catch {
            return error
        }
    }

    private static func names(_ error: ResolutionError) -> [String] {
        error.path.map(\.key.description)
    }

    // MARK: The error

    @Test("G4: a cycle of two constructors fails with the whole path, A → B → A", arguments: scopes)
    func two(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(A.self, needs: B.self, .require, scope, in: box, tracker, make: A.init)
        Self.register(B.self, needs: A.self, .require, scope, in: box, tracker, make: B.init)
        let error = try #require(Self.failure(of: A.self, in: box))
        #expect(error.code == .circular)
        #expect(Self.names(error) == ["A", "B", "A"])
        #expect(error.key == ServiceKey(A.self))
        #expect(error.description.contains("cycle: A → B → A\n"))
        #expect(tracker.made == 0)
    }

    static let scopes: [ObjectScope] = [.transient, .graph, .container, .weak, .perContainer]

    @Test("G4: a service that needs itself fails with the path A → A", arguments: scopes)
    func one(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(A.self, needs: A.self, .require, scope, in: box, tracker, make: A.init)
        let error = try #require(Self.failure(of: A.self, in: box))
        #expect(error.code == .circular)
        #expect(Self.names(error) == ["A", "A"])
    }

    @Test("G4: a cycle of three fails with the path in order, whichever node is asked for")
    func three() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(A.self, needs: B.self, in: box, tracker, make: A.init)
        Self.register(B.self, needs: C.self, in: box, tracker, make: B.init)
        Self.register(C.self, needs: A.self, in: box, tracker, make: C.init)
        #expect(try Self.names(#require(Self.failure(of: A.self, in: box))) == ["A", "B", "C", "A"])
        #expect(try Self.names(#require(Self.failure(of: B.self, in: box))) == ["B", "C", "A", "B"])
        #expect(try Self.names(#require(Self.failure(of: C.self, in: box))) == ["C", "A", "B", "C"])
    }

    @Test("G4: the path begins with what was asked for, also where that is outside of the cycle")
    func outside() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(Root.self, needs: A.self, in: box, tracker, make: Root.init)
        Self.register(A.self, needs: B.self, in: box, tracker, make: A.init)
        Self.register(B.self, needs: A.self, in: box, tracker, make: B.init)
        let error = try #require(Self.failure(of: Root.self, in: box))
        #expect(Self.names(error) == ["Root", "A", "B", "A"])
    }

    @Test("G4: each step of the path says where it was registered")
    func locations() throws {
        let box = Container()
        box.register(A.self, fileID: "App/A.swift", line: 1) { r in
            _ = try r.require(B.self)
            return A(LifetimeTracker())
        }
        box.register(B.self, fileID: "App/B.swift", line: 2) { r in
            _ = try r.require(A.self)
            return B(LifetimeTracker())
        }
        let error = try #require(Self.failure(of: A.self, in: box))
        #expect(error.path.map(\.location?.description) == ["App/A.swift:1", "App/B.swift:2", "App/A.swift:1"])
    }

    @Test("G4: the text gives the two legal ways out, and no number of a depth as the explanation")
    func text() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(A.self, needs: B.self, in: box, tracker, make: A.init)
        Self.register(B.self, needs: A.self, in: box, tracker, make: B.init)
        let text = try #require(Self.failure(of: A.self, in: box)).description
        #expect(text.contains("initCompleted"))
        #expect(text.contains("Lazy or Provider"))
        #expect(!text.contains("depth"))
        #expect(!text.contains("\(box.depthLimit)"))
    }

    // MARK: The first repeat

    private static func registerRing(of count: Int, in box: Container, _ scope: ObjectScope, _ built: Counter) {
        for number in 0..<count {
            box.register(A.self, name: "node-\(number)", scope: scope) { r in
                built.add()
                return try r.require(A.self, name: "node-\((number + 1) % count)")
            }
        }
    }

    struct Ring: Sendable, CustomTestStringConvertible {
        let count: Int
        let scope: ObjectScope

        var testDescription: String { "\(count) nodes, \(scope)" }

        static let all: [Ring] = [2, 3, 50].flatMap { count in scopes.map { Ring(count: count, scope: $0) } }
    }

    @Test("G4: a cycle is found at the first repeat, with the whole path in order", arguments: Ring.all)
    func firstRepeat(test: Ring) throws {
        let box = Container()
        let built = Counter()
        Self.registerRing(of: test.count, in: box, test.scope, built)
        let error = try #require(Self.failure(of: A.self, name: "node-0", in: box))
        #expect(error.code == .circular)
        #expect(error.path.map(\.key.name) == (0..<test.count).map { "node-\($0)" } + ["node-0"])
        #expect(built.value == test.count)
    }

    @Test("G4: a cycle of more nodes than the depth limit is a cycle all the same")
    func longerThanLimit() throws {
        let box = Container()
        box.depthLimit = 3
        Self.registerRing(of: 50, in: box, .graph, Counter())
        let error = try #require(Self.failure(of: A.self, name: "node-7", in: box))
        #expect(error.code == .circular)
        #expect(error.path.count == 51)
    }

    // MARK: Transient nodes with callbacks

    struct Callbacks: Sendable, CustomTestStringConvertible {
        let count: Int
        let isSwallowed: Bool

        var testDescription: String { "\(count) nodes, the nil is \(isSwallowed ? "accepted" : "thrown")" }

        static let all: [Callbacks] = [1, 2, 3, 50].flatMap { count in
            [false, true].map { Callbacks(count: count, isSwallowed: $0) }
        }
    }

    @Test(
        "G4: transient nodes with callbacks on all sides are a cycle, and nothing comes out",
        arguments: Callbacks.all
    )
    func transientCallbacks(test: Callbacks) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        for number in 0..<test.count {
            let next = "node-\((number + 1) % test.count)"
            box.register(A.self, name: "node-\(number)", scope: .transient) { _ in A(tracker) }
                .initCompleted { r, a in
                    a.other = test.isSwallowed ? r.resolve(A.self, name: next) : try r.require(A.self, name: next)
                }
        }
        let error = try #require(Self.failure(of: A.self, name: "node-0", in: box))
        #expect(error.code == .circular)
        #expect(error.path.map(\.key.name) == (0..<test.count).map { "node-\($0)" } + ["node-0"])
        #expect(tracker.made == test.count)
        #expect(tracker.alive == 0)
    }

    @Test("G4: a transient node with a callback and one with a constructor are a cycle too, from either end")
    func transientMixed() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(A.self, scope: .transient) { _ in A(tracker) }
            .initCompleted { r, a in a.other = try r.require(B.self) }
        Self.register(B.self, needs: A.self, .require, .transient, in: box, tracker, make: B.init)
        #expect(try Self.names(#require(Self.failure(of: A.self, in: box))) == ["A", "B", "A"])
        #expect(try Self.names(#require(Self.failure(of: B.self, in: box))) == ["B", "A", "B"])
        #expect(tracker.alive == 0)
    }

    @Test("G4: a weakly kept value type cannot close a cycle by a callback, since nothing keeps it")
    func weakValue() throws {
        let box = Container()
        box.register(Int.self, scope: .weak) { _ in 1 }.initCompleted { r, _ in _ = try r.require(String.self) }
        box.register(String.self, scope: .weak) { r in "\(try r.require(Int.self))" }
        let error = try #require(Self.failure(of: Int.self, in: box))
        #expect(error.code == .circular)
        #expect(Self.names(error) == ["Int", "String", "Int"])
    }

    @Test(
        "G4: one shared node with a callback is enough to make the cycle legal",
        arguments: [ObjectScope.graph, .container]
    )
    func oneSharedNode(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(A.self, scope: scope) { _ in A(tracker) }
            .initCompleted { r, a in a.other = try r.require(B.self) }
        box.register(B.self, scope: .transient) { r in
            let b = B(tracker)
            b.other = try r.require(A.self)
            return b
        }
        let a = try box.require(A.self)
        #expect(a.other?.other === a)
        a.other = nil
    }

    // MARK: Sticky

    struct Swallowing: Sendable, CustomTestStringConvertible {
        let scope: ObjectScope
        let position: Int

        var testDescription: String { "\(scope), node \(position) of three accepts nil" }

        static let all: [Swallowing] = scopes.flatMap { scope in
            (0..<3).map { Swallowing(scope: scope, position: $0) }
        }
    }

    @Test("G4: the failure is sticky: a node of the cycle that accepts the nil fails too", arguments: Swallowing.all)
    func sticky(test: Swallowing) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        func asking(_ position: Int) -> Asking { position == test.position ? .resolve : .require }
        Self.register(A.self, needs: B.self, asking(0), test.scope, in: box, tracker, make: A.init)
        Self.register(B.self, needs: C.self, asking(1), test.scope, in: box, tracker, make: B.init)
        Self.register(C.self, needs: A.self, asking(2), test.scope, in: box, tracker, make: C.init)
        let error = try #require(Self.failure(of: A.self, in: box))
        #expect(error.code == .circular)
        #expect(Self.names(error) == ["A", "B", "C", "A"])
        #expect(box.resolve(A.self) == nil)
        #expect(tracker.alive == 0)
    }

    @Test("G4: a factory that swallows the failure with try? and asks for more still fails", arguments: scopes)
    func stickyThroughTry(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(C.self) { _ in C(tracker) }
        box.register(A.self, scope: scope) { r in
            let a = A(tracker)
            a.other = try? r.require(B.self)
            if a.other == nil { a.other = r.resolve(C.self) }
            return a
        }
        Self.register(B.self, needs: A.self, .require, scope, in: box, tracker, make: B.init)
        let error = try #require(Self.failure(of: A.self, in: box))
        #expect(error.code == .circular)
        #expect(tracker.alive == 0)
    }

    @Test("G4: a factory that turns the failure into an error of its own fails with the cycle")
    func stickyThroughOtherError() throws {
        struct Unusable: Error {}
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(A.self) { r in
            if r.resolve(B.self) == nil { throw Unusable() }
            return A(tracker)
        }
        Self.register(B.self, needs: A.self, in: box, tracker, make: B.init)
        let error = try #require(Self.failure(of: A.self, in: box))
        #expect(error.code == .circular)
        #expect(Self.names(error) == ["A", "B", "A"])
    }

    @Test("G4: a node outside of the cycle may accept the nil and go on")
    func outsideMayGoOn() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(Root.self, needs: A.self, .resolve, in: box, tracker, make: Root.init)
        Self.register(A.self, needs: B.self, .resolve, in: box, tracker, make: A.init)
        Self.register(B.self, needs: A.self, .resolve, in: box, tracker, make: B.init)
        let root = try box.require(Root.self)
        #expect(tracker.alive == 1)
        withExtendedLifetime(root) {}
    }

    @Test("G4: two cycles through one node fail, also when both nils are accepted", arguments: scopes)
    func twoCycles(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(A.self, needs: B.self, .resolve, scope, in: box, tracker, make: A.init)
        box.register(B.self, scope: scope) { r in
            _ = r.resolve(B.self)
            _ = r.resolve(A.self)
            _ = r.resolve(C.self)
            return B(tracker)
        }
        Self.register(C.self, needs: B.self, .resolve, scope, in: box, tracker, make: C.init)
        let error = try #require(Self.failure(of: A.self, in: box))
        #expect(error.code == .circular)
        #expect(tracker.alive == 0)
        #expect(Self.failure(of: C.self, in: box)?.code == .circular)
        #expect(tracker.alive == 0)
    }

    @Test("G4: an inner cycle that an outer node accepts does not fail the outer node")
    func innerCycle() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(Root.self, needs: A.self, .resolve, in: box, tracker, make: Root.init)
        Self.register(A.self, needs: B.self, .resolve, in: box, tracker, make: A.init)
        Self.register(B.self, needs: C.self, .resolve, in: box, tracker, make: B.init)
        Self.register(C.self, needs: C.self, .resolve, in: box, tracker, make: C.init)
        let root = try #require(box.resolve(Root.self))
        let b = try #require(root.other?.other as? B)
        #expect(b.other == nil)
        #expect(tracker.alive == 3)
        withExtendedLifetime(root) {}
    }

    @Test("G4: observers are told of the cycle once, before the nil comes back", arguments: scopes)
    func observers(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let recorder = EventRecorder(.failures)
        let known = Journal<Int>()
        box.addObserver(recorder)
        Self.register(A.self, needs: B.self, .require, scope, in: box, tracker, make: A.init)
        box.register(B.self, scope: scope) { r in
            let a = r.resolve(A.self)
            known.add(recorder.failures.count)
            #expect(a == nil)
            return B(tracker)
        }
        #expect(box.resolve(A.self) == nil)
        #expect(known.entries == [1])
        #expect(recorder.failures.map(\.code) == [.circular])
    }

    @Test("G4: an observer of every resolve is told of an end for each beginning", arguments: scopes)
    func observedFrames(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let recorder = EventRecorder()
        Self.register(A.self, needs: B.self, .resolve, scope, in: box, tracker, make: A.init)
        Self.register(B.self, needs: A.self, .resolve, scope, in: box, tracker, make: B.init)
        box.addObserver(recorder)
        #expect(box.resolve(A.self) == nil)
        var open: [ServiceKey?] = []
        for event in recorder.events {
            switch event.kind {
            case .began: open.append(event.key)
            case .aborted: #expect(open.popLast() == event.key)
            case .created: Issue.record("nothing was to be created")
            default: break
            }
        }
        #expect(open.isEmpty)
        #expect(recorder.failures.map(\.code) == [.circular])
    }

    // MARK: Across containers

    @Test(
        "G4: a cycle between a child's and a parent's constructors is found",
        arguments: [ObjectScope.transient, .graph]
    )
    func acrossLevels(scope: ObjectScope) throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        Self.register(A.self, needs: B.self, .require, scope, in: root, tracker, make: A.init)
        Self.register(B.self, needs: A.self, .require, scope, in: child, tracker, make: B.init)
        let error = try #require(Self.failure(of: A.self, in: child))
        #expect(error.code == .circular)
        #expect(Self.names(error) == ["A", "B", "A"])
    }

    @Test("G4: a cycle that passes through an unrelated container is found in the one where it repeats")
    func acrossTrees() throws {
        let one = Container()
        let other = Container()
        let tracker = LifetimeTracker()
        one.register(A.self) { [unowned other] _ in
            _ = try other.require(B.self)
            return A(tracker)
        }
        other.register(B.self) { [unowned one] _ in
            _ = try one.require(A.self)
            return B(tracker)
        }
        let error = try #require(Self.failure(of: A.self, in: one))
        #expect(error.code == .circular)
    }

    // MARK: Afterwards

    @Test("G4, G7: after a cycle the container works, and the repaired registration is built", arguments: scopes)
    func repaired(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(A.self, needs: B.self, .require, scope, in: box, tracker, make: A.init)
        Self.register(B.self, needs: A.self, .require, scope, in: box, tracker, make: B.init)
        box.register(C.self) { _ in C(tracker) }
        for _ in 0..<3 {
            #expect(Self.failure(of: A.self, in: box)?.code == .circular)
            #expect(Self.failure(of: B.self, in: box)?.code == .circular)
            #expect(box.resolve(C.self) != nil)
        }
        box.register(B.self, scope: scope) { _ in B(tracker) }
        let a = try box.require(A.self)
        #expect(tracker.alive >= 1)
        withExtendedLifetime(a) {}
    }
}
