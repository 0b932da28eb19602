import DICore
import DIScopes
import DITestSupport
import Testing

@Suite("Failures")
struct FailureTests {
    struct Broken: Error, Equatable {
        let number: Int
    }

    final class Leaf {}

    final class Middle {
        let leaf: Leaf
        init(_ leaf: Leaf) { self.leaf = leaf }
    }

    final class Root {
        let middle: Middle
        init(_ middle: Middle) { self.middle = middle }
    }

    final class Flexible {
        let middle: Middle?
        init(_ middle: Middle?) { self.middle = middle }
    }

    /// Root needs Middle needs Leaf, which is not registered.
    private static func chainWithoutLeaf() -> (box: Container, lines: [UInt]) {
        let box = Container()
        let line: UInt = #line
        box.register(Root.self) { r in Root(try r.require(Middle.self)) }
        box.register(Middle.self) { r in Middle(try r.require(Leaf.self)) }
        return (box, [line + 1, line + 2])
    }

    // MARK: E1

    @Test("E1: resolve gives nil and require throws; neither traps")
    func nilOrThrown() throws {
        let (box, _) = Self.chainWithoutLeaf()
        #expect(box.resolve(Leaf.self) == nil)
        #expect(box.resolve(Leaf.self, name: "a") == nil)
        #expect(box.resolve(Leaf.self, argument: 1) == nil)
        #expect(box.resolve(Leaf.self, arguments: 1, 2) == nil)
        #expect(box.resolve(Root.self) == nil)
        #expect(throws: ResolutionError.self) { try box.require(Leaf.self) }
        #expect(throws: ResolutionError.self) { try box.require(Leaf.self, name: "a") }
        #expect(throws: ResolutionError.self) { try box.require(Leaf.self, argument: 1) }
        #expect(throws: ResolutionError.self) { try box.require(Leaf.self, arguments: 1, 2) }
        #expect(throws: ResolutionError.self) { try box.require(Root.self) }
    }

    @Test("E1: the error has a code, the key, the path from the outermost request and the locations on it")
    func partsOfTheError() throws {
        let (box, lines) = Self.chainWithoutLeaf()
        let error = try #require(throws: ResolutionError.self) { try box.require(Root.self) }
        #expect(error.code == .notRegistered)
        #expect(error.key == ServiceKey(Leaf.self))
        #expect(error.path.map(\.key) == [ServiceKey(Root.self), ServiceKey(Middle.self), ServiceKey(Leaf.self)])
        #expect(error.path.map(\.location?.line) == [lines[0], lines[1], nil])
        #expect(error.path.map(\.location?.fileID) == [#fileID, #fileID, nil])
        #expect(error.underlying == nil)
    }

    @Test("E1: the error can be sent to another task and kept")
    func sendable() async throws {
        let (box, _) = Self.chainWithoutLeaf()
        let error = try #require(throws: ResolutionError.self) { try box.require(Root.self) }
        let text = await Task.detached { "\(error)" }.value
        #expect(text == "\(error)")
    }

    @Test(
        "E1: codes are stable words",
        arguments: [
            (ResolutionError.Code.notRegistered, "notRegistered"),
            (.argumentsMismatch, "argumentsMismatch"),
            (.circular, "circular"),
            (.depthExceeded, "depthExceeded"),
            (.typeMismatch, "typeMismatch"),
            (.factoryThrew, "factoryThrew"),
            (.containerGone, "containerGone"),
            (.invalidWiring, "invalidWiring"),
            (.scopeChanged, "scopeChanged"),
        ]
    )
    func codes(_ code: ResolutionError.Code, _ word: String) {
        #expect(code.rawValue == word)
        #expect(code == ResolutionError.Code(rawValue: word))
    }

    @Test("E1: there are at most three suggestions, the nearest name first, equals in the order of registration")
    func rankedSuggestions() throws {
        let box = Container()
        for name in ["production", "stage", "staging", "stagings", "test"] {
            box.register(Leaf.self, name: name) { _ in Leaf() }
        }
        let error = try #require(throws: ResolutionError.self) { try box.require(Leaf.self, name: "stagin") }
        #expect(error.suggestions.map(\.key.name) == ["staging", "stage", "stagings"])
    }

    @Test("E1: what is nothing like a registration has no suggestions")
    func noSuggestions() throws {
        let box = Container()
        box.register(Leaf.self) { _ in Leaf() }
        let error = try #require(throws: ResolutionError.self) { try box.require(Flexible.self) }
        #expect(error.suggestions.isEmpty)
    }

