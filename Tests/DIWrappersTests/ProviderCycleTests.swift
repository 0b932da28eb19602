import DICore
import DIScopes
import DITestSupport
import DIWrappers
import Testing

/// G4 and G7 across graphs: a provider begins a graph of its own, on the same thread.
private class Service: Tracked {
    var other: Service?
}

private final class A: Service {}
private final class B: Service {}
private final class C: Service {}

@Suite("Cycles through providers")
struct ProviderCycleTests {
    static let scopes: [ObjectScope] = [.transient, .graph, .container, .weak, .perContainer]

    /// How the constructor of A opens its provider.
    enum Opening: Sendable, CaseIterable {
        case passesOn, swallows
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let scope: ObjectScope
        let opening: Opening

        var testDescription: String { "\(scope), \(opening)" }

        static let all: [Case] = scopes.flatMap { scope in
            Opening.allCases.map { Case(scope: scope, opening: $0) }
        }
    }

    private static func failure<Service>(of type: Service.Type, in box: Container) -> ResolutionError? {
        do throws(ResolutionError) {
            _ = try box.require(type)
            return nil
        } catch {
            return error
        }
    }

    /// A opens a provider of B in its constructor, and B takes A in its own.
    private static func register(_ test: Case, in box: Container, _ tracker: LifetimeTracker) {
        box.register(A.self, scope: test.scope) { r in
            let provider = try r.require(Provider<B>.self)
            let a = A(tracker)
            a.other = test.opening == .passesOn ? try provider.get() : try? provider.get()
            return a
        }
        box.register(B.self, scope: test.scope) { r in
            let b = B(tracker)
            b.other = try r.require(A.self)
            return b
        }
    }

