import DICore
import DIScopes
import DITestSupport
import Testing

/// S4: dropping the instances of a scope.
@Suite("Resetting a scope")
struct ScopeResetTests {
    private final class Part: Tracked {}
    private final class OtherPart: Tracked {}

    /// Runs a closure when it is released.
    private final class Farewell {
        let say: () -> Void

        init(_ say: @escaping () -> Void) {
            self.say = say
        }

        deinit {
            say()
        }
    }

    /// The four forms.
    enum Form: Sendable, CaseIterable {
        case all, allHere, type, typeHere

        var reachesParents: Bool { self == .all || self == .type }
        var isPerType: Bool { self == .type || self == .typeHere }

        func reset(_ scope: ObjectScope, in box: Container) {
            switch self {
            case .all: box.resetObjectScope(scope)
            case .allHere: box.resetObjectScope(scope, includingParents: false)
            case .type: box.resetObjectScope(scope, serviceType: Part.self)
            case .typeHere: box.resetObjectScope(scope, serviceType: Part.self, includingParents: false)
            }
        }
    }

    @Test(
        "S4: a form reaches parents or stays here, takes all types or one, also where the child has no such entry",
        arguments: Form.allCases
    )
    func forms(form: Form) throws {
        let root = Container()
        let middle = root.createChild()
        let child = middle.createChild()
        let tracker = LifetimeTracker()
        for (name, box) in [("root", root), ("middle", middle)] {
            box.register(Part.self, name: name, scope: .container) { _ in Part(tracker) }
            box.register(OtherPart.self, name: name, scope: .container) { _ in OtherPart(tracker) }
        }
        func instances() throws -> [Tracked] {
            try ["root", "middle"].flatMap { name in
                [try child.require(Part.self, name: name), try child.require(OtherPart.self, name: name)] as [Tracked]
            }
        }
        let before = try instances()
        form.reset(.container, in: child)
        let isKept = zip(before, try instances()).map { $0 === $1 }
        let parts = !form.reachesParents
        let others = !form.reachesParents || form.isPerType
        #expect(isKept == [parts, others, parts, others])
    }

