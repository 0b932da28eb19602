import DIAssembly
import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Synchronization
import Testing

private final class Clock: Sendable {}
private struct Report: Sendable {
    let clock: Clock
}
/// Not `Sendable`.
private final class Draft {
    var lines: [String] = []
}
private final class Session {
    let user: String
    init(user: String) { self.user = user }
}
private struct Page {
    let session: Session
    let clock: Clock
}

@Suite("Guide: thread safety")
struct ThreadSafetyGuideTests {
    // sample: threads-assembly
    struct ClockAssembly: SendableAssembly {
        func assemble(registrar: any SendableRegistrar) {
            registrar.register(Clock.self, scope: .container) { _ in Clock() }
            registrar.autoregister(Report.self, initializer: Report.init)
        }
    }

    struct PageAssembly: Assembly {
        var needs: [any Assembly] { [ClockAssembly()] }

        func assemble(container: Container) {
            container.register(Session.self, scope: .perContainer) { _ in Session(user: "Ada") }
            container.autoregister(Page.self, initializer: Page.init)
        }
    }
    // end sample

    // sample: threads-storage
    final class LatestStorage: InstanceStorage {
        var instance: Any?
    }
    // end sample

    // sample: threads-wait-log
    final class WaitLog: ResolutionObserver, Sendable {
        let interests: ResolutionInterests = .failures
        let write: @Sendable (String) -> Void

        init(write: @escaping @Sendable (String) -> Void) {
            self.write = write
        }

        func observe(_ event: ResolutionEvent) {
            if case .waiting(let report) = event.kind { write("\(report)") }
        }
    }
    // end sample

