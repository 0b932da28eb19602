import DICore
import DIScopes
import DITestSupport
import Testing

/// H1 to H3: children and parents.
/// Says where it was registered.
private final class Leaf: Tracked {
    let origin: String

    init(_ tracker: LifetimeTracker, _ origin: String) {
        self.origin = origin
        super.init(tracker)
    }
}

private final class Middle: Tracked {
    let leaf: Leaf

    init(_ tracker: LifetimeTracker, _ leaf: Leaf) {
        self.leaf = leaf
        super.init(tracker)
    }
}

private final class Top {
    let middle: Middle
    let leaf: Leaf

    init(_ middle: Middle, _ leaf: Leaf) {
        self.middle = middle
        self.leaf = leaf
    }
}

@Suite("Hierarchies")
struct HierarchyTests {
    static let scopes: [ObjectScope] = [.transient, .graph, .container, .weak, .perContainer]

    private static func registerMiddle(in box: Container, _ scope: ObjectScope, _ tracker: LifetimeTracker) {
        box.register(Middle.self, scope: scope) { r in Middle(tracker, try r.require(Leaf.self)) }
    }

    private static func registerLeaf(
        in box: Container,
        _ scope: ObjectScope,
        _ tracker: LifetimeTracker,
        _ origin: String,
        line: UInt = #line
    ) {
        box.register(Leaf.self, scope: scope, line: line) { _ in Leaf(tracker, origin) }
    }

    // MARK: H1

    @Test("H1: a child finds what it has, then what its parents have, the nearest first", arguments: scopes)
    func nearestFirst(scope: ObjectScope) throws {
        let root = Container()
        let middle = root.createChild()
        let child = middle.createChild()
        let tracker = LifetimeTracker()
        #expect(child.resolve(Leaf.self) == nil)
        Self.registerLeaf(in: root, scope, tracker, "root")
        #expect(try child.require(Leaf.self).origin == "root")
        Self.registerLeaf(in: middle, scope, tracker, "middle")
        #expect(try child.require(Leaf.self).origin == "middle")
        Self.registerLeaf(in: child, scope, tracker, "child")
        #expect(try child.require(Leaf.self).origin == "child")
        #expect(try middle.require(Leaf.self).origin == "middle")
        #expect(try root.require(Leaf.self).origin == "root")
        child.remove(Leaf.self)
        #expect(try child.require(Leaf.self).origin == "middle")
        middle.removeAll()
        #expect(try child.require(Leaf.self).origin == "root")
    }

    @Test("H1: names and runtime arguments are found level by level too")
    func namesAndArguments() throws {
        let root = Container()
        let child = root.createChild()
        root.register(String.self, name: "a") { _ in "root a" }
        root.register(String.self, name: "b") { _ in "root b" }
        root.register(String.self) { (_, number: Int) in "root \(number)" }
        child.register(String.self, name: "a") { _ in "child a" }
        #expect(child.resolve(String.self, name: "a") == "child a")
        #expect(child.resolve(String.self, name: "b") == "root b")
        #expect(child.resolve(String.self, argument: 3) == "root 3")
        #expect(child.resolve(String.self) == nil)
        #expect(root.resolve(String.self, name: "a") == "root a")
    }

    @Test("H1: a parent never sees a child's registrations, nor one child those of another", arguments: scopes)
    func parentSeesNothing(scope: ObjectScope) throws {
        let root = Container()
        let one = root.createChild()
        let other = root.createChild()
        let tracker = LifetimeTracker()
        Self.registerLeaf(in: one, scope, tracker, "one")
        #expect(root.resolve(Leaf.self) == nil)
        #expect(other.resolve(Leaf.self) == nil)
        Self.registerMiddle(in: root, .container, tracker)
        do throws(ResolutionError) {
            _ = try one.require(Middle.self)
            Issue.record("the parent has no leaf")
        } catch {
            #expect(error.code == .notRegistered)
            #expect(error.key == ServiceKey(Leaf.self))
        }
        #expect(tracker.alive == 0)
    }

    @Test("H1: a child holds its parent, and a parent holds no child")
    func lifetimes() throws {
        let tracker = LifetimeTracker()
        weak var root: Container?
        weak var gone: Container?
        do {
            let child: Container
            do {
                let parent = Container()
                Self.registerLeaf(in: parent, .container, tracker, "root")
                root = parent
                child = parent.createChild()
                do {
                    let sibling = parent.createChild()
                    _ = sibling.resolve(Leaf.self)
                    gone = sibling
                }
                #expect(gone == nil)
            }
            #expect(root != nil)
            #expect(child.resolve(Leaf.self) != nil)
            #expect(tracker.made == 1)
        }
        #expect(root == nil)
        #expect(tracker.alive == 0)
    }