    @Test("S4: a form that stays here resets what this container has", arguments: Form.allCases)
    func ownEntries(form: Form) throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        root.register(Part.self, name: "root", scope: .container) { _ in Part(tracker) }
        child.register(Part.self, scope: .container) { _ in Part(tracker) }
        let own = try child.require(Part.self)
        let parents = try child.require(Part.self, name: "root")
        form.reset(.container, in: child)
        #expect(try child.require(Part.self) !== own)
        #expect((try child.require(Part.self, name: "root") === parents) == !form.reachesParents)
    }

    @Test("S4: a parent's reset leaves its children alone", arguments: Form.allCases)
    func children(form: Form) throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        child.register(Part.self, scope: .container) { _ in Part(tracker) }
        let own = try child.require(Part.self)
        form.reset(.container, in: root)
        #expect(try child.require(Part.self) === own)
    }

    @Test("S4: the per-type form takes every name and every list of arguments of the type")
    func namesAndArguments() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: .container) { _ in Part(tracker) }
        box.register(Part.self, name: "a", scope: .container) { _ in Part(tracker) }
        box.register(Part.self, scope: .container) { (_, _: Int) in Part(tracker) }
        box.register(OtherPart.self, scope: .container) { _ in OtherPart(tracker) }
        _ = try (box.require(Part.self), box.require(Part.self, name: "a"), box.require(Part.self, argument: 1))
        _ = try box.require(OtherPart.self)
        #expect(tracker.alive == 4)
        box.resetObjectScope(ObjectScope.container, serviceType: Part.self)
        #expect(tracker.alive == 1)
        withExtendedLifetime(box) {}
    }

    @Test("S4: only the scope that is named is reset", arguments: Form.allCases)
    func otherScopes(form: Form) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, name: "container", scope: .container) { _ in Part(tracker) }
        box.register(Part.self, name: "weak", scope: .weak) { _ in Part(tracker) }
        box.register(Part.self, name: "perContainer", scope: .perContainer) { _ in Part(tracker) }
        let names = ["container", "weak", "perContainer"]
        for (index, scope) in [ObjectScope.container, .weak, .perContainer].enumerated() {
            let before = try names.map { try box.require(Part.self, name: $0) }
            form.reset(scope, in: box)
            let after = try names.map { try box.require(Part.self, name: $0) }
            #expect(zip(before, after).map { $0 === $1 } == (0..<3).map { $0 != index })
        }
    }

    @Test("S4: a weak scope that is reset builds anew although somebody holds the instance")
    func weakScope() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: .weak) { _ in Part(tracker) }
        let held = try box.require(Part.self)
        box.resetObjectScope(ObjectScope.weak)
        let next = try box.require(Part.self)
        #expect(next !== held)
        #expect(try box.require(Part.self) === next)
        #expect(tracker.alive == 2)
        withExtendedLifetime((held, next)) {}
    }

    @Test("S4: resetting graph and transient scopes does nothing", arguments: [ObjectScope.graph, .transient])
    func unkeptScopes(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        let part = try box.require(Part.self)
        box.resetObjectScope(scope)
        #expect(try box.require(Part.self) !== part)
        #expect(tracker.made == 2)
    }

    @Test("S4: a reset through a forwarded type renews the instance of all its keys", arguments: Form.allCases)
    func forwarded(form: Form) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(OtherPart.self, name: "base", scope: .container) { _ in OtherPart(tracker) }
            .implements(Tracked.self)
        let before = try box.require(Tracked.self)
        #expect(try box.require(OtherPart.self, name: "base") === before)
        switch form {
        case .all, .allHere: form.reset(.container, in: box)
        case .type: box.resetObjectScope(ObjectScope.container, serviceType: Tracked.self)
        case .typeHere: box.resetObjectScope(ObjectScope.container, serviceType: Tracked.self, includingParents: false)
        }
        let after = try box.require(Tracked.self)
        #expect(after !== before)
        #expect(try box.require(OtherPart.self, name: "base") === after)
    }

    @Test("S4: what a reset drops is released at once, and what others hold lives on")
    func released() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, name: "held", scope: .container) { _ in Part(tracker) }
        box.register(Part.self, name: "free", scope: .container) { _ in Part(tracker) }
        let held = try box.require(Part.self, name: "held")
        _ = try box.require(Part.self, name: "free")
        box.resetObjectScope(ObjectScope.container)
        #expect(tracker.alive == 1)
        withExtendedLifetime(held) {}
        withExtendedLifetime(box) {}
    }

    @Test(
        "S4: a released instance whose deinit resolves finds its scope reset as a whole",
        arguments: [ObjectScope.container, .perContainer]
    )
    func deinitResolves(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let seen = Journal<ObjectIdentifier>()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        for name in ["before", "after"] {
            box.register(Farewell.self, name: name, scope: scope) { [unowned box] _ in
                Farewell { if let part = box.resolve(Part.self) { seen.add(ObjectIdentifier(part)) } }
            }
        }
        let old = try box.require(Part.self)
        _ = try (box.require(Farewell.self, name: "before"), box.require(Farewell.self, name: "after"))
        box.resetObjectScope(scope)
        let new = try box.require(Part.self)
        #expect(new !== old)
        #expect(seen.entries == [ObjectIdentifier(new), ObjectIdentifier(new)])
        // Two more would be said when the container ends, and it is gone by then.
        box.remove(ServiceKey(Farewell.self, name: "before"))
        box.remove(ServiceKey(Farewell.self, name: "after"))
    }

    @Test("S4: a released instance whose deinit registers, resets and resolves itself does no harm")
    func deinitDoesEverything() throws {
        let box = Container()
        let said = Counter()
        box.register(Farewell.self, scope: .container) { [unowned box] _ in
            Farewell {
                guard said.add() < 5 else { return }
                box.register(Int.self, name: "\(said.value)", scope: .container) { _ in said.value }
                _ = box.resolve(Int.self, name: "\(said.value)")
                _ = box.resolve(Farewell.self)
                box.resetObjectScope(ObjectScope.container)
            }
        }
        _ = try box.require(Farewell.self)
        box.resetObjectScope(ObjectScope.container)
        #expect(said.value == 5)
        #expect(box.resolve(Int.self, name: "4") == 5)
    }

    @Test("S4: a scope that is reset while an instance of it is being built does not keep that one")
    func resetWhileBuilding() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: .container) { _ in Part(tracker) }
            .initCompleted { [unowned box] _, _ in
                if tracker.made == 1 { box.resetObjectScope(ObjectScope.container) }
            }
        let first = try box.require(Part.self)
        let second = try box.require(Part.self)
        #expect(first !== second)
        #expect(try box.require(Part.self) === second)
    }

    @Test("S4: a reset is told to observers")
    func observed() {
        let box = Container()
        let recorder = EventRecorder(.registrations)
        box.addObserver(recorder)
        for form in Form.allCases { form.reset(.container, in: box) }
        let scopes = recorder.events.compactMap { event in
            if case .scopeReset(let scope) = event.kind { scope } else { nil }
        }
        #expect(scopes == ["container", "container", "container", "container"])
    }

    @Test("S4: with sharing none a reset drops what the child built of its parents' entries")
    func sharingNone() throws {
        let root = Container()
        let tracker = LifetimeTracker()
        root.register(Part.self, scope: .container) { _ in Part(tracker) }
        let child = root.createChild(sharing: .none)
        let ofRoot = try root.require(Part.self)
        let ofChild = try child.require(Part.self)
        child.resetObjectScope(ObjectScope.container, includingParents: false)
        #expect(try child.require(Part.self) !== ofChild)
        #expect(try root.require(Part.self) === ofRoot)
        child.resetObjectScope(ObjectScope.container, serviceType: Part.self, includingParents: false)
        #expect(tracker.alive == 2)
        withExtendedLifetime((root, child, ofRoot, ofChild)) {}
    }
}
