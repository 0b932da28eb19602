import DICore
import DIScopes
import DITestSupport
import Testing

/// S3: scopes and storages of the user's own.
@Suite("Custom scopes")
struct CustomScopeTests {
    private class Part: Tracked {}

    private final class SpecialPart: Part {}

    /// The smallest storage.
    final class FiveLineStorage: InstanceStorage {
        var instance: Any?
    }

    /// A storage that the core reads by its cell.
    final class CellStorage: InstanceStorage {
        private let cell = InstanceCell()
        var instance: Any? {
            get { cell.instance }
            set { cell.instance = newValue }
        }
        var sharedCell: InstanceCell? { cell }
    }

    /// Remembers the storages that it made.
    // Unchecked: each test has its own and uses it on one thread.
    final class RecordingScope: ObjectScopeProtocol, @unchecked Sendable {
        private(set) var storages: [any InstanceStorage] = []
        private let make: () -> any InstanceStorage
        let residence: Residence

        init(residence: Residence = .owner, _ make: @escaping () -> any InstanceStorage) {
            self.residence = residence
            self.make = make
        }

        func makeStorage() -> any InstanceStorage {
            let storage = make()
            storages.append(storage)
            return storage
        }
    }

    enum Kind: Sendable, CaseIterable {
        case fiveLines, cell

        var scope: RecordingScope {
            switch self {
            case .fiveLines: RecordingScope { FiveLineStorage() }
            case .cell: RecordingScope { CellStorage() }
            }
        }
    }

    @Test("S3: a scope over a storage of five lines keeps one instance for each entry", arguments: Kind.allCases)
    func kept(kind: Kind) throws {
        let scope = kind.scope
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        box.register(Part.self, name: "other", scope: scope) { _ in Part(tracker) }
        #expect(scope.storages.count == 2)
        #expect(scope.storages[0] !== scope.storages[1])
        let part = try box.require(Part.self)
        #expect(try box.require(Part.self) === part)
        #expect(try box.createChild().require(Part.self) === part)
        #expect(try box.require(Part.self, name: "other") !== part)
        #expect(scope.storages.count == 2)
        #expect(scope.storages[0].instance as? Part === part)
    }

    @Test("S3: a scope made from a storage factory in one line does the same")
    func objectScope() throws {
        let scope = ObjectScope(storageFactory: FiveLineStorage.init, description: "session")
        let box = Container()
        let tracker = LifetimeTracker()
        let entry = box.register(Part.self, scope: scope) { _ in Part(tracker) }
        #expect("\(entry.scope)" == "session")
        #expect(try box.require(Part.self) === box.require(Part.self))
        box.resetObjectScope(scope)
        #expect(tracker.alive == 0)
    }

    @Test("S3: what is put into the storage from outside is what resolving returns", arguments: Kind.allCases)
    func putFromOutside(kind: Kind) throws {
        let scope = kind.scope
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        let own = Part(tracker)
        scope.storages[0].instance = own
        #expect(try box.require(Part.self) === own)
        let next = SpecialPart(tracker)
        scope.storages[0].instance = next
        #expect(try box.require(Part.self) === next)
        #expect(try box.createChild().require(Part.self) === next)
        #expect(tracker.made == 2)
        scope.storages[0].instance = nil
        #expect(try box.require(Part.self) !== next)
        #expect(tracker.made == 3)
    }

    @Test("S3: so is what was put in before the registration", arguments: Kind.allCases)
    func putBeforeRegistration(kind: Kind) throws {
        let storage = kind.scope.makeStorage()
        let tracker = LifetimeTracker()
        let own = SpecialPart(tracker)
        storage.instance = own
        let box = Container()
        box.register(Part.self, scope: RecordingScope { storage }) { _ in Part(tracker) }
        #expect(try box.require(Part.self) === own)
        #expect(tracker.made == 1)
    }

    @Test("S3: what is put in in place of a built instance replaces it", arguments: Kind.allCases)
    func putAfterBuilding(kind: Kind) throws {
        let scope = kind.scope
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        _ = try box.require(Part.self)
        let own = Part(tracker)
        scope.storages[0].instance = own
        #expect(try box.require(Part.self) === own)
        #expect(tracker.alive == 1)
        withExtendedLifetime((box, scope)) {}
    }