    @Test("T1: any thread may ask, and what is shared is built once")
    func first() async throws {
        // sample: threads-first
        let shared = ThreadSafeContainer()
        shared.register(Clock.self, scope: .container) { _ in Clock() }
        shared.autoregister(Report.self, initializer: Report.init)

        let reports = try await withThrowingTaskGroup(of: Report.self) { group in
            for _ in 0..<8 { group.addTask { try shared.require(Report.self) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // end sample
        #expect(reports.count == 8)
        let clock = try shared.require(Clock.self)
        #expect(reports.allSatisfy { $0.clock === clock })
    }

    @Test("A service that is not Sendable stays in the resolve that makes it")
    func unshared() throws {
        // sample: threads-unshared
        let shared = ThreadSafeContainer()
        shared.registerUnshared(Draft.self) { _ in Draft() }
        shared.registerUnshared([String].self, name: "lines", scope: .transient) { r in
            try r.require(Draft.self).lines
        }
        // end sample
        #expect(try shared.require([String].self, name: "lines") == [])
        #expect(try shared.require(Draft.self) !== shared.require(Draft.self))
    }

    @Test("A request is a confined child of a shared root, with what is not Sendable in it")
    func confined() throws {
        let shared = ThreadSafeContainer()
        shared.register(Clock.self, scope: .container) { _ in Clock() }
        // sample: threads-confined
        func page(for user: String) throws -> Page {
            let request = shared.createConfinedChild()
            request.register(Session.self, scope: .perContainer) { _ in Session(user: user) }
            request.autoregister(Page.self, initializer: Page.init)
            return try request.require(Page.self)
        }

        let ada = try page(for: "Ada")
        let joan = try page(for: "Joan")  // another session, the same clock
        // end sample
        #expect(ada.session.user == "Ada")
        #expect(joan.session.user == "Joan")
        #expect(ada.clock === joan.clock)
    }

    @Test("A unit of work that moves between threads is a child of the same kind")
    func unitOfWork() async throws {
        final class Journal: Sendable {}
        let shared = ThreadSafeContainer()
        shared.register(Clock.self, scope: .container) { _ in Clock() }
        // sample: threads-unit
        shared.register(Journal.self, scope: .perContainer) { _ in Journal() }

        let unit = shared.createChild()
        async let here = unit.require(Journal.self)
        async let there = unit.require(Journal.self)  // the same one, wherever it runs
        let other = try shared.createChild().require(Journal.self)  // another one
        // end sample
        let journal = try await here
        #expect(try await there === journal)
        #expect(journal !== other)
    }

    @Test("T2: a slow factory delays those alone who ask for its service")
    func slow() throws {
        let isBuilding = Gate()
        let canEnd = Gate()
        let box = ThreadSafeContainer()
        box.register(Clock.self, scope: .container) { _ in
            isBuilding.open()
            canEnd.pass()
            return Clock()
        }
        box.register(Int.self, scope: .container) { _ in 1 }
        let order = Journal<String>()
        Threads.hammer(2) { number in
            if number == 0 {
                if box.resolve(Clock.self) != nil { order.add("slow") }
            } else {
                isBuilding.pass()
                if box.resolve(Int.self) != nil { order.add("other") }
                canEnd.open()
            }
        }
        #expect(order.entries == ["other", "slow"])
    }

    @Test("T3: a long wait is told to observers, and reads as what each thread holds and wants")
    func waiting() throws {
        let isBuilding = Gate()
        let canEnd = Gate()
        let told = Journal<String>()
        // sample: threads-waiting
        let shared = ThreadSafeContainer(waitWarning: .milliseconds(50))
        shared.register(Clock.self, scope: .container) { _ in
            isBuilding.open()
            canEnd.pass()  // waits for something that the framework cannot see
            return Clock()
        }
        shared.autoregister(Report.self, scope: .container, initializer: Report.init)
        // One thread asks for Clock; while that is in the factory, another one asks for Report.
        // end sample
        shared.addObserver(
            WaitLog { text in
                told.add(text)
                canEnd.open()
            }
        )
        let built = Counter()
        Threads.hammer(2) { number in
            if number == 0 {
                if shared.resolve(Clock.self) != nil { built.add() }
            } else {
                isBuilding.pass()
                if shared.resolve(Report.self) != nil { built.add() }
            }
        }
        #expect(built.value == 2)
        try Output.expect("threads-waiting", told.entries.joined(separator: "\n"))
    }

    @Test("T5: runtime arguments and instances of the graph stay in the thread that asks")
    func graphs() {
        final class Part: Sendable {}
        struct Whole: Sendable {
            let number: Int
            let parts: [Part]
        }
        let inside = Counter()
        let everybodyIsInside = Gate()
        let shared = ThreadSafeContainer()
        shared.register(Part.self) { _ in Part() }
        shared.register(Whole.self) { (r, number: Int) in
            let first = try r.require(Part.self)
            if inside.add() == 4 { everybodyIsInside.open() }
            everybodyIsInside.pass()
            return Whole(number: number, parts: [first, try r.require(Part.self)])
        }
        let built = Journal<[Int: Whole]>()
        Threads.hammer(4) { number in
            if let whole = shared.resolve(Whole.self, argument: number) { built.add([number: whole]) }
        }
        let wholes = built.entries.flatMap { $0 }
        #expect(wholes.count == 4)
        #expect(wholes.allSatisfy { $0.key == $0.value.number && $0.value.parts[0] === $0.value.parts[1] })
        #expect(Set(wholes.map { ObjectIdentifier($0.value.parts[0]) }).count == 4)
    }

    @Test("T6: a view joins the graph that is running, and several threads may use one")
    func synchronized() async throws {
        final class Leaf: Sendable {}
        struct Pair: Sendable {
            let left: Leaf
            let right: Leaf
        }
        // sample: threads-view
        let container = Container()
        container.register(Clock.self, scope: .container) { _ in Clock() }
        let view = container.synchronize()  // any Resolver & Sendable

        async let here = view.require(Clock.self)
        async let there = view.require(Clock.self)  // the same one
        // end sample
        let clock = try await here
        #expect(try await there === clock)
        container.register(Leaf.self) { _ in Leaf() }
        container.register(Pair.self) { [unowned container] r in
            Pair(left: try r.require(Leaf.self), right: try container.synchronize().require(Leaf.self))
        }
        let pair = try view.require(Pair.self)
        #expect(pair.left === pair.right)
        #expect(try view.require(Pair.self).left !== pair.left)
    }

    @Test("T7: a plain storage serves several threads, and a deinit may resolve while its scope is being reset")
    func storages() throws {
        /// Resolves when it is let go.
        final class Nosy: Sendable {
            let ask: @Sendable () -> Void
            init(ask: @escaping @Sendable () -> Void) { self.ask = ask }
            deinit { ask() }
        }
        // sample: threads-scope
        let latest = ObjectScope(storageFactory: LatestStorage.init, description: "latest")
        let shared = ThreadSafeContainer()
        shared.register(Clock.self, scope: latest) { _ in Clock() }
        // end sample
        let seen = Journal<Clock>()
        Threads.hammer(8) { _ in if let clock = shared.resolve(Clock.self) { seen.add(clock) } }
        #expect(seen.entries.count == 8)
        #expect(seen.entries.allSatisfy { $0 === seen.entries[0] })

        let asked = Journal<Clock>()
        shared.register(Nosy.self, scope: latest) { [weak shared] _ in
            Nosy { if let clock = shared?.resolve(Clock.self) { asked.add(clock) } }
        }
        #expect(shared.resolve(Nosy.self) != nil)
        shared.resetObjectScope(latest)
        #expect(asked.entries.count == 1)
        // The scope was reset as a whole before.
        #expect(asked.entries.allSatisfy { $0 !== seen.entries[0] })
    }

    @Test("One assembly serves both kinds of container")
    func assemblies() throws {
        // sample: threads-assembler
        let shared = ThreadSafeContainer()
        let parts = try shared.apply(assemblies: [ClockAssembly()])
        let scene = Assembler([PageAssembly()], over: parts)  // confined; the clock is the shared one

        let preview = Assembler([PageAssembly()])  // all in one plain container
        // end sample
        let clock = try shared.require(Clock.self)
        #expect(try scene.resolver.require(Page.self).clock === clock)
        #expect(try preview.resolver.require(Page.self).clock !== clock)
        #expect(scene.problems.isEmpty)
        #expect(preview.problems.isEmpty)
    }
}
