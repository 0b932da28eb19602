import DICore
import DIScopes
import DITestSupport
import Testing

/// G7: what a failed resolve leaves behind, which is nothing.
@Suite("After a failed resolve")
struct GraphFailureTests {
    private class Part: Tracked {
        var other: Part?
    }

    private final class A: Part {}
    private final class B: Part {}
    private final class C: Part {}
    private final class D: Part {}

    private struct Refused: Error {}

    /// A switch that factories and callbacks look at.
    private final class Mood {
        var isRefusing = true
    }

    static let scopes: [ObjectScope] = [.transient, .graph, .container, .weak, .perContainer]
    static let sharedScopes: [ObjectScope] = [.graph, .container, .weak, .perContainer]

    // MARK: Each kind of failure

    enum Kind: CaseIterable {
        case missing, argumentsMismatch, throwingFactory, throwingCallback, circular, depth, typeMismatch

        var code: ResolutionError.Code {
            switch self {
            case .missing: .notRegistered
            case .argumentsMismatch: .argumentsMismatch
            case .throwingFactory, .throwingCallback: .factoryThrew
            case .circular: .circular
            case .depth: .depthExceeded
            case .typeMismatch: .typeMismatch
            }
        }
    }

    /// Registers B, which fails in the given way until the mood is better.
    private static func register(
        failing kind: Kind,
        in box: Container,
        _ scope: ObjectScope,
        _ tracker: LifetimeTracker,
        _ mood: Mood
    ) {
        box.depthLimit = 5
        box.register(Double.self) { r in Double(try r.require(Float.self)) }
        box.register(Float.self) { r in Float(try r.require(Double.self)) }
        box.register(Int.self) { (r: any Resolver, number: Int) in try r.require(Int.self, argument: number + 1) }
        box.register(String.self) { _ in "text" }.implements(UInt.self)
        let entry = box.register(B.self, scope: scope) { r in
            guard mood.isRefusing else { return B(tracker) }
            switch kind {
            case .missing: _ = try r.require(Character.self)
            case .argumentsMismatch: _ = try r.require(Int.self, argument: "one")
            case .throwingFactory: throw Refused()
            case .throwingCallback: break
            case .circular: _ = try r.require(Double.self)
            case .depth: _ = try r.require(Int.self, argument: 0)
            case .typeMismatch: _ = try r.require(UInt.self)
            }
            return B(tracker)
        }
        if kind == .throwingCallback {
            entry.initCompleted { _, _ in if mood.isRefusing { throw Refused() } }
        }
    }

    private static func code(_ body: () throws(ResolutionError) -> some Any) -> ResolutionError.Code? {
        do throws(ResolutionError) {
            _ = try body()
            return nil
        } catch {
            return error.code
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let kind: Kind
        let scope: ObjectScope

        var testDescription: String { "\(kind), \(scope)" }

        static let all: [Case] = Kind.allCases.flatMap { kind in scopes.map { Case(kind: kind, scope: $0) } }
    }

    @Test("G7: after each kind of failure nothing of it is alive, and the next resolve works", arguments: Case.all)
    func nextResolveWorks(test: Case) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let mood = Mood()
        Self.register(failing: test.kind, in: box, test.scope, tracker, mood)
        box.register(A.self, scope: test.scope) { r in
            let a = A(tracker)
            a.other = try r.require(B.self)
            return a
        }
        for _ in 0..<3 {
            #expect(Self.code { () throws(ResolutionError) in try box.require(A.self) } == test.kind.code)
            #expect(box.resolve(A.self) == nil)
            #expect(Self.code { () throws(ResolutionError) in try box.require(B.self) } == test.kind.code)
            #expect(tracker.alive == 0)
        }
        mood.isRefusing = false
        let a = try box.require(A.self)
        #expect(a.other is B)
        #expect(tracker.alive == 2)
        withExtendedLifetime((box, a)) {}
    }