    @Test("E1: an instance of another type put into a storage is an error that names it")
    func wrongTypeInStorage() throws {
        final class Kept: InstanceStorage {
            var instance: Any?
            init(_ instance: Any?) { self.instance = instance }
        }
        let scope = ObjectScope(storageFactory: { Kept("text") }, description: "wrong")
        let box = Container()
        box.register(Leaf.self, scope: scope) { _ in Leaf() }
        let error = try #require(throws: ResolutionError.self) { try box.require(Leaf.self) }
        #expect(error.code == .typeMismatch)
        #expect(error.detail?.contains("String") == true)
        #expect(box.resolve(Leaf.self) == nil)
    }

    // MARK: E3

    @Test("E3: what a factory throws comes out of require, wrapped once, with the path")
    func factoryThrew() throws {
        let box = Container()
        box.register(Root.self) { r in Root(try r.require(Middle.self)) }
        box.register(Middle.self) { r in Middle(try r.require(Leaf.self)) }
        box.register(Leaf.self) { _ -> Leaf in throw Broken(number: 7) }
        let error = try #require(throws: ResolutionError.self) { try box.require(Root.self) }
        #expect(error.code == .factoryThrew)
        #expect(error.key == ServiceKey(Leaf.self))
        #expect(error.underlying as? Broken == Broken(number: 7))
        #expect(error.thrownBy == .factory)
        #expect(error.path.map(\.key) == [ServiceKey(Root.self), ServiceKey(Middle.self), ServiceKey(Leaf.self)])
        #expect(error.path.allSatisfy { $0.location != nil })
        #expect(box.resolve(Root.self) == nil)
    }

    @Test("E3: factories with runtime arguments throw as well")
    func factoryWithArgumentsThrew() throws {
        let box = Container()
        box.register(Leaf.self) { (_, number: Int) -> Leaf in throw Broken(number: number) }
        box.register(Leaf.self) { (_, number: Int, other: Int) -> Leaf in throw Broken(number: number + other) }
        let one = try #require(throws: ResolutionError.self) { try box.require(Leaf.self, argument: 1) }
        #expect(one.underlying as? Broken == Broken(number: 1))
        let two = try #require(throws: ResolutionError.self) { try box.require(Leaf.self, arguments: 1, 2) }
        #expect(two.underlying as? Broken == Broken(number: 3))
        #expect([one.thrownBy, two.thrownBy] == [.factory, .factory])
    }

    static let scopes: [ObjectScope] = [.transient, .graph, .container, .weak, .perContainer]

    @Test("E3: a factory that threw is not cached and does not poison its entry", arguments: scopes)
    func notCached(_ scope: ObjectScope) throws {
        let box = Container()
        let runs = Counter()
        box.register(Leaf.self, scope: scope) { _ in
            if runs.add() <= 2 { throw Broken(number: runs.value) }
            return Leaf()
        }
        let first = try #require(throws: ResolutionError.self) { try box.require(Leaf.self) }
        #expect(first.underlying as? Broken == Broken(number: 1))
        #expect(box.resolve(Leaf.self) == nil)
        _ = try box.require(Leaf.self)
        #expect(runs.value == 3)
    }

    @Test("E3: a factory may try again within one graph")
    func secondAttempt() throws {
        let box = Container()
        let runs = Counter()
        box.register(Leaf.self) { _ in
            if runs.add() == 1 { throw Broken(number: 1) }
            return Leaf()
        }
        box.register(Middle.self) { r in
            if let leaf = r.resolve(Leaf.self) { return Middle(leaf) }
            return Middle(try r.require(Leaf.self))
        }
        _ = try box.require(Middle.self)
        #expect(runs.value == 2)
    }

    @Test("E3: what a callback throws fails the request, and the instance is kept nowhere", arguments: scopes)
    func callbackThrew(_ scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let completed = Counter()
        box.register(Tracked.self, scope: scope) { _ in Tracked(tracker) }.initCompleted { _, _ in
            if completed.add() == 1 { throw Broken(number: 1) }
        }
        let error = try #require(throws: ResolutionError.self) { try box.require(Tracked.self) }
        #expect(error.code == .factoryThrew)
        #expect(error.underlying as? Broken == Broken(number: 1))
        #expect(error.thrownBy == .callback(0, of: 1))
        #expect(tracker.alive == 0)
        _ = try box.require(Tracked.self)
        #expect(tracker.made == 2)
        #expect(completed.value == 2)
    }

    @Test("E3: of several callbacks the error says which one threw, by its number and in words", arguments: scopes)
    func oneOfSeveralCallbacksThrew(_ scope: ObjectScope) throws {
        for thrower in 0..<3 {
            let box = Container()
            let entry = box.register(Leaf.self, scope: scope) { _ in Leaf() }
            for number in 0..<3 {
                entry.initCompleted { _, _ in if number == thrower { throw Broken(number: number) } }
            }
            box.register(Middle.self, scope: scope) { r in Middle(try r.require(Leaf.self)) }
                .initCompleted { _, _ in Issue.record("what it needs has failed") }
            let error = try #require(throws: ResolutionError.self) { try box.require(Middle.self) }
            #expect(error.key == ServiceKey(Leaf.self))
            #expect(error.thrownBy == .callback(thrower, of: 3))
            #expect(error.snapshot.thrownBy == "callback \(thrower + 1) of 3")
        }
    }

