import DICore
import DIScopes
import DITestSupport
import Testing

/// S7: one instance for each container that asks.
@Suite("The per-container scope")
struct PerContainerTests {
    private final class Transaction: Tracked {}

    private final class Work: Tracked {
        let transaction: Transaction
        weak var other: Work?

        init(_ tracker: LifetimeTracker, _ transaction: Transaction) {
            self.transaction = transaction
            super.init(tracker)
        }
    }

    private static func root(_ tracker: LifetimeTracker) -> Container {
        let root = Container()
        root.register(Transaction.self, scope: .perContainer) { _ in Transaction(tracker) }
        root.register(Work.self, scope: .perContainer) { r in Work(tracker, try r.require(Transaction.self)) }
        return root
    }

    @Test("S7: an entry of the parent gives each child its own single instance, and the parent its own")
    func eachItsOwn() throws {
        let tracker = LifetimeTracker()
        let root = Self.root(tracker)
        let children = (0..<3).map { _ in root.createChild() }
        let transactions = try ([root] + children).map { try $0.require(Transaction.self) }
        #expect(Set(transactions.map(ObjectIdentifier.init)).count == 4)
        for (box, transaction) in zip([root] + children, transactions) {
            #expect(try box.require(Transaction.self) === transaction)
            #expect(try box.require(Work.self).transaction === transaction)
        }
        #expect(tracker.made == 8)
    }

    @Test("S7: a grandchild has an instance of its own too")
    func grandchild() throws {
        let tracker = LifetimeTracker()
        let root = Self.root(tracker)
        let child = root.createChild()
        let grandchild = child.createChild()
        let one = try grandchild.require(Transaction.self)
        #expect(try child.require(Transaction.self) !== one)
        #expect(try grandchild.require(Transaction.self) === one)
        withExtendedLifetime(one) {}
    }

    @Test("S7: an instance ends with its container")
    func lifetime() throws {
        let tracker = LifetimeTracker()
        let root = Self.root(tracker)
        do {
            let child = root.createChild()
            _ = try child.require(Work.self)
            #expect(tracker.alive == 2)
            withExtendedLifetime(child) {}
        }
        #expect(tracker.alive == 0)
        _ = try root.require(Work.self)
        #expect(tracker.alive == 2)
        withExtendedLifetime(root) {}
    }

    @Test("S7: it is built by the container that asks, whose own registrations apply")
    func overrides() throws {
        let tracker = LifetimeTracker()
        let root = Self.root(tracker)
        let child = root.createChild()
        let own = Transaction(tracker)
        child.register(Transaction.self, instance: own)
        #expect(try child.require(Work.self).transaction === own)
        #expect(try root.require(Work.self).transaction !== own)
    }

    @Test("S7: within one graph the parent's part gets the parent's and the child's part the child's")
    func oneGraph() throws {
        let tracker = LifetimeTracker()
        let root = Self.root(tracker)
        root.register([Transaction].self, name: "kept", scope: .container) { r in [try r.require(Transaction.self)] }
        let child = root.createChild()
        child.register([Transaction].self) { r in
            try r.require([Transaction].self, name: "kept") + [try r.require(Transaction.self)]
        }
        let transactions = try child.require([Transaction].self)
        #expect(transactions[0] === root.resolve(Transaction.self))
        #expect(transactions[1] === child.resolve(Transaction.self))
        #expect(transactions[0] !== transactions[1])
    }

    @Test("S7: a property cycle points at itself in each container, whichever asks first")
    func cycle() throws {
        final class Left {
            weak var right: Right?
        }
        final class Right {
            let left: Left

            init(_ left: Left) {
                self.left = left
            }
        }
        let root = Container()
        root.register(Left.self, scope: .perContainer) { _ in Left() }
            .initCompleted { r, left in left.right = try r.require(Right.self) }
        root.register(Right.self, scope: .perContainer) { r in Right(try r.require(Left.self)) }
        let child = root.createChild()
        let ofChild = try child.require(Right.self)
        let ofRoot = try root.require(Left.self)
        #expect(ofChild.left.right === ofChild)
        #expect(ofRoot.right?.left === ofRoot)
        #expect(ofRoot !== ofChild.left)
    }

    @Test("S7: callbacks run once in each container")
    func callbacks() throws {
        let root = Container()
        let tracker = LifetimeTracker()
        let completed = Counter()
        root.register(Transaction.self, scope: .perContainer) { _ in Transaction(tracker) }
            .initCompleted { _, _ in completed.add() }
        for box in [root, root.createChild(), root.createChild()] {
            _ = try (box.require(Transaction.self), box.require(Transaction.self))
        }
        #expect(completed.value == 3)
    }

    @Test("S7: a reset in a child renews the child's and the parents', and leaves its siblings' alone")
    func reset() throws {
        let tracker = LifetimeTracker()
        let root = Self.root(tracker)
        let child = root.createChild()
        let sibling = root.createChild()
        let boxes = [root, child, sibling]
        let before = try boxes.map { try $0.require(Transaction.self) }
        child.resetObjectScope(ObjectScope.perContainer, includingParents: false)
        let between = try boxes.map { try $0.require(Transaction.self) }
        #expect(zip(before, between).map { $0 === $1 } == [true, false, true])
        child.resetObjectScope(ObjectScope.perContainer)
        let after = try boxes.map { try $0.require(Transaction.self) }
        #expect(zip(between, after).map { $0 === $1 } == [false, false, true])
        child.resetObjectScope(ObjectScope.perContainer, serviceType: Transaction.self, includingParents: false)
        #expect(try child.require(Transaction.self) !== after[1])
    }

    @Test("S7: a registration that the parent replaces is replaced for its children too")
    func replaced() throws {
        let tracker = LifetimeTracker()
        let root = Self.root(tracker)
        let child = root.createChild()
        let old = try child.require(Transaction.self)
        root.register(Transaction.self, scope: .perContainer) { _ in Transaction(tracker) }
        let new = try child.require(Transaction.self)
        #expect(new !== old)
        #expect(try child.require(Transaction.self) === new)
    }

    @Test("S7: what a child kept of replaced entries may resolve from the child as it goes")
    func leftoversResolve() throws {
        final class Farewell {
            let say: () -> Void

            init(_ say: @escaping () -> Void) {
                self.say = say
            }

            deinit {
                say()
            }
        }
        let tracker = LifetimeTracker()
        let root = Self.root(tracker)
        let said = Counter()
        do {
            let child = root.createChild()
            _ = try child.require(Transaction.self)
            for _ in 0..<100 {
                root.register(Farewell.self, scope: .perContainer) { [weak child] _ in
                    Farewell {
                        _ = child?.resolve(Work.self)
                        said.add()
                    }
                }
                _ = try child.require(Farewell.self)
            }
            #expect(said.value > 50)
        }
        root.remove(Farewell.self)
        #expect(said.value == 100)
        #expect(tracker.alive == 0)
    }

    @Test("S7: names and arguments are apart")
    func namesAndArguments() throws {
        let root = Container()
        let child = root.createChild()
        root.register(Int.self, name: "a", scope: .perContainer) { _ in 1 }
        root.register(Int.self, scope: .perContainer) { (_, number: Int) in number }
        #expect(try child.require(Int.self, name: "a") == 1)
        #expect(try child.require(Int.self, argument: 2) == 2)
        // Shared whatever the argument is, in each container.
        #expect(try child.require(Int.self, argument: 3) == 2)
        #expect(try root.require(Int.self, argument: 4) == 4)
    }
}
