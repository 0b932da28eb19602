import DICore
import DIScopes
import DITestSupport
import Testing

/// S5: a scope that is changed too late.
@Suite("Changing a scope")
struct ScopeChangeTests {
    private final class Part: Tracked {}

    static let scopes: [ObjectScope] = [.transient, .graph, .container, .weak, .perContainer]

    @Test(
        "S5: changing the scope of an entry that has produced an instance is an error to observers",
        arguments: scopes
    )
    func changed(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        let entry = box.register(Part.self, scope: scope, fileID: "App/Parts.swift", line: 3) { _ in Part(tracker) }
        _ = try box.require(Part.self)
        let next: ObjectScope = scope === ObjectScope.container ? .graph : .container
        entry.inObjectScope(next)
        let error = try #require(recorder.failures.first)
        #expect(recorder.failures.count == 1)
        #expect(error.code == .scopeChanged)
        #expect(error.key == ServiceKey(Part.self))
        #expect(error.description.contains("from \(scope) to \(next)"))
        #expect(error.description.contains("App/Parts.swift:3"))
    }

    @Test("S5: the change applies all the same, and the old instance is left to whoever holds it", arguments: scopes)
    func applies(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let entry = box.register(Part.self, scope: scope) { _ in Part(tracker) }
        _ = try box.require(Part.self)
        entry.inObjectScope(.container)
        #expect(tracker.alive == 0)
        #expect(try box.require(Part.self) === box.require(Part.self))
        entry.inObjectScope(.transient)
        #expect(try box.require(Part.self) !== box.require(Part.self))
        #expect(tracker.alive == 0)
    }

    @Test("S5: a change before the first instance is set-up, and no error", arguments: scopes)
    func beforeProduction(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        let entry = box.register(Part.self) { _ in Part(tracker) }
        entry.inObjectScope(.container).inObjectScope(scope)
        #expect(entry.scope === scope)
        _ = try box.require(Part.self)
        #expect(recorder.failures.isEmpty)
    }

    @Test("S5: a factory that failed has produced nothing")
    func failedProduction() {
        struct Refused: Error {}
        let box = Container()
        let recorder = EventRecorder(.failures)
        let entry = box.register(Part.self) { _ in throw Refused() }
        _ = box.resolve(Part.self)
        box.addObserver(recorder)
        entry.inObjectScope(.container)
        #expect(recorder.failures.isEmpty)
    }

    @Test("S5: registering the key again is no change of scope")
    func registeredAgain() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        box.register(Part.self, scope: .graph) { _ in Part(tracker) }
        _ = try box.require(Part.self)
        box.register(Part.self, scope: .container) { _ in Part(tracker) }
        #expect(try box.require(Part.self) === box.require(Part.self))
        #expect(recorder.failures.isEmpty)
    }

    @Test("S5: a change through a forwarded type is reported for the entry that it stands for")
    func forwarded() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        let entry = box.register(Part.self) { _ in Part(tracker) }
        let forwarding = box.forward(Tracked.self, to: entry)
        _ = try box.require(Tracked.self)
        forwarding.inObjectScope(.container)
        #expect(recorder.failures.map(\.code) == [.scopeChanged])
        #expect(entry.scope === ObjectScope.container)
        #expect(try box.require(Tracked.self) === box.require(Part.self))
    }

    @Test(
        "S5: an instance that was produced for a child counts",
        arguments: [ObjectScope.graph, .container, .perContainer]
    )
    func producedForChild(scope: ObjectScope) throws {
        let root = Container()
        let tracker = LifetimeTracker()
        let recorder = EventRecorder(.failures)
        root.addObserver(recorder)
        let entry = root.register(Part.self, scope: scope) { _ in Part(tracker) }
        _ = try root.createChild().require(Part.self)
        entry.inObjectScope(.weak)
        #expect(recorder.failures.map(\.code) == [.scopeChanged])
    }

    private final class Cell<Value> {
        var value: Value?
    }

    @Test("S5: a scope that is set while the first instance is being built holds for the next ones")
    func whileBuilding() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let entry = Cell<ServiceEntry<Part>>()
        // The factory holds the entry, which holds the factory.
        defer { entry.value = nil }
        entry.value = box.register(Part.self, scope: .graph) { _ in
            if tracker.made == 0 { entry.value?.inObjectScope(.container) }
            return Part(tracker)
        }
        _ = try box.require(Part.self)
        #expect(entry.value?.anyEntry.scope === ObjectScope.container)
        #expect(try box.require(Part.self) === box.require(Part.self))
    }

    @Test("S5: a change to another scope that is kept by each container applies in every container")
    func betweenPerContainerScopes() throws {
        let other = ObjectScope(storageFactory: TransientStorage.init, residence: .askingContainer)
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        let entry = root.register(Part.self, scope: .perContainer) { _ in Part(tracker) }
        _ = try (root.require(Part.self), child.require(Part.self))
        entry.inObjectScope(other)
        #expect(try child.require(Part.self) !== child.require(Part.self))
        let kept = ObjectScope(storageFactory: WeakStorage.init, residence: .askingContainer)
        entry.inObjectScope(kept)
        do {
            let part = try child.require(Part.self)
            #expect(try child.require(Part.self) === part)
        }
        let made = tracker.made
        _ = try (root.require(Part.self), child.require(Part.self))
        #expect(tracker.made == made + 2)
    }

    @Test("S5: a change applies also to what a child with sharing none has built of it")
    func sharingNone() throws {
        let root = Container()
        let child = root.createChild(sharing: .none)
        let tracker = LifetimeTracker()
        let entry = root.register(Part.self, scope: .container) { _ in Part(tracker) }
        _ = try child.require(Part.self)
        entry.inObjectScope(.weak)
        do {
            let part = try child.require(Part.self)
            #expect(try child.require(Part.self) === part)
        }
        let made = tracker.made
        _ = try child.require(Part.self)
        #expect(tracker.made == made + 1)
    }

    @Test("S5: a deinit of the old scope's instance may resolve")
    func deinitResolves() throws {
        final class Farewell {
            let say: () -> Void

            init(_ say: @escaping () -> Void) {
                self.say = say
            }

            deinit {
                say()
            }
        }
        let box = Container()
        let said = Counter()
        let entry = box.register(Farewell.self, scope: .container) { [unowned box] _ in
            Farewell {
                if said.add() == 1 { _ = box.resolve(Farewell.self) }
            }
        }
        _ = try box.require(Farewell.self)
        entry.inObjectScope(.transient)
        #expect(said.value == 2)
    }
}