    @Test("H1: a container-scoped entry of a parent is one instance for the parent and all its children")
    func sharedByAll() throws {
        let root = Container()
        let tracker = LifetimeTracker()
        Self.registerLeaf(in: root, .container, tracker, "root")
        let fromChild = try root.createChild().require(Leaf.self)
        #expect(try root.require(Leaf.self) === fromChild)
        #expect(try root.createChild().createChild().require(Leaf.self) === fromChild)
        #expect(tracker.made == 1)
    }

    // MARK: H2

    @Test(
        "H2: a kept service of the parent never captures a child's override",
        arguments: [ObjectScope.container, .weak]
    )
    func ownerBuilds(scope: ObjectScope) throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        Self.registerMiddle(in: root, scope, tracker)
        Self.registerLeaf(in: root, .graph, tracker, "root")
        Self.registerLeaf(in: child, .graph, tracker, "child")
        let first = try child.require(Middle.self)
        #expect(first.leaf.origin == "root")
        #expect(try root.require(Middle.self) === first)
        #expect(try child.require(Leaf.self).origin == "child")
    }

    @Test("H2: nor through a graph or transient service in between", arguments: [ObjectScope.container, .weak])
    func ownerBuildsDeeply(scope: ObjectScope) throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        root.register(Top.self, scope: scope) { r in Top(try r.require(Middle.self), try r.require(Leaf.self)) }
        Self.registerMiddle(in: root, .transient, tracker)
        Self.registerLeaf(in: root, .graph, tracker, "root")
        Self.registerLeaf(in: child, .graph, tracker, "child")
        let top = try child.require(Top.self)
        #expect(top.leaf.origin == "root")
        #expect(top.middle.leaf === top.leaf)
    }

    @Test(
        "H2: the callbacks of a kept service are given its owner, not the child",
        arguments: [ObjectScope.container, .weak]
    )
    func callbacksOfOwner(scope: ObjectScope) throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        let origins = Journal<String>()
        root.register(Int.self, scope: scope) { _ in 1 }
            .initCompleted { r, _ in origins.add(try r.require(Leaf.self).origin) }
        Self.registerLeaf(in: root, .graph, tracker, "root")
        Self.registerLeaf(in: child, .graph, tracker, "child")
        _ = try child.require(Int.self)
        #expect(origins.entries == ["root"])
    }

    @Test(
        "H2: a transient, graph or per-container service of the parent sees the overrides of the child that asks",
        arguments: [ObjectScope.transient, .graph, .perContainer]
    )
    func overridesApply(scope: ObjectScope) throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        Self.registerMiddle(in: root, scope, tracker)
        Self.registerLeaf(in: root, .graph, tracker, "root")
        Self.registerLeaf(in: child, .graph, tracker, "child")
        #expect(try child.require(Middle.self).leaf.origin == "child")
        #expect(try root.require(Middle.self).leaf.origin == "root")
        #expect(try child.require(Middle.self).leaf.origin == "child")
    }

    @Test("H2: an entry of the middle level is built by the middle level, from there and from above")
    func middleLevel() throws {
        let root = Container()
        let middle = root.createChild()
        let child = middle.createChild()
        let tracker = LifetimeTracker()
        Self.registerLeaf(in: root, .graph, tracker, "root")
        Self.registerMiddle(in: middle, .container, tracker)
        Self.registerLeaf(in: child, .graph, tracker, "child")
        let first = try child.require(Middle.self)
        #expect(first.leaf.origin == "root")
        middle.register(Middle.self, scope: .container) { r in Middle(tracker, try r.require(Leaf.self)) }
        Self.registerLeaf(in: middle, .graph, tracker, "middle")
        #expect(try child.require(Middle.self).leaf.origin == "middle")
    }

    private static func passedOver(_ recorder: EventRecorder) -> [String] {
        recorder.events.compactMap { event in
            guard case .overridePassedOver(let location) = event.kind, let key = event.key else { return nil }
            return "\(key) \(location.line)"
        }
    }

    @Test(
        "H2: an override that was passed over is reported to observers, with its place",
        arguments: [ObjectScope.container, .weak]
    )
    func passedOver(scope: ObjectScope) throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        let recorder = EventRecorder(.resolutions)
        Self.registerMiddle(in: root, scope, tracker)
        Self.registerLeaf(in: root, .graph, tracker, "root", line: 1)
        Self.registerLeaf(in: child, .graph, tracker, "child", line: 2)
        child.addObserver(recorder)
        let middle = try child.require(Middle.self)
        #expect(Self.passedOver(recorder) == ["Leaf 2"])
        recorder.reset()
        #expect(try child.require(Middle.self) === middle)
        #expect(Self.passedOver(recorder).isEmpty)
    }

    @Test("H2: nothing is reported where the parent asks, nor where the child overrides something else")
    func nothingPassedOver() throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        let recorder = EventRecorder(.resolutions)
        Self.registerMiddle(in: root, .container, tracker)
        Self.registerLeaf(in: root, .graph, tracker, "root")
        child.register(Int.self) { _ in 1 }
        child.register(Leaf.self, name: "other") { _ in Leaf(tracker, "child") }
        root.addObserver(recorder)
        _ = try child.require(Middle.self)
        root.resetObjectScope(ObjectScope.container)
        Self.registerLeaf(in: child, .graph, tracker, "child")
        _ = try root.require(Middle.self)
        #expect(Self.passedOver(recorder).isEmpty)
    }

    // MARK: Sharing nothing

    @Test(
        "H2: with sharing none a child's overrides apply to the parent's kept services",
        arguments: [ObjectScope.container, .weak]
    )
    func sharingNone(scope: ObjectScope) throws {
        let root = Container()
        let tracker = LifetimeTracker()
        Self.registerMiddle(in: root, scope, tracker)
        Self.registerLeaf(in: root, .graph, tracker, "root")
        let shared = try root.require(Middle.self)
        let child = Container(parent: root, sharing: .none)
        Self.registerLeaf(in: child, .graph, tracker, "child")
        let own = try child.require(Middle.self)
        #expect(own.leaf.origin == "child")
        #expect(try child.require(Middle.self) === own)
        #expect(try root.require(Middle.self) === shared)
        #expect(shared.leaf.origin == "root")
    }

    @Test("H2: with sharing none nothing gets into the parent, and what the child built ends with it")
    func sharingNoneLifetime() throws {
        let root = Container()
        let tracker = LifetimeTracker()
        Self.registerMiddle(in: root, .container, tracker)
        Self.registerLeaf(in: root, .container, tracker, "root")
        do {
            let child = Container(parent: root, sharing: .none)
            _ = try child.require(Middle.self)
            #expect(tracker.alive == 2)
            withExtendedLifetime(child) {}
        }
        #expect(tracker.alive == 0)
        #expect(try root.require(Middle.self).leaf.origin == "root")
        #expect(tracker.made == 4)
    }

    @Test("H2: a child of one that shares nothing uses what that one built, and its own overrides do not reach it")
    func childOfSharingNone() throws {
        let root = Container()
        let tracker = LifetimeTracker()
        Self.registerMiddle(in: root, .container, tracker)
        Self.registerLeaf(in: root, .graph, tracker, "root")
        let isolated = root.createChild(sharing: .none)
        Self.registerLeaf(in: isolated, .graph, tracker, "isolated")
        let child = isolated.createChild()
        Self.registerLeaf(in: child, .graph, tracker, "child")
        let fromChild = try child.require(Middle.self)
        #expect(fromChild.leaf.origin == "isolated")
        #expect(try isolated.require(Middle.self) === fromChild)
        #expect(try root.require(Middle.self) !== fromChild)
    }

    @Test("H2: sharing none at two levels: each has its own, built from its own registrations first")
    func sharingNoneTwice() throws {
        let root = Container()
        let tracker = LifetimeTracker()
        Self.registerMiddle(in: root, .container, tracker)
        Self.registerLeaf(in: root, .graph, tracker, "root")
        let outer = root.createChild(sharing: .none)
        Self.registerLeaf(in: outer, .graph, tracker, "outer")
        let inner = outer.createChild(sharing: .none)
        let fromInner = try inner.require(Middle.self)
        #expect(fromInner.leaf.origin == "outer")
        Self.registerLeaf(in: inner, .graph, tracker, "inner")
        #expect(try inner.require(Middle.self) === fromInner)
        inner.resetObjectScope(ObjectScope.container, includingParents: false)
        #expect(try inner.require(Middle.self).leaf.origin == "inner")
        let fromOuter = try outer.require(Middle.self)
        #expect(fromOuter.leaf.origin == "outer")
        #expect(fromOuter !== fromInner)
        #expect(try root.require(Middle.self).leaf.origin == "root")
    }

    @Test("H2: with sharing none the child's own kept services are kept as ever")
    func sharingNoneOwnEntries() throws {
        let root = Container()
        let tracker = LifetimeTracker()
        let child = root.createChild(sharing: .none)
        Self.registerLeaf(in: child, .container, tracker, "child")
        Self.registerMiddle(in: child, .container, tracker)
        let middle = try child.require(Middle.self)
        #expect(try child.require(Middle.self) === middle)
        #expect(try child.require(Leaf.self) === middle.leaf)
        #expect(tracker.made == 2)
    }

    @Test(
        "H2: with sharing none a property cycle of the parent's kept services points at itself, apart from the parent's"
    )
    func sharingNoneCycle() throws {
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
        root.register(Left.self, scope: .container) { _ in Left() }
            .initCompleted { r, left in left.right = try r.require(Right.self) }
        root.register(Right.self, scope: .container) { r in Right(try r.require(Left.self)) }
        let child = root.createChild(sharing: .none)
        let ofRoot = try root.require(Right.self)
        let ofChild = try child.require(Right.self)
        #expect(ofRoot.left.right === ofRoot)
        #expect(ofChild.left.right === ofChild)
        #expect(ofRoot !== ofChild)
    }

    // MARK: H3

    @Test("H3: one graph spans the levels: a leaf shared by a root in the child and a middle in the parent is one")
    func oneGraph() throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        Self.registerLeaf(in: root, .graph, tracker, "root")
        Self.registerMiddle(in: root, .graph, tracker)
        child.register(Top.self) { r in Top(try r.require(Middle.self), try r.require(Leaf.self)) }
        let top = try child.require(Top.self)
        #expect(top.middle.leaf === top.leaf)
        #expect(tracker.made == 2)
    }

    @Test("H3: over three levels, with the leaf at any of them", arguments: 0..<3)
    func threeLevels(level: Int) throws {
        let root = Container()
        let middle = root.createChild()
        let child = middle.createChild()
        let tracker = LifetimeTracker()
        Self.registerLeaf(in: [root, middle, child][level], .graph, tracker, "leaf")
        Self.registerMiddle(in: root, .transient, tracker)
        middle.register(Top.self) { r in Top(try r.require(Middle.self), try r.require(Leaf.self)) }
        let top = try child.require(Top.self)
        #expect(top.middle.leaf === top.leaf)
        #expect(top.leaf.origin == "leaf")
    }

    @Test(
        "H3: what was built for a child is never handed to what its owner builds",
        arguments: [ObjectScope.container, .weak]
    )
    func neverHandedOver(scope: ObjectScope) throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        Self.registerLeaf(in: root, .graph, tracker, "root")
        Self.registerMiddle(in: root, scope, tracker)
        child.register(Top.self) { r in
            let leaf = try r.require(Leaf.self)
            return Top(try r.require(Middle.self), leaf)
        }
        let top = try child.require(Top.self)
        #expect(top.middle.leaf !== top.leaf)
        #expect(tracker.made == 3)
    }

    @Test("H3: nor is what the owner built handed to the child in the same graph")
    func norTheReverse() throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        Self.registerLeaf(in: root, .graph, tracker, "root")
        Self.registerMiddle(in: root, .container, tracker)
        child.register(Top.self) { r in Top(try r.require(Middle.self), try r.require(Leaf.self)) }
        let top = try child.require(Top.self)
        #expect(top.middle.leaf !== top.leaf)
    }

    @Test("H3: two kept services of one owner share the owner's leaf within the graph of the child that asks")
    func ownersShareInGraph() throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        Self.registerLeaf(in: root, .graph, tracker, "root")
        for name in ["one", "other"] {
            root.register(Middle.self, name: name, scope: .container) { r in Middle(tracker, try r.require(Leaf.self)) }
        }
        child.register([Middle].self) { r in
            [try r.require(Middle.self, name: "one"), try r.require(Middle.self, name: "other")]
        }
        let middles = try child.require([Middle].self)
        #expect(middles[0].leaf === middles[1].leaf)
    }

    @Test("H3: the path of an error spans the levels")
    func path() {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        Self.registerMiddle(in: root, .container, tracker)
        child.register(Top.self) { r in Top(try r.require(Middle.self), try r.require(Leaf.self)) }
        do throws(ResolutionError) {
            _ = try child.require(Top.self)
            Issue.record("nobody has a leaf")
        } catch {
            #expect(error.path.map(\.key.description) == ["Top", "Middle", "Leaf"])
        }
    }

    @Test("H3: a child that is made and dropped inside a factory takes part in the graph of its parent")
    func childInsideFactory() throws {
        let root = Container()
        let tracker = LifetimeTracker()
        let live = Journal<Int>()
        Self.registerLeaf(in: root, .graph, tracker, "root")
        Self.registerMiddle(in: root, .graph, tracker)
        root.register(Int.self) { [unowned root] r in
            let child = root.createChild()
            Self.registerLeaf(in: child, .graph, tracker, "child")
            let ofChild = try child.require(Middle.self)
            let ofRoot = try r.require(Middle.self)
            #expect(ofChild.leaf.origin == "child")
            #expect(ofRoot.leaf.origin == "root")
            live.add(tracker.alive)
            return 1
        }
        #expect(root.resolve(Int.self) == 1)
        #expect(live.entries == [4])
        #expect(tracker.alive == 0)
    }
}
