import DICore
import DITesting
import DIThreadSafe
import SessionScope
import Synchronization
import Testing

private final class Notes: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

private final class Basket: SessionBound, Sendable {
    let notes: Notes
    init(_ notes: Notes) { self.notes = notes }
    func sessionDidEnd() { notes.add("basket") }
}

private final class Checkout: SessionBound, Sendable {
    let basket: Basket
    init(_ basket: Basket) { self.basket = basket }
    func sessionDidEnd() { basket.notes.add("checkout") }
}

@Suite("Session scope")
struct SessionScopeTests {
    private let session = SessionScope()
    private let notes = Notes()

    private func container() -> ThreadSafeContainer {
        let box = ThreadSafeContainer()
        let notes = notes
        box.register(Basket.self, scope: session) { _ in Basket(notes) }
        box.register(Checkout.self, scope: session) { r in Checkout(try r.require(Basket.self)) }
        return box
    }

    @Test("It passes the conformance suites while a session runs")
    func conformanceInASession() {
        session.logIn()
        ScopeConformance(session).check()
        ScopeConformance(session) { ThreadSafeContainer() }.check()
    }

    @Test("It passes them as a scope that keeps nothing while none runs")
    func conformanceWithoutASession() {
        ScopeConformance(session, retention: .none).check()
    }

    @Test("From login to logout there is one instance, and another one in the next session")
    func sharing() throws {
        let box = container()
        expectNewInstance(Basket.self, from: box)
        session.logIn()
        expectSameInstance(Basket.self, from: box)
        expectSameInstance(Basket.self, from: box, and: box.createChild())
        let first = try box.require(Basket.self)
        session.logOut()
        expectNewInstance(Basket.self, from: box)
        session.logIn()
        #expect(try box.require(Basket.self) !== first)
    }

    @Test("Objects are told of the end, the youngest first, and released")
    func end() throws {
        let box = container()
        session.logIn()
        try expectReleased {
            let checkout = try box.require(Checkout.self)
            session.logOut()
            return checkout
        }
        #expect(notes.all == ["checkout", "basket"])
        session.logOut()
        #expect(notes.all == ["checkout", "basket"])
    }

    @Test("A login ends the session that runs")
    func secondLogin() throws {
        let box = container()
        session.logIn()
        _ = try box.require(Basket.self)
        session.logIn()
        #expect(notes.all == ["basket"])
        expectConstructed(Basket.self, times: 1, in: box) { (box.resolve(Basket.self), box.resolve(Basket.self)) }
    }

    @Test("An object that is told of the end may resolve, and finds the session over")
    func resolvingAtTheEnd() throws {
        final class Curious: SessionBound, Sendable {
            let ask: @Sendable () -> Void
            init(_ ask: @escaping @Sendable () -> Void) { self.ask = ask }
            func sessionDidEnd() { ask() }
        }
        let box = container()
        let notes = notes
        box.register(Curious.self, scope: session) { [weak box] _ in
            Curious { notes.add(box?.resolve(Basket.self) === box?.resolve(Basket.self) ? "same" : "apart") }
        }
        session.logIn()
        _ = try box.require(Curious.self)
        session.logOut()
        #expect(notes.all == ["apart"])
    }

    @Test("Its containers are wired")
    func wiring() {
        expectValidWiring(of: container())
        expectEverythingBuilds(from: container())
    }
}