    @Test("E3: what fails in a callback and is no error of its own says nothing of who threw")
    func missingInCallback() throws {
        let box = Container()
        box.register(Leaf.self) { _ in Leaf() }.initCompleted { r, _ in _ = try r.require(Root.self) }
        let error = try #require(throws: ResolutionError.self) { try box.require(Leaf.self) }
        #expect(error.code == .notRegistered)
        #expect(error.thrownBy == nil)
    }

    @Test("E3: a resolver of one's own says who threw, or leaves it open")
    func throwerOfOwn() {
        func text(_ thrower: ResolutionError.Thrower?) -> Substring {
            let error = ResolutionError(
                .factoryThrew,
                key: ServiceKey(Int.self),
                underlying: Broken(number: 1),
                thrownBy: thrower
            )
            return "\(error)".prefix { $0 != ":" }
        }
        #expect(text(.callback(0, of: 1)) == "[factoryThrew] the callback of Int threw")
        #expect(text(nil) == "[factoryThrew] the factory or a callback of Int threw")
    }

    @Test("E3: an error of the framework's kind that a factory makes is passed on as it is")
    func ownError() throws {
        let box = Container()
        let code = ResolutionError.Code(rawValue: "closed")
        box.register(Leaf.self) { _ -> Leaf in
            throw ResolutionError(code, key: ServiceKey(Leaf.self), detail: "after hours")
        }
        let error = try #require(throws: ResolutionError.self) { try box.require(Leaf.self) }
        #expect(error.code == code)
        #expect(error.detail == "after hours")
    }

    @Test("E3: a failure is told to observers once, where it starts, also when resolve hides it")
    func toldOnce() throws {
        let box = Container()
        let recorder = EventRecorder(.failures)
        box.addObserver(recorder)
        box.register(Root.self) { r in Root(try r.require(Middle.self)) }
        box.register(Middle.self) { r in
            guard let leaf = r.resolve(Leaf.self) else { throw Broken(number: 2) }
            return Middle(leaf)
        }
        box.register(Leaf.self) { _ -> Leaf in throw Broken(number: 1) }
        #expect(box.resolve(Root.self) == nil)
        #expect(recorder.failures.map { $0.underlying as? Broken } == [Broken(number: 1), Broken(number: 2)])
        #expect(recorder.failures.map(\.path.count) == [3, 2])
    }

    // MARK: E4

    private static func chainWithFlexible() -> Container {
        let (box, _) = chainWithoutLeaf()
        box.register(Flexible.self) { r in Flexible(try r.require(Middle?.self)) }
        return box
    }

    @Test("E4: an optional dependency that is absent is nil")
    func absent() throws {
        let box = Container()
        box.register(Flexible.self) { r in Flexible(try r.require(Middle?.self)) }
        #expect(try box.require(Flexible.self).middle == nil)
    }

    @Test("E4: an optional dependency whose own dependency is missing is an error, not nil")
    func broken() throws {
        let box = Self.chainWithFlexible()
        let error = try #require(throws: ResolutionError.self) { try box.require(Flexible.self) }
        #expect(error.code == .notRegistered)
        #expect(error.path.map(\.key) == [ServiceKey(Flexible.self), ServiceKey(Middle.self), ServiceKey(Leaf.self)])
        #expect(box.resolve(Flexible.self) == nil)
        #expect(throws: ResolutionError.self) { try box.require(Middle?.self) }
        let outer: Middle?? = box.resolve(Middle?.self)
        #expect(outer.map { $0 != nil } == nil)
    }

    @Test("E4: an optional dependency whose factory throws is an error, not nil")
    func throwing() throws {
        let box = Container()
        box.register(Middle.self) { _ -> Middle in throw Broken(number: 4) }
        box.autoregister(Flexible.self, initializer: Flexible.init)
        let error = try #require(throws: ResolutionError.self) { try box.require(Flexible.self) }
        #expect(error.underlying as? Broken == Broken(number: 4))
    }

    @Test("E4: an optional dependency in a parent that is broken there is an error, too")
    func brokenInTheParent() throws {
        let box = Self.chainWithFlexible()
        let child = box.createChild()
        #expect(throws: ResolutionError.self) { try child.require(Flexible.self) }
        child.register(Leaf.self) { _ in Leaf() }
        #expect(try child.require(Flexible.self).middle != nil)
    }
}
