import DICore
import DIScopes
import DITestSupport
import Testing

/// Storages that are made of others.
@Suite("Composite storages")
struct CompositeStorageTests {
    private final class Part: Tracked {}

    final class FiveLineStorage: InstanceStorage {
        var instance: Any?
    }

    private struct Refused: Error {}

    @Test("S3: a composite gives the instance of the first component that has one")
    func first() {
        let tracker = LifetimeTracker()
        let components = [FiveLineStorage(), FiveLineStorage()]
        let storage = CompositeStorage(components)
        #expect(storage.instance == nil)
        let part = Part(tracker)
        components[1].instance = part
        #expect(storage.instance as? Part === part)
        let nearer = Part(tracker)
        components[0].instance = nearer
        #expect(storage.instance as? Part === nearer)
    }

    @Test("S3: setting a composite sets all its components, and clears them all")
    func setting() {
        let tracker = LifetimeTracker()
        let components = [FiveLineStorage(), FiveLineStorage()]
        let storage = CompositeStorage(components)
        storage.instance = Part(tracker)
        #expect(components.count { $0.instance != nil } == 2)
        storage.instance = nil
        #expect(components.count { $0.instance != nil } == 0)
        #expect(tracker.alive == 0)
    }

    @Test(
        "S3: a composite of weak and graph storages shares within a graph what nobody holds, and outside what somebody holds"
    )
    func weakAndGraph() throws {
        let scope = ObjectScope(storageFactory: WeakStorage.init, description: "held", parent: ObjectScope.graph)
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        box.register(Int.self) { r in
            for _ in 0..<3 { _ = try r.require(Part.self) }
            return 1
        }
        _ = try box.require(Int.self)
        #expect(tracker.made == 1)
        #expect(tracker.alive == 0)
        let part = try box.require(Part.self)
        #expect(try box.require(Part.self) === part)
        #expect(tracker.made == 2)
    }

    @Test("S3: a value type in a composite with a graph storage is shared within the graph alone")
    func valueType() throws {
        let scope = ObjectScope(storageFactory: WeakStorage.init, parent: ObjectScope.graph)
        let box = Container()
        let built = Counter()
        box.register(Int.self, scope: scope) { _ in built.add() }
        box.register([Int].self) { r in [try r.require(Int.self), try r.require(Int.self)] }
        #expect(try box.require([Int].self) == [1, 1])
        #expect(try box.require([Int].self) == [2, 2])
    }

    @Test("S3: a composite with a custom and the container storage is reset as a whole, by its own scope alone")
    func reset() throws {
        let scope = ObjectScope(storageFactory: FiveLineStorage.init, description: "own", parent: ObjectScope.container)
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        let part = try box.require(Part.self)
        box.resetObjectScope(ObjectScope.container)
        #expect(try box.require(Part.self) === part)
        box.resetObjectScope(scope)
        #expect(try box.require(Part.self) !== part)
        #expect(tracker.made == 2)
    }

    @Test("S3: a composite over the per-container scope has one instance for each container that asks")
    func perContainer() throws {
        let scope = ObjectScope(storageFactory: FiveLineStorage.init, parent: ObjectScope.perContainer)
        #expect(scope.residence == .askingContainer)
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        root.register(Part.self, scope: scope) { _ in Part(tracker) }
        let part = try child.require(Part.self)
        #expect(try child.require(Part.self) === part)
        #expect(try root.require(Part.self) !== part)
    }

    @Test("S3: a scope without a parent scope is one over its own storage")
    func noParent() throws {
        let scope = ObjectScope(storageFactory: FiveLineStorage.init, description: "own", parent: nil)
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        #expect(try box.require(Part.self) === box.require(Part.self))
        #expect(scope.description == "own")
    }

    @Test("S3: all components are told of the end of a graph")
    func graphCompleted() throws {
        final class Listening: InstanceStorage {
            var instance: Any?
            let completed: Counter

            init(_ completed: Counter) {
                self.completed = completed
            }

            func graphResolutionCompleted() { completed.add() }
        }
        let completed = Counter()
        let scope = ObjectScope(storageFactory: { CompositeStorage([Listening(completed), Listening(completed)]) })
        let box = Container()
        box.register(Int.self, scope: scope) { _ in 1 }
        _ = try box.require(Int.self)
        #expect(completed.value == 2)
        _ = try box.require(Int.self)
        #expect(completed.value == 2)
    }

    @Test("G7: an instance whose callback threw is in no component")
    func failed() throws {
        let scope = ObjectScope(storageFactory: FiveLineStorage.init, parent: ObjectScope.graph)
        let box = Container()
        let tracker = LifetimeTracker()
        var isRefusing = true
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
            .initCompleted { _, _ in if isRefusing { throw Refused() } }
        box.register(Int.self) { r in
            #expect(r.resolve(Part.self) == nil)
            #expect(r.resolve(Part.self) == nil)
            return tracker.made
        }
        #expect(try box.require(Int.self) == 2)
        #expect(tracker.alive == 0)
        isRefusing = false
        #expect(try box.require(Part.self) === box.require(Part.self))
    }

    @Test("G1: a property cycle in a composite scope points at itself, from either end")
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
        let scope = ObjectScope(storageFactory: WeakStorage.init, parent: ObjectScope.graph)
        let box = Container()
        box.register(Left.self, scope: scope) { _ in Left() }
            .initCompleted { r, left in left.right = try r.require(Right.self) }
        box.register(Right.self, scope: scope) { r in Right(try r.require(Left.self)) }
        let right = try box.require(Right.self)
        #expect(right.left.right === right)
        #expect(try box.require(Left.self) === right.left)
    }

    @Test("S3: a graph storage that is part of a composite remembers its object for the graph that somebody can join")
    func joined() throws {
        let scope = ObjectScope(storageFactory: { CompositeStorage([GraphStorage()]) })
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
        let graph = GraphIdentifier()
        let part = box.withObjectGraph(graph) { $0.resolve(Part.self) }
        #expect(part != nil)
        #expect(box.withObjectGraph(graph) { $0.resolve(Part.self) } === part)
        #expect(box.resolve(Part.self) !== part)
    }

    @Test("G7, S3: an instance that has failed is in no component, though another one took its place in another graph")
    func failedBesideAnother() throws {
        let scope = ObjectScope(storageFactory: FiveLineStorage.init, description: "both", parent: ObjectScope.graph)
        let box = Container()
        let tracker = LifetimeTracker()
        var isRefused = true
        var failed: [Part] = []
        final class Helper {}
        box.register(Part.self, scope: scope) { _ in Part(tracker) }
            .initCompleted { r, part in
                box.resetObjectScope(scope)
                _ = try r.require(Helper.self)
                guard isRefused else { return }
                failed.append(part)
                throw Refused()
            }
        box.register(Helper.self, scope: .container) { _ in Helper() }
            .initCompleted { r, _ in
                #expect(r.withObjectGraph(GraphIdentifier()) { $0.resolve(Part.self) } == nil)
            }
        box.register(Int.self) { r in
            #expect(r.resolve(Part.self) == nil)
            isRefused = false
            let part = try r.require(Part.self)
            #expect(!failed.contains { $0 === part })
            return 1
        }
        _ = try box.require(Int.self)
        #expect(failed.count == 2)
        #expect(tracker.made == 3)
    }
}
