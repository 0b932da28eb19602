import DICore
import DIScopes
import DITestSupport
import Testing

/// G1 and G2: cycles that are closed through a property.
@Suite("Property cycles")
struct GraphPropertyCycleTests {
    private final class Left: Tracked {
        var right: Right?
    }

    private final class Right: Tracked {
        var left: Left?
    }

    enum End: Sendable, CaseIterable { case left, right }

    /// One way to write the cycle, and one way to enter it.
    struct Case: Sendable, CustomTestStringConvertible {
        let scope: ObjectScope
        let first: End
        let hasCallbacksOnBothSides: Bool

        var testDescription: String {
            "\(scope), \(first) first, callbacks on \(hasCallbacksOnBothSides ? "both sides" : "the left side")"
        }

        static let all: [Case] = [ObjectScope.graph, .container, .weak].flatMap { scope in
            End.allCases.flatMap { first in
                [false, true].map { Case(scope: scope, first: first, hasCallbacksOnBothSides: $0) }
            }
        }
    }

    private static func register(_ test: Case, in box: Container, _ tracker: LifetimeTracker, _ callbacks: Counter) {
        box.register(Left.self, scope: test.scope) { _ in Left(tracker) }
            .initCompleted { r, left in
                callbacks.add()
                left.right = try r.require(Right.self)
            }
        if test.hasCallbacksOnBothSides {
            box.register(Right.self, scope: test.scope) { _ in Right(tracker) }
                .initCompleted { r, right in
                    callbacks.add()
                    right.left = try r.require(Left.self)
                }
        } else {
            box.register(Right.self, scope: test.scope) { r in
                let left = try r.require(Left.self)
                let right = Right(tracker)
                right.left = left
                return right
            }
        }
    }

    private static func pair(_ end: End, from r: any Resolver) throws -> (left: Left, right: Right) {
        switch end {
        case .left:
            let left = try r.require(Left.self)
            return (left, try #require(left.right))
        case .right:
            let right = try r.require(Right.self)
            return (try #require(right.left), right)
        }
    }

    @Test("G1: both objects of a property cycle point at each other", arguments: Case.all)
    func bothPointAtEachOther(test: Case) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(test, in: box, tracker, Counter())
        let (left, right) = try Self.pair(test.first, from: box)
        #expect(left.right === right)
        #expect(right.left === left)
        left.right = nil
    }

    @Test("G1: a property cycle keeps to its scope when it is asked for again from the other end", arguments: Case.all)
    func scopeIsKept(test: Case) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(test, in: box, tracker, Counter())
        let first = try Self.pair(test.first, from: box)
        let second = try Self.pair(test.first == .left ? .right : .left, from: box)
        let isShared = test.scope !== ObjectScope.graph
        #expect((first.left === second.left) == isShared)
        #expect((first.right === second.right) == isShared)
        #expect(second.left.right === second.right)
        #expect(second.right.left === second.left)
        first.left.right = nil
        second.left.right = nil
    }

    @Test("G1: once the cycle is broken and let go, only a container scope holds its objects", arguments: Case.all)
    func lifetimes(test: Case) throws {
        let tracker = LifetimeTracker()
        do {
            let box = Container()
            Self.register(test, in: box, tracker, Counter())
            do {
                let (left, right) = try Self.pair(test.first, from: box)
                left.right = nil
                right.left = nil
            }
            #expect(tracker.alive == (test.scope === ObjectScope.container ? 2 : 0))
        }
        #expect(tracker.alive == 0)
    }

    @Test("G1: a property cycle of a parent holds when it is asked through a child", arguments: Case.all)
    func throughChild(test: Case) throws {
        let root = Container()
        let tracker = LifetimeTracker()
        Self.register(test, in: root, tracker, Counter())
        let (left, right) = try Self.pair(test.first, from: root.createChild())
        #expect(left.right === right)
        #expect(right.left === left)
        left.right = nil
    }

