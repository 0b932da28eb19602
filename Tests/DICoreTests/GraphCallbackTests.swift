import DICore
import DIScopes
import DITestSupport
import Testing

/// G3: when the actions of `initCompleted` run.
@Suite("Callbacks of a graph")
struct GraphCallbackTests {
    private final class Part {
        var isComplete = false
        var other: Whole?
    }

    private final class Whole {
        let part: Part
        var isComplete = false

        init(_ part: Part) {
            self.part = part
        }
    }

    static let scopes: [ObjectScope] = [.transient, .graph, .container, .weak, .perContainer]

    @Test("G3: callbacks run in the order in which they were added", arguments: scopes)
    func order(scope: ObjectScope) throws {
        let box = Container()
        let journal = Journal<Int>()
        box.register(Part.self, scope: scope) { _ in
            journal.add(0)
            return Part()
        }
        .initCompleted { _, _ in journal.add(1) }
        .initCompleted { _, _ in journal.add(2) }
        .initCompleted { _, _ in journal.add(3) }
        _ = try box.require(Part.self)
        #expect(journal.entries == [0, 1, 2, 3])
    }

    @Test("G3: callbacks run once for each instance that is kept, however often it is asked for", arguments: scopes)
    func oncePerInstance(scope: ObjectScope) throws {
        let box = Container()
        let callbacks = Counter()
        let built = Counter()
        box.register(Part.self, scope: scope) { _ in
            built.add()
            return Part()
        }
        .initCompleted { _, _ in callbacks.add() }
        box.register([Part].self) { r in [try r.require(Part.self), try r.require(Part.self)] }
        let held = try (box.require([Part].self), box.require([Part].self))
        #expect(callbacks.value == built.value)
        let expected = scope === ObjectScope.transient ? 4 : scope === ObjectScope.graph ? 2 : 1
        #expect(Set((held.0 + held.1).map(ObjectIdentifier.init)).count == expected)
        #expect(callbacks.value == expected)
    }

    @Test("G3: a constructor sees only dependencies whose own callbacks have run", arguments: scopes)
    func constructorSeesFinished(scope: ObjectScope) throws {
        let box = Container()
        let journal = Journal<String>()
        box.register(Part.self, scope: scope) { _ in Part() }
            .initCompleted { _, part in
                part.isComplete = true
                journal.add("part")
            }
        box.register(Whole.self, scope: scope) { r in
            let part = try r.require(Part.self)
            #expect(part.isComplete)
            journal.add("whole is made")
            return Whole(part)
        }
        .initCompleted { _, whole in
            #expect(whole.part.isComplete)
            journal.add("whole")
        }
        _ = try box.require(Whole.self)
        #expect(journal.entries == ["part", "whole is made", "whole"])
    }

    @Test("G3: a callback runs after its instance is stored: it resolves itself", arguments: scopes)
    func storedBeforeCallback(scope: ObjectScope) throws {
        guard scope !== ObjectScope.transient else { return }
        let box = Container()
        let seen = Journal<ObjectIdentifier>()
        box.register(Part.self, scope: scope) { _ in Part() }
            .initCompleted { r, _ in seen.add(ObjectIdentifier(try r.require(Part.self))) }
        let part = try box.require(Part.self)
        #expect(seen.entries == [ObjectIdentifier(part)])
    }

    @Test(
        "G3: in a cycle the constructor sees an unfinished dependency, and the request gets a finished one",
        arguments: [ObjectScope.graph, .container, .weak]
    )
    func cycle(scope: ObjectScope) throws {
        let box = Container()
        let seen = Journal<Bool>()
        box.register(Part.self, scope: scope) { _ in Part() }
            .initCompleted { r, part in
                part.other = try r.require(Whole.self)
                part.isComplete = true
            }
        box.register(Whole.self, scope: scope) { r in
            let part = try r.require(Part.self)
            seen.add(part.isComplete)
            return Whole(part)
        }
        .initCompleted { _, whole in whole.isComplete = true }
        let part = try box.require(Part.self)
        #expect(seen.entries == [false])
        #expect(part.isComplete)
        #expect(part.other?.isComplete == true)
        part.other = nil
    }

    @Test(
        "G3: the duplicate of a cycle entered at the constructor side gets no callback",
        arguments: [ObjectScope.graph, .container, .weak]
    )
    func duplicate(scope: ObjectScope) throws {
        let box = Container()
        let built = Counter()
        let completed = Journal<ObjectIdentifier>()
        box.register(Part.self, scope: scope) { _ in Part() }
            .initCompleted { r, part in part.other = try r.require(Whole.self) }
        box.register(Whole.self, scope: scope) { r in
            let part = try r.require(Part.self)
            built.add()
            return Whole(part)
        }
        .initCompleted { _, whole in completed.add(ObjectIdentifier(whole)) }
        let whole = try box.require(Whole.self)
        #expect(built.value == 2)
        #expect(completed.entries == [ObjectIdentifier(whole)])
        #expect(whole.part.other === whole)
        whole.part.other = nil
    }

    @Test("G3: the callback of a value type is given the value", arguments: scopes)
    func valueType(scope: ObjectScope) throws {
        let box = Container()
        let seen = Journal<Int>()
        box.register(Int.self, scope: scope) { _ in 7 }.initCompleted { _, number in seen.add(number) }
        #expect(try box.require(Int.self) == 7)
        #expect(seen.entries == [7])
    }

    @Test("G3: a callback that is added while callbacks run is for the next instance")
    func addedMeanwhile() throws {
        let box = Container()
        let late = Counter()
        let cell = Cell<ServiceEntry<Part>>()
        // The callback holds the entry, which holds the callback.
        defer { cell.value = nil }
        cell.value = box.register(Part.self) { _ in Part() }
            .initCompleted { _, _ in
                if late.value == 0 { cell.value?.initCompleted { _, _ in late.add() } }
            }
        _ = try box.require(Part.self)
        #expect(late.value == 0)
        _ = try box.require(Part.self)
        #expect(late.value == 1)
    }

    @Test("G3: a callback that a factory adds to its own entry runs for that instance or the next, and is not lost")
    func addedByFactory() throws {
        let box = Container()
        let late = Counter()
        let added = Counter()
        let cell = Cell<ServiceEntry<Part>>()
        // The factory holds the entry, which holds the factory.
        defer { cell.value = nil }
        cell.value = box.register(Part.self) { _ in
            if added.add() == 1 { cell.value?.initCompleted { _, _ in late.add() } }
            return Part()
        }
        _ = try box.require(Part.self)
        let first = late.value
        _ = try box.require(Part.self)
        #expect(late.value == first + 1)
    }

    private final class Cell<Value> {
        var value: Value?
    }
}
