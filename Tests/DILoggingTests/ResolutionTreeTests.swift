import DICore
import DILogging
import DIScopes
import DITestSupport
import DIWrappers
import Testing

private final class Clock {}
private final class Store {}

private struct Client {
    init(_ r: any Resolver) throws {
        _ = try r.require(Store.self)
        _ = try r.require(Clock.self)
    }
}

private struct Screen {
    init(_ r: any Resolver) throws {
        _ = try r.require(Clock.self)
        _ = try r.require(Client.self, name: "main")
        _ = try r.require(Store.self)
    }
}

private struct Broken: Error {}

@Suite("The tree of a resolve")
struct ResolutionTreeTests {
    /// A container whose trees go into a journal, with each duration written as a number sign.
    private static func traced(_ journal: Journal<String>) -> Container {
        let box = Container()
        box.register(Clock.self, scope: .container) { _ in Clock() }
        box.register(Store.self) { _ in Store() }
        box.register(Client.self, name: "main") { r in try Client(r) }
        box.register(Screen.self) { r in try Screen(r) }
        box.addObserver(
            ContainerLogger(level: .trace) { level, text in
                guard level == .trace else { return }
                journal.add(text.replacing(/[ ]{2}<?\d+(\.\d)? (µs|ms)/, with: "  #"))
            }
        )
        return box
    }

    @Test("What was built is shown as a tree with durations, and what was there already as reused")
    func builtAndReused() throws {
        let journal = Journal<String>()
        let box = Self.traced(journal)
        _ = try box.require(Screen.self)
        #expect(
            journal.entries == [
                """
                Screen  #
                ├─ Clock  #
                ├─ Client named "main"  #
                │  ├─ Store  #
                │  └─ Clock (reused)
                └─ Store (reused)
                """
            ]
        )
    }

    @Test("Each outermost request has a tree of its own, in order")
    func severalTrees() throws {
        let journal = Journal<String>()
        let box = Self.traced(journal)
        _ = try box.require(Clock.self)
        _ = try box.require(Clock.self)
        _ = try box.require(Store.self)
        #expect(journal.entries == ["Clock  #", "Clock (reused)", "Store  #"])
    }

    @Test("What failed is shown as failed, from the inside out")
    func failed() {
        let journal = Journal<String>()
        let box = Self.traced(journal)
        box.register(Store.self) { _ -> Store in throw Broken() }
        #expect(box.resolve(Screen.self) == nil)
        #expect(
            journal.entries == [
                """
                Screen (failed)
                ├─ Clock  #
                └─ Client named "main" (failed)
                   └─ Store (failed)
                """
            ]
        )
    }

    @Test("What is missing is shown with the reason, in its place or alone")
    func missing() {
        let journal = Journal<String>()
        let box = Self.traced(journal)
        box.remove(Store.self)
        #expect(box.resolve(Screen.self) == nil)
        #expect(box.resolve(Store.self) == nil)
        #expect(box.resolve(Clock.self, argument: 1) == nil)
        #expect(
            journal.entries == [
                """
                Screen (failed)
                ├─ Clock  #
                └─ Client named "main" (failed)
                   └─ Store (notRegistered)
                """,
                "Store (notRegistered)",
                "Clock(Int) (argumentsMismatch)",
            ]
        )
    }

    @Test("A failure that a factory gets over is a leaf of what was built")
    func survivedFailure() throws {
        let journal = Journal<String>()
        let box = Self.traced(journal)
        box.register(String.self) { r in r.resolve(Int.self).map { "\($0)" } ?? "none" }
        #expect(try box.require(String.self) == "none")
        #expect(
            journal.entries == [
                """
                String  #
                └─ Int (notRegistered)
                """
            ]
        )
    }

    @Test("A cycle is shown to the point where it repeats")
    func cycle() {
        let journal = Journal<String>()
        let box = Self.traced(journal)
        box.register(Store.self) { r in
            _ = r.resolve(Client.self, name: "main")
            return Store()
        }
        #expect(box.resolve(Store.self) == nil)
        #expect(
            journal.entries == [
                """
                Store (failed)
                └─ Client named "main" (failed)
                   └─ Store (failed)
                """
            ]
        )
    }

    @Test("What callbacks ask for belongs to the one that they complete")
    func callbacks() throws {
        let journal = Journal<String>()
        let box = Self.traced(journal)
        box.register(String.self) { _ in "text" }.initCompleted { r, _ in _ = try r.require(Store.self) }
        _ = try box.require(String.self)
        #expect(
            journal.entries == [
                """
                String  #
                └─ Store  #
                """
            ]
        )
    }

    @Test("A Lazy that is opened later is a tree of its own")
    func lazy() throws {
        let journal = Journal<String>()
        let box = Self.traced(journal)
        let lazy = try box.require(Lazy<Client>.self, name: "main")
        #expect(journal.entries.isEmpty)
        _ = try lazy.get()
        #expect(
            journal.entries == [
                """
                Client named "main"  #
                ├─ Store  #
                └─ Clock  #
                """
            ]
        )
    }

    @Test("What a factory is given to open later is shown, and is a tree of its own when it is opened")
    func lazyInFactory() throws {
        let journal = Journal<String>()
        let box = Self.traced(journal)
        box.register(Lazy<Store>.self, name: "of a factory") { r in try r.require(Lazy<Store>.self) }
        let lazy = try box.require(Lazy<Store>.self, name: "of a factory")
        _ = try lazy.get()
        #expect(
            journal.entries == [
                """
                Lazy<Store> named "of a factory"  #
                └─ Store (later)
                """,
                "Store  #",
            ]
        )
    }

    @Test("A child's resolve of what the parent keeps is one tree")
    func hierarchy() throws {
        let journal = Journal<String>()
        let box = Self.traced(journal)
        box.register(String.self, scope: .container) { r in
            _ = try r.require(Store.self)
            return "text"
        }
        let child = box.createChild()
        child.register(Int.self) { r in try r.require(String.self).count }
        _ = try child.require(Int.self)
        #expect(
            journal.entries == [
                """
                Int  #
                └─ String  #
                   └─ Store  #
                """
            ]
        )
    }

    @Test("A forwarded type is shown as what it stands for")
    func forwarding() throws {
        let journal = Journal<String>()
        let box = Self.traced(journal)
        box.register(String.self, name: "x") { _ in "text" }.implements((any Sendable).self)
        _ = try box.require((any Sendable).self)
        #expect(journal.entries == ["String named \"x\"  #"])
    }
}