    @Test("G7: a failure that the root accepts leaves the graph usable for its other parts", arguments: Case.all)
    func swallowedByRoot(test: Case) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let mood = Mood()
        Self.register(failing: test.kind, in: box, test.scope, tracker, mood)
        box.register(C.self, scope: test.scope) { _ in C(tracker) }
        box.register(A.self) { r in
            let a = A(tracker)
            #expect(r.resolve(B.self) == nil)
            let c = try r.require(C.self)
            #expect(r.resolve(B.self) == nil)
            mood.isRefusing = false
            c.other = try r.require(B.self)
            a.other = c
            return a
        }
        let a = try box.require(A.self)
        #expect(a.other?.other is B)
        #expect(tracker.alive == 3)
        withExtendedLifetime((box, a)) {}
    }

    @Test(
        "G7: a missing dependency in the middle keeps what was finished before it",
        arguments: [ObjectScope.container]
    )
    func finishedBefore(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(B.self, scope: scope) { _ in B(tracker) }
        box.register(A.self, scope: scope) { r in
            let a = A(tracker)
            a.other = try r.require(B.self)
            _ = try r.require(Character.self)
            return a
        }
        #expect(box.resolve(A.self) == nil)
        #expect(tracker.alive == 1)
        _ = try box.require(B.self)
        #expect(tracker.made == 2)
    }

    @Test("G7: an error of the user's own that passes through nested factories leaves nothing", arguments: sharedScopes)
    func deepThrow(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        for number in 0..<20 {
            box.register(A.self, name: "\(number)", scope: scope) { r in
                let a = A(tracker)
                if number == 19 { throw Refused() }
                a.other = try r.require(A.self, name: "\(number + 1)")
                return a
            }
        }
        do throws(ResolutionError) {
            _ = try box.require(A.self, name: "0")
            Issue.record("the last factory throws")
        } catch {
            #expect(error.code == .factoryThrew)
            #expect(error.underlying is Refused)
            #expect(error.path.map(\.key.name) == (0..<20).map { "\($0)" })
        }
        #expect(tracker.made == 20)
        #expect(tracker.alive == 0)
    }

    // MARK: A callback that throws

    @Test("G7: an instance whose callback threw is in no storage; the next resolve builds anew", arguments: scopes)
    func throwingCallback(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let mood = Mood()
        box.register(A.self, scope: scope) { _ in A(tracker) }
            .initCompleted { _, _ in if mood.isRefusing { throw Refused() } }
        for attempt in 1...3 {
            #expect(box.resolve(A.self) == nil)
            #expect(tracker.made == attempt)
            #expect(tracker.alive == 0)
        }
        mood.isRefusing = false
        let a = try box.require(A.self)
        #expect(tracker.made == 4)
        withExtendedLifetime(a) {}
    }

    @Test("G7: a callback that throws ends the callbacks; those after it do not run")
    func laterCallbacks() {
        let box = Container()
        let journal = Journal<Int>()
        box.register(A.self) { _ in A(LifetimeTracker()) }
            .initCompleted { _, _ in journal.add(1) }
            .initCompleted { _, _ in throw Refused() }
            .initCompleted { _, _ in journal.add(3) }
        #expect(box.resolve(A.self) == nil)
        #expect(journal.entries == [1])
    }

    @Test(
        "G7: an instance whose callback threw is not found by its graph, also when somebody holds it",
        arguments: scopes
    )
    func notFoundInGraph(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let mood = Mood()
        let held = Journal<ObjectIdentifier>()
        var holder: [A] = []
        box.register(A.self, scope: scope) { _ in A(tracker) }
            .initCompleted { _, a in
                holder.append(a)
                held.add(ObjectIdentifier(a))
                if mood.isRefusing { throw Refused() }
            }
        box.register(D.self) { r in
            #expect(r.resolve(A.self) == nil)
            mood.isRefusing = false
            let d = D(tracker)
            d.other = try r.require(A.self)
            return d
        }
        let d = try box.require(D.self)
        #expect(holder.count == 2)
        #expect(d.other === holder.last)
        #expect(d.other !== holder.first)
    }

    // MARK: Instances that borrowed an unfinished one

    /// A's callback resolves the chain B, C, … whose last takes A in its constructor, and then throws.
    private static func registerBorrowing(
        in box: Container,
        chain scopes: [ObjectScope],
        _ scope: ObjectScope,
        _ tracker: LifetimeTracker,
        _ mood: Mood
    ) {
        box.register(Part.self, name: "0", scope: scope) { _ in Part(tracker) }
            .initCompleted { r, a in
                let b = try r.require(Part.self, name: "1")
                if mood.isRefusing { throw Refused() }
                a.other = b
            }
        for (index, scope) in scopes.enumerated() {
            let next = index + 1 == scopes.count ? 0 : index + 2
            box.register(Part.self, name: "\(index + 1)", scope: scope) { r in
                let part = Part(tracker)
                part.other = try r.require(Part.self, name: "\(next)")
                return part
            }
        }
    }

    struct Borrowing: Sendable, CustomTestStringConvertible {
        let scope: ObjectScope
        let chain: [ObjectScope]

        var testDescription: String { "\(scope), borrowed by \(chain.map(\.description).joined(separator: ", "))" }

        /// Pairs and triples of the scopes that share; the scopes of the borrowers outlive the failure where they can.
        static let all: [Borrowing] = sharedScopes.flatMap { scope in
            sharedScopes.map { Borrowing(scope: scope, chain: [$0]) }
                + sharedScopes.flatMap { first in
                    ([.transient] + sharedScopes).map { Borrowing(scope: scope, chain: [first, $0]) }
                }
                + [Borrowing(scope: scope, chain: [scope, .transient, scope, .transient, scope])]
        }
    }

    @Test(
        "G7: an instance that borrowed an unfinished one is in no storage when that one's callback throws",
        arguments: Borrowing.all
    )
    func borrowed(test: Borrowing) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let mood = Mood()
        Self.registerBorrowing(in: box, chain: test.chain, test.scope, tracker, mood)
        let count = test.chain.count + 1
        do throws(ResolutionError) {
            _ = try box.require(Part.self, name: "0")
            Issue.record("the callback throws")
        } catch {
            #expect(error.code == .factoryThrew)
        }
        #expect(tracker.made == count)
        #expect(tracker.alive == 0)
        mood.isRefusing = false
        let a = try box.require(Part.self, name: "0")
        #expect(tracker.made == 2 * count)
        var last = try #require(a.other)
        for _ in 1..<test.chain.count { last = try #require(last.other) }
        #expect(last.other === a)
        a.other = nil
    }

    @Test("G7: the same within one running graph whose root accepts the failure", arguments: Borrowing.all)
    func borrowedInRunningGraph(test: Borrowing) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let mood = Mood()
        Self.registerBorrowing(in: box, chain: test.chain, test.scope, tracker, mood)
        let count = test.chain.count + 1
        box.register(D.self) { r in
            #expect(r.resolve(Part.self, name: "0") == nil)
            #expect(tracker.made == count)
            mood.isRefusing = false
            let d = D(LifetimeTracker())
            d.other = try r.require(Part.self, name: "0")
            return d
        }
        let a = try #require(box.require(D.self).other)
        #expect(tracker.made == 2 * count)
        #expect(tracker.alive == count)
        var last = try #require(a.other)
        for _ in 1..<test.chain.count { last = try #require(last.other) }
        #expect(last.other === a)
        a.other = nil
    }

    @Test(
        "G7: a failure that is borrowed through a cycle entered at the constructor side leaves nothing",
        arguments: sharedScopes
    )
    func borrowedFromConstructorSide(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let mood = Mood()
        Self.registerBorrowing(in: box, chain: [scope, scope], scope, tracker, mood)
        #expect(box.resolve(Part.self, name: "1") == nil)
        #expect(box.resolve(Part.self, name: "2") == nil)
        #expect(tracker.alive == 0)
        mood.isRefusing = false
        let b = try box.require(Part.self, name: "1")
        #expect(b.other?.other?.other === b)
        #expect(tracker.alive == 3)
        b.other?.other?.other = nil
    }

    @Test(
        "G7: a borrower with callbacks of its own, and what borrowed from it, go with the failed one",
        arguments: sharedScopes
    )
    func borrowedTwice(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let mood = Mood()
        box.register(A.self, scope: scope) { _ in A(tracker) }
            .initCompleted { r, a in
                a.other = try r.require(B.self)
                if mood.isRefusing {
                    a.other = nil
                    throw Refused()
                }
            }
        box.register(B.self, scope: scope) { r in
            let b = B(tracker)
            b.other = try r.require(A.self)
            return b
        }
        .initCompleted { r, _ in _ = try r.require(C.self) }
        box.register(C.self, scope: scope) { r in
            let c = C(tracker)
            c.other = try r.require(B.self)
            return c
        }
        #expect(box.resolve(A.self) == nil)
        #expect(tracker.made == 3)
        #expect(tracker.alive == 0)
        mood.isRefusing = false
        let a = try box.require(A.self)
        #expect(tracker.made == 6)
        #expect(a.other?.other === a)
        a.other = nil
    }

    @Test("G7: a borrower that fails and is accepted does not take the lender with it", arguments: sharedScopes)
    func failingBorrower(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(A.self, scope: scope) { _ in A(tracker) }
            .initCompleted { r, _ in #expect(r.resolve(B.self) == nil) }
        box.register(B.self, scope: scope) { r in
            let b = B(tracker)
            b.other = try r.require(A.self)
            return b
        }
        .initCompleted { r, _ in
            _ = try r.require(C.self)
            throw Refused()
        }
        box.register(C.self, scope: scope) { r in
            let c = C(tracker)
            c.other = try r.require(B.self)
            return c
        }
        let a = try box.require(A.self)
        #expect(tracker.made == 3)
        #expect(tracker.alive == 1)
        #expect((box.resolve(A.self) === a) == (scope !== ObjectScope.graph))
    }

    @Test("G7: a child's instance that borrowed from a parent's unfinished one goes with it")
    func borrowedByChild() throws {
        let root = Container()
        let child = root.createChild()
        let tracker = LifetimeTracker()
        let mood = Mood()
        root.register(A.self, scope: .container) { _ in A(tracker) }
            .initCompleted { [unowned child] _, _ in
                _ = try child.require(B.self)
                if mood.isRefusing { throw Refused() }
            }
        child.register(B.self, scope: .container) { r in
            let b = B(tracker)
            b.other = try r.require(A.self)
            return b
        }
        #expect(child.resolve(A.self) == nil)
        #expect(tracker.made == 2)
        #expect(tracker.alive == 0)
        mood.isRefusing = false
        let a = try child.require(A.self)
        #expect(try child.require(B.self).other === a)
        #expect(tracker.made == 4)
    }

    @Test(
        "G7: what an observer of every resolve is told of failures does not change the outcome",
        arguments: sharedScopes
    )
    func observed(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        let mood = Mood()
        let recorder = EventRecorder()
        box.addObserver(recorder)
        Self.registerBorrowing(in: box, chain: [scope, scope], scope, tracker, mood)
        #expect(box.resolve(Part.self, name: "0") == nil)
        #expect(recorder.failures.map(\.code) == [.factoryThrew])
        #expect(tracker.alive == 0)
        mood.isRefusing = false
        let a = try box.require(Part.self, name: "0")
        #expect(tracker.alive == 3)
        a.other = nil
    }

    @Test("G7: a factory may replace its own registration while it runs", arguments: scopes)
    func replacedWhileRunning(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(A.self, scope: scope) { [unowned box] r in
            box.register(A.self, scope: scope) { _ in A(tracker) }
            let a = A(tracker)
            a.other = try r.require(A.self)
            return a
        }
        .initCompleted { _, a in #expect(a.other != nil) }
        let old = try box.require(A.self)
        #expect(old.other?.other == nil)
        let new = try box.require(A.self)
        #expect(new !== old)
        #expect(new.other == nil)
    }

    @Test("G7, S8: a factory may remove everything while it runs, and what it makes is kept nowhere", arguments: scopes)
    func removedWhileRunning(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(B.self, scope: scope) { _ in B(tracker) }
        box.register(A.self, scope: scope) { [unowned box] r in
            let a = A(tracker)
            a.other = try r.require(B.self)
            box.removeAll()
            #expect(r.resolve(B.self) == nil)
            return a
        }
        #expect(try box.require(A.self).other is B)
        #expect(box.resolve(A.self) == nil)
        #expect(tracker.alive == 0)
    }

    // MARK: Observers that change what is about to be built

    /// Removes a registration as it begins to be built, and registers others so that its memory is used again.
    private final class Remover: ResolutionObserver {
        unowned let box: Container

        init(_ box: Container) {
            self.box = box
        }

        func observe(_ event: ResolutionEvent) {
            guard case .began = event.kind, box.remove(A.self) else { return }
            for number in 0..<1_000 { box.register(A.self, name: "\(number)") { _ in throw Refused() } }
        }
    }

    // In a process of its own, since what this guards against is a crash.
    @Test("G7: an observer may remove a registration as it begins to be built; the request is answered all the same")
    func removedByObserver() async {
        await #expect(processExitsWith: .success) {
            let box = Container()
            let tracker = LifetimeTracker()
            let captured = Array(repeating: 7, count: 1_000)
            box.register(A.self) { _ in
                precondition(captured.last == 7)
                return A(tracker)
            }
            let remover = Remover(box)
            box.addObserver(remover)
            precondition(box.resolve(A.self) != nil)
            precondition(box.resolve(A.self) == nil)
            precondition(tracker.alive == 0)
        }
    }
}