    @Test(
        "G1: a property cycle below another root points at itself, and the root sees the same objects",
        arguments: Case.all
    )
    func belowRoot(test: Case) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(test, in: box, tracker, Counter())
        box.register([ObjectIdentifier].self) { r in
            let (left, right) = try Self.pair(test.first, from: r)
            let again = (left: try r.require(Left.self), right: try r.require(Right.self))
            #expect(again.left === left)
            #expect(again.right === right)
            #expect(left.right === right)
            #expect(right.left === left)
            left.right = nil
            return [ObjectIdentifier(left), ObjectIdentifier(right)]
        }
        #expect(try Set(box.require([ObjectIdentifier].self)).count == 2)
    }

    @Test(
        "G2: a cycle entered at the constructor side builds the node that is entered twice at most twice",
        arguments: Case.all
    )
    func constructions(test: Case) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let callbacks = Counter()
        Self.register(test, in: box, tracker, callbacks)
        let (left, right) = try Self.pair(test.first, from: box)
        let isEnteredTwice = !test.hasCallbacksOnBothSides && test.first == .right
        #expect(tracker.made == (isEnteredTwice ? 3 : 2))
        #expect(tracker.alive == 2)
        #expect(callbacks.value == (test.hasCallbacksOnBothSides ? 2 : 1))
        left.right = nil
        right.left = nil
    }

    // MARK: Longer cycles

    private final class Node: Tracked {
        let next: Node?
        var closing: Node?

        init(_ tracker: LifetimeTracker, next: Node?) {
            self.next = next
            super.init(tracker)
        }
    }

    /// Each node takes the next in its constructor; the last is closed by a callback.
    private static func registerRing(
        of count: Int,
        _ scope: ObjectScope,
        in box: Container,
        _ tracker: LifetimeTracker,
        _ callbacks: Counter
    ) {
        for number in 0..<count - 1 {
            box.register(Node.self, name: "\(number)", scope: scope) { r in
                Node(tracker, next: try r.require(Node.self, name: "\(number + 1)"))
            }
        }
        box.register(Node.self, name: "\(count - 1)", scope: scope) { _ in Node(tracker, next: nil) }
            .initCompleted { r, last in
                callbacks.add()
                last.closing = try r.require(Node.self, name: "0")
            }
    }

    struct Ring: Sendable, CustomTestStringConvertible {
        let scope: ObjectScope
        let count: Int
        let start: Int

        var testDescription: String { "\(scope), \(count) nodes, entered at \(start)" }

        static let all: [Ring] = [ObjectScope.graph, .container, .weak].flatMap { scope in
            [2, 3, 7].flatMap { count in (0..<count).map { Ring(scope: scope, count: count, start: $0) } }
        }
    }

    @Test("G2: a ring is consistent wherever it is entered, and no node is built more than twice", arguments: Ring.all)
    func ring(test: Ring) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let callbacks = Counter()
        Self.registerRing(of: test.count, test.scope, in: box, tracker, callbacks)
        let start = try box.require(Node.self, name: "\(test.start)")
        var node = start
        var seen: [Node] = []
        repeat {
            seen.append(node)
            node = try #require(node.next ?? node.closing)
        } while node !== start && seen.count <= test.count
        #expect(seen.count == test.count)
        #expect(tracker.made <= 2 * test.count)
        #expect(tracker.alive == test.count)
        #expect(callbacks.value == 1)
        for node in seen { node.closing = nil }
    }

    @Test(
        "G2: a cycle whose nodes take runtime arguments is consistent too, and a duplicate gets no callback",
        arguments: [ObjectScope.graph, .container, .weak]
    )
    func withArguments(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let completed = Journal<ObjectIdentifier>()
        box.register(Right.self, scope: scope) { (r: any Resolver, number: Int) in
            let left = try r.require(Left.self, argument: number)
            let right = Right(tracker)
            right.left = left
            return right
        }
        .initCompleted { _, right in completed.add(ObjectIdentifier(right)) }
        box.register(Left.self, scope: scope) { (_, _: Int) in Left(tracker) }
            .initCompleted { r, left in left.right = try r.require(Right.self, argument: 1) }
        let right = try box.require(Right.self, argument: 1)
        let left = try #require(right.left)
        #expect(left.right === right)
        #expect(completed.entries == [ObjectIdentifier(right)])
        left.right = nil
    }
}