    @Test("S3: values and protocol types can be put in too", arguments: Kind.allCases)
    func putValues(kind: Kind) throws {
        let scope = kind.scope
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Int.self, scope: scope) { _ in 1 }
        box.register((any AnyObject).self, scope: scope) { _ in Part(tracker) }
        box.register(Any.self, scope: scope) { _ in 1 }
        let own = Part(tracker)
        scope.storages[0].instance = 7
        scope.storages[1].instance = own
        scope.storages[2].instance = "text"
        #expect(try box.require(Int.self) == 7)
        #expect(try box.require((any AnyObject).self) === own)
        #expect(try box.require(Any.self) as? String == "text")
    }

    enum Moment: Sendable, CaseIterable { case beforeRegistration, afterRegistration, afterBuilding }

    @Test(
        "S3: a value of another type in the storage is an error that says so, and no crash",
        arguments: Kind.allCases,
        Moment.allCases
    )
    func wrongType(kind: Kind, moment: Moment) throws {
        let storage = kind.scope.makeStorage()
        let box = Container()
        let tracker = LifetimeTracker()
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        if moment == .beforeRegistration { storage.instance = "text" }
        box.register(Part.self, scope: RecordingScope { storage }) { _ in Part(tracker) }
        if moment == .afterBuilding { _ = try box.require(Part.self) }
        if moment != .beforeRegistration { storage.instance = "text" }
        #expect(storage.instance as? String == "text")
        do throws(ResolutionError) {
            _ = try box.require(Part.self)
            Issue.record("a text is no part")
        } catch {
            #expect(error.code == .typeMismatch)
            #expect(error.key == ServiceKey(Part.self))
            #expect(error.description.contains("String"))
        }
        #expect(box.resolve(Part.self) == nil)
        #expect(recorder.failures.map(\.code) == [.typeMismatch, .typeMismatch])
        #expect(tracker.alive == 0)
        storage.instance = nil
        #expect(box.resolve(Part.self) != nil)
    }

    @Test("S3: a superclass's instance is of another type too", arguments: Kind.allCases)
    func superclass(kind: Kind) {
        let scope = kind.scope
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(SpecialPart.self, scope: scope) { _ in SpecialPart(tracker) }
        scope.storages[0].instance = Part(tracker)
        #expect(box.resolve(SpecialPart.self) == nil)
        scope.storages[0].instance = SpecialPart(tracker)
        #expect(box.resolve(SpecialPart.self) != nil)
        #expect(tracker.made == 2)
    }

    @Test("S3: resetting a custom scope empties it and no other scope", arguments: Kind.allCases)
    func reset(kind: Kind) throws {
        let scope = kind.scope
        let other = kind.scope
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        box.register(Part.self, name: "other", scope: other) { _ in Part(tracker) }
        box.register(Part.self, name: "container", scope: .container) { _ in Part(tracker) }
        let names = [nil, "other", "container"]
        let before = try names.map { try box.require(Part.self, name: $0) }
        box.resetObjectScope(scope)
        let after = try names.map { try box.require(Part.self, name: $0) }
        #expect(zip(before, after).map { $0 === $1 } == [false, true, true])
    }

    @Test(
        "S3: two entries that are given one and the same storage do not mistake each other's type",
        arguments: Kind.allCases
    )
    func sharedStorage(kind: Kind) throws {
        let storage = kind.scope.makeStorage()
        let scope = RecordingScope { storage }
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        box.register(Int.self, scope: scope) { _ in 1 }
        let part = try box.require(Part.self)
        do throws(ResolutionError) {
            _ = try box.require(Int.self)
            Issue.record("the storage holds a part")
        } catch {
            #expect(error.code == .typeMismatch)
        }
        #expect(try box.require(Part.self) === part)
    }

    @Test("S3: a storage is told of the end of each graph in which it was given an instance, and of no other")
    func graphCompleted() throws {
        final class Listening: InstanceStorage {
            var instance: Any?
            var completed = 0

            func graphResolutionCompleted() { completed += 1 }
        }
        let storage = Listening()
        let box = Container()
        let tracker = LifetimeTracker()
        let duringGraph = Journal<Int>()
        box.register(Part.self, scope: RecordingScope { storage }) { _ in Part(tracker) }
        box.register(Int.self, scope: .transient) { r in
            _ = try r.require(Part.self)
            duringGraph.add(storage.completed)
            return 1
        }
        _ = try box.require(Int.self)
        #expect(duringGraph.entries == [0])
        #expect(storage.completed == 1)
        _ = try box.require(Int.self)
        #expect(storage.completed == 1)
        storage.instance = nil
        _ = try box.require(Part.self)
        #expect(storage.completed == 2)
    }

    @Test("S3: a storage may keep one instance for each graph, told apart by the identifier")
    func perGraph() throws {
        final class PerGraph: InstanceStorage {
            private var instances: [GraphIdentifier: Any] = [:]
            var instance: Any?

            func instance(inGraph graph: GraphIdentifier) -> Any? { instances[graph] }
            func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) { instances[graph] = instance }
        }
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: RecordingScope { PerGraph() }) { _ in Part(tracker) }
        box.register([Part].self) { r in [try r.require(Part.self), try r.require(Part.self)] }
        let first = try box.require([Part].self)
        let second = try box.require([Part].self)
        #expect(first[0] === first[1])
        #expect(second[0] === second[1])
        #expect(first[0] !== second[0])
        #expect(box.resolve(Part.self) !== box.resolve(Part.self))
        #expect(tracker.made == 4)
    }

    // MARK: The core's storages with another residence

    @Test("S3: a transient storage in a scope with the default residence keeps nothing, and its owner builds")
    func transientStorage() throws {
        let scope = ObjectScope(storageFactory: TransientStorage.init)
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        root.register(Part.self, scope: scope) { r in
            #expect(r === root)
            return Part(tracker)
        }
        root.register([Part].self) { r in [try r.require(Part.self), try r.require(Part.self)] }
        let parts = try child.require([Part].self)
        #expect(parts[0] !== parts[1])
        #expect(tracker.made == 2)
    }

    @Test("S3: a graph storage in a scope with the default residence shares within the graph, and its owner builds")
    func graphStorage() throws {
        let scope = ObjectScope(storageFactory: GraphStorage.init)
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        root.register(Part.self, scope: scope) { r in
            #expect(r === root)
            return Part(tracker)
        }
        child.register([Part].self) { [unowned root] r in
            [try r.require(Part.self), try r.require(Part.self), try root.require(Part.self)]
        }
        let parts = try child.require([Part].self)
        #expect(parts[0] === parts[1])
        #expect(parts[0] === parts[2])
        #expect(tracker.made == 1)
        #expect(child.resolve(Part.self) !== parts[0])
    }

    @Test("S3: a graph storage with the default residence takes part in a property cycle")
    func graphStorageCycle() throws {
        final class Left {
            weak var right: Right?
        }
        final class Right {
            let left: Left

            init(_ left: Left) {
                self.left = left
            }
        }
        let scope = ObjectScope(storageFactory: GraphStorage.init)
        let box = Container()
        box.register(Left.self, scope: scope) { _ in Left() }
            .initCompleted { r, left in left.right = try r.require(Right.self) }
        box.register(Right.self, scope: scope) { r in Right(try r.require(Left.self)) }
        let right = try box.require(Right.self)
        #expect(right.left.right === right)
    }

    @Test("S3: a graph storage kept by each container that asks is apart for a child and its parent")
    func graphStoragePerContainer() throws {
        let scope = ObjectScope(storageFactory: GraphStorage.init, residence: .askingContainer)
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        root.register(Part.self, scope: scope) { _ in Part(tracker) }
        child.register([Part].self) { [unowned root] r in
            [try r.require(Part.self), try r.require(Part.self), try root.require(Part.self)]
        }
        let parts = try child.require([Part].self)
        #expect(parts[0] === parts[1])
        #expect(parts[0] !== parts[2])
    }

    @Test("S3: a custom storage kept by each container that asks is made once for each", arguments: Kind.allCases)
    func customPerContainer(kind: Kind) throws {
        let scope = RecordingScope(residence: .askingContainer) { kind.scope.makeStorage() }
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        root.register(Part.self, scope: scope) { _ in Part(tracker) }
        let part = try child.require(Part.self)
        #expect(try child.require(Part.self) === part)
        #expect(try root.require(Part.self) !== part)
        #expect(tracker.made == 2)
        #expect(scope.storages.count { $0.instance != nil } == 2)
        let own = Part(tracker)
        scope.storages.first { $0.instance as? Part === part }?.instance = own
        #expect(try child.require(Part.self) === own)
    }
}