    @Test(
        "G4: a constructor that opens a provider of what needs it is a cycle, A → B → A, also when it accepts the failure",
        arguments: Case.all
    )
    func constructorOpens(test: Case) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(test, in: box, tracker)
        let error = try #require(Self.failure(of: A.self, in: box))
        #expect(error.code == .circular)
        #expect(error.path.map(\.key.description) == ["A", "B", "A"])
        #expect(tracker.made == 2)
        #expect(tracker.alive == 0)
    }

    @Test("G4: from the other end too", arguments: Case.all)
    func fromOtherEnd(test: Case) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(test, in: box, tracker)
        let error = try #require(Self.failure(of: B.self, in: box))
        #expect(error.code == .circular)
        #expect(error.path.map(\.key.description) == ["B", "A", "B"])
        #expect(tracker.alive == 0)
    }

    @Test(
        "G4: a provider opened in a callback of a graph-scoped service is a cycle: each graph has its own",
        arguments: [ObjectScope.transient, .graph]
    )
    func callbackOpens(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(A.self, scope: scope) { _ in A(tracker) }
            .initCompleted { r, a in a.other = try r.require(Provider<B>.self).get() }
        box.register(B.self, scope: scope) { r in
            let b = B(tracker)
            b.other = try r.require(A.self)
            return b
        }
        let error = try #require(Self.failure(of: A.self, in: box))
        #expect(error.code == .circular)
        #expect(error.path.map(\.key.description) == ["A", "B", "A"])
        #expect(tracker.alive == 0)
    }

    @Test(
        "G1: a provider opened in a callback of a kept service closes the cycle: the kept one is found",
        arguments: [ObjectScope.container, .weak]
    )
    func callbackOfKept(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(A.self, scope: scope) { _ in A(tracker) }
            .initCompleted { r, a in a.other = try r.require(Provider<B>.self).get() }
        box.register(B.self, scope: scope) { r in
            let b = B(tracker)
            b.other = try r.require(A.self)
            return b
        }
        let a = try box.require(A.self)
        #expect(a.other?.other === a)
        a.other = nil
    }

    @Test("G4: a provider of the service itself, opened in its constructor, is the cycle A → A", arguments: scopes)
    func ofItself(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(A.self, scope: scope) { r in
            let a = A(tracker)
            a.other = try? r.require(Provider<A>.self).get()
            return a
        }
        let error = try #require(Self.failure(of: A.self, in: box))
        #expect(error.code == .circular)
        #expect(error.path.map(\.key.description) == ["A", "A"])
        #expect(tracker.alive == 0)
    }

    @Test("G4: a cycle of three over two providers is found with its whole path", arguments: scopes)
    func three(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(A.self, scope: scope) { r in
            let a = A(tracker)
            a.other = try r.require(Provider<B>.self).get()
            return a
        }
        box.register(B.self, scope: scope) { r in
            let b = B(tracker)
            b.other = try? r.require(Provider<C>.self).get()
            return b
        }
        box.register(C.self, scope: scope) { r in
            let c = C(tracker)
            c.other = r.resolve(A.self)
            return c
        }
        let error = try #require(Self.failure(of: A.self, in: box))
        #expect(error.path.map(\.key.description) == ["A", "B", "C", "A"])
        #expect(tracker.alive == 0)
    }

    @Test("G4: a lazy that is opened in the constructor of what it needs is a cycle too", arguments: scopes)
    func lazy(scope: ObjectScope) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(A.self, scope: scope) { r in
            let a = A(tracker)
            a.other = try? r.require(Lazy<B>.self).get()
            return a
        }
        box.register(B.self, scope: scope) { r in
            let b = B(tracker)
            b.other = try r.require(A.self)
            return b
        }
        let error = try #require(Self.failure(of: A.self, in: box))
        #expect(error.code == .circular)
        #expect(error.path.map(\.key.description) == ["A", "B", "A"])
        #expect(tracker.alive == 0)
    }

    @Test("G4: a provider that is opened after construction is a legal way out, in every scope", arguments: scopes)
    func wayOut(scope: ObjectScope) throws {
        final class Holder {
            let provider: Provider<User>

            init(_ provider: Provider<User>) {
                self.provider = provider
            }
        }
        final class User {
            let holder: Holder

            init(_ holder: Holder) {
                self.holder = holder
            }
        }
        let box = Container()
        box.register(Holder.self, scope: scope) { r in Holder(try r.require(Provider<User>.self)) }
        box.register(User.self, scope: scope) { r in User(try r.require(Holder.self)) }
        let holder = try box.require(Holder.self)
        let isKept = scope === ObjectScope.container || scope === ObjectScope.weak || scope === ObjectScope.perContainer
        #expect((try holder.provider.get().holder === holder) == isKept)
    }

    @Test(
        "G7: after a cycle across graphs the container works, and the repaired registration is built",
        arguments: Case.all
    )
    func afterwards(test: Case) throws {
        let box = Container()
        let tracker = LifetimeTracker()
        Self.register(test, in: box, tracker)
        box.register(C.self) { _ in C(tracker) }
        box.register([C].self) { r in [try r.require(C.self), try r.require(C.self)] }
        for _ in 0..<3 {
            #expect(Self.failure(of: A.self, in: box)?.code == .circular)
            let parts = try box.require([C].self)
            #expect(parts[0] === parts[1])
            #expect(box.resolve(C.self) !== parts[0])
        }
        box.register(B.self, scope: test.scope) { _ in B(tracker) }
        #expect(try box.require(A.self).other is B)
    }

    @Test("G7: a graph that a provider began and that failed leaves the outer graph as it was")
    func outerGraph() throws {
        let box = Container()
        let tracker = LifetimeTracker()
        box.register(C.self) { _ in C(tracker) }
        box.register(B.self) { r in
            _ = try r.require(C.self)
            _ = try r.require(Character.self)
            return B(tracker)
        }
        box.register(A.self) { r in
            let a = A(tracker)
            let c = try r.require(C.self)
            let b = try? r.require(Provider<B>.self).get()
            let again = try r.require(C.self)
            #expect(b == nil)
            #expect(again === c)
            return a
        }
        #expect(box.resolve(A.self) != nil)
        #expect(tracker.made == 3)
        #expect(tracker.alive == 0)
    }

    @Test(
        "G7: an instance that borrowed an unfinished one in a provider's graph goes with it",
        arguments: [ObjectScope.container, .weak]
    )
    func borrowed(scope: ObjectScope) throws {
        struct Refused: Error {}
        let box = Container()
        let tracker = LifetimeTracker()
        var isRefusing = true
        box.register(A.self, scope: scope) { _ in A(tracker) }
            .initCompleted { r, a in
                let b = try r.require(Provider<B>.self).get()
                if isRefusing { throw Refused() }
                a.other = b
            }
        box.register(B.self, scope: scope) { r in
            let b = B(tracker)
            b.other = try r.require(A.self)
            return b
        }
        #expect(box.resolve(A.self) == nil)
        #expect(tracker.made == 2)
        #expect(tracker.alive == 0)
        isRefusing = false
        let a = try box.require(A.self)
        #expect(a.other?.other === a)
        #expect(tracker.made == 4)
        a.other = nil
    }
}
