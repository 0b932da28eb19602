import DICore
import DIScopes
import DITestSupport
import DIWrappers
import Testing

private final class Leaf: Tracked {}

/// Holds wrappers of a leaf, or anything else.
private final class Holder<Held> {
    let held: Held
    init(_ held: Held) { self.held = held }
}

private struct Later {
    let lazy: Lazy<Leaf>
    let provider: Provider<Leaf>

    init(_ r: any Resolver) throws {
        lazy = try r.require(Lazy<Leaf>.self)
        provider = try r.require(Provider<Leaf>.self)
    }
}

@Suite("Wrappers and the life of their container")
struct WrapperLifetimeTests {
    private static func container(_ tracker: LifetimeTracker, parent: Container? = nil) -> Container {
        let box = Container(parent: parent)
        box.register(Leaf.self) { _ in Leaf(tracker) }
        return box
    }

    static let keepingScopes: [ObjectScope] = [
        .container, .perContainer, .expiring(after: .seconds(3_600)),
    ]

    // MARK: Inside a kept instance

    @Test(
        "W5: a wrapper inside an instance that a container keeps does not keep the container",
        arguments: keepingScopes
    )
    func keptHolder(_ scope: ObjectScope) throws {
        let tracker = LifetimeTracker()
        weak var ended: Container?
        do {
            let box = Self.container(tracker)
            // The instance of the tracker lives exactly as long as the registrations.
            let witness = Tracked(tracker)
            box.register(Holder<Later>.self, scope: scope) { r in
                try withExtendedLifetime(witness) { Holder(try Later(r)) }
            }
            let holder = try box.require(Holder<Later>.self)
            // A kept instance is answered with while its container lives.
            _ = try holder.held.provider.get()
            ended = box
        }
        #expect(ended == nil)
        #expect(tracker.alive == 0)
    }

    @Test("W5: nor does a wrapper deeper inside, in a part that was built for the kept instance")
    func keptThroughAPart() throws {
        let tracker = LifetimeTracker()
        weak var ended: Container?
        do {
            let box = Self.container(tracker)
            box.register(Holder<Later>.self) { r in Holder(try Later(r)) }
            box.register(Holder<Holder<Later>>.self, scope: .container) { r in
                Holder(try r.require(Holder<Later>.self))
            }
            _ = try box.require(Holder<Holder<Later>>.self)
            ended = box
        }
        #expect(ended == nil)
    }

    @Test("W5: nor does one that a callback gives to the kept instance")
    func keptInACallback() throws {
        final class Open {
            var later: Later?
        }
        let tracker = LifetimeTracker()
        weak var ended: Container?
        do {
            let box = Self.container(tracker)
            box.register(Open.self, scope: .container) { _ in Open() }.initCompleted { r, open in
                open.later = try Later(r)
            }
            _ = try box.require(Open.self)
            ended = box
        }
        #expect(ended == nil)
    }

    @Test("W5: opening one inside the constructor of the kept instance changes nothing about that")
    func keptAndOpened() throws {
        let tracker = LifetimeTracker()
        weak var ended: Container?
        do {
            let box = Self.container(tracker)
            box.register(Holder<Lazy<Leaf>>.self, scope: .container) { r in
                let lazy = try r.require(Lazy<Leaf>.self)
                _ = lazy.instance
                return Holder(lazy)
            }
            _ = try box.require(Holder<Lazy<Leaf>>.self)
            #expect(tracker.alive == 1)
            ended = box
        }
        #expect(ended == nil)
        #expect(tracker.alive == 0)
    }

    @Test("W5: a kept instance of a parent does not keep the child that asked for it first")
    func keptByTheParent() throws {
        let tracker = LifetimeTracker()
        let root = Self.container(tracker)
        root.register(Holder<Later>.self, scope: .container) { r in Holder(try Later(r)) }
        weak var ended: Container?
        do {
            let child = root.createChild()
            _ = try child.require(Holder<Later>.self)
            ended = child
        }
        #expect(ended == nil)
        _ = try root.require(Holder<Later>.self).held.lazy.get()
    }

    // MARK: Outside of a kept instance that comes to hold it

    /// What an object of a graph and a kept instance have of each other.
    private final class Hub {
        var screen: Screen?
        var lazy: Lazy<Screen>?
        var holder: Open?
    }

    private final class Open {
        var later: Later?
    }

    private final class Screen {
        let later: Later
        var hub: Hub?
        init(_ later: Later) { self.later = later }
    }

    @Test("W5: a wrapper in an object of the graph lets its container go when that is given to a kept instance")
    func givenToAKeptInstance() throws {
        let tracker = LifetimeTracker()
        weak var ended: Container?
        do {
            let box = Self.container(tracker)
            box.register(Screen.self) { r in Screen(try Later(r)) }.initCompleted { r, screen in
                screen.hub = try r.require(Hub.self)
            }
            box.register(Hub.self, scope: .container) { _ in Hub() }.initCompleted { r, hub in
                hub.screen = try r.require(Screen.self)
            }
            let screen = try box.require(Screen.self)
            #expect(screen.hub?.screen === screen)
            _ = try screen.later.provider.get()
            _ = try screen.later.lazy.get()
            screen.hub = nil
            ended = box
        }
        #expect(ended == nil)
        #expect(tracker.alive == 0)
    }

    @Test("W5: so it is when the kept instance gets it from a Lazy, after the graph has ended")
    func givenToAKeptLazy() throws {
        let tracker = LifetimeTracker()
        weak var ended: Container?
        do {
            let box = Self.container(tracker)
            box.register(Screen.self) { r in Screen(try Later(r)) }.initCompleted { r, screen in
                screen.hub = try r.require(Hub.self)
            }
            box.register(Hub.self, scope: .container) { _ in Hub() }.initCompleted { r, hub in
                hub.lazy = try r.require(Lazy<Screen>.self)
            }
            let screen = try box.require(Screen.self)
            #expect(screen.hub?.lazy?.instance === screen)
            screen.hub = nil
            ended = box
        }
        #expect(ended == nil)
    }

    @Test("W5: a weakly kept object may come to be held by a kept instance, and its wrappers keep no container")
    func weaklyKept() throws {
        let tracker = LifetimeTracker()
        weak var ended: Container?
        do {
            let box = Self.container(tracker)
            box.register(Screen.self, scope: .weak) { r in Screen(try Later(r)) }
            box.register(Hub.self, scope: .container) { _ in Hub() }.initCompleted { r, hub in
                hub.screen = try r.require(Screen.self)
            }
            let screen = try box.require(Screen.self)
            #expect(try box.require(Hub.self).screen === screen)
            ended = box
        }
        #expect(ended == nil)
    }

    @Test("W5: so it is with a wrapper that is made after the object was given to the kept instance")
    func madeAfterwards() throws {
        let tracker = LifetimeTracker()
        weak var ended: Container?
        do {
            let box = Self.container(tracker)
            box.register(Hub.self, scope: .container) { _ in Hub() }.initCompleted { r, hub in
                hub.holder = try r.require(Open.self)
            }
            box.register(Open.self) { _ in Open() }.initCompleted { r, open in
                _ = try r.require(Hub.self)
                open.later = try Later(r)
            }
            _ = try box.require(Open.self)
            ended = box
        }
        #expect(ended == nil)
    }

    @Test("W5: an object of the graph that has no wrapper may be given to a kept instance, and no wrapper changes")
    func unrelatedObject() throws {
        let tracker = LifetimeTracker()
        let root = Container()
        func makeScreen() throws -> Screen {
            let child = Self.container(tracker, parent: root)
            child.register(Open.self) { _ in Open() }
            child.register(Hub.self, scope: .container) { r in
                let hub = Hub()
                hub.holder = try r.require(Open.self)
                return hub
            }
            child.register(Screen.self) { r in
                let screen = Screen(try Later(r))
                _ = try r.require(Open.self)
                _ = try r.require(Hub.self)
                return screen
            }
            return try child.require(Screen.self)
        }
        let screen = try makeScreen()
        _ = try screen.later.lazy.get()
        _ = try screen.later.provider.get()
    }

    @Test("T7: a container that is let go because of that is released when the request is over")
    func releasedAtTheEnd() throws {
        final class Farewell {
            let say: () -> Void
            init(_ say: @escaping () -> Void) { self.say = say }
            deinit { say() }
        }
        let tracker = LifetimeTracker()
        let root = Self.container(tracker)
        root.register(Screen.self) { r in Screen(try Later(r)) }
        let graph = GraphIdentifier()
        var screen: Screen?
        var isGone = false
        do {
            let child = root.createChild(sharing: .none)
            child.register(
                Farewell.self,
                instance: Farewell {
                    root.remove(Screen.self)
                    isGone = true
                }
            )
            screen = try child.withObjectGraph(graph) { try $0.require(Screen.self) }
        }
        root.register(Hub.self, scope: .container) { r in
            let hub = Hub()
            hub.screen = try r.withObjectGraph(graph) { try $0.require(Screen.self) }
            return hub
        }
        _ = try root.require(Hub.self)
        withExtendedLifetime(screen) {}
        screen = nil
        #expect(isGone)
    }

    // MARK: Anywhere else

    @Test("W5: any other wrapper keeps its container, so what a child made may be opened after it would have ended")
    func outlivesAChild() throws {
        let tracker = LifetimeTracker()
        let root = Container()
        weak var ended: Container?
        func makeScreen() throws -> Holder<Later> {
            let child = Self.container(tracker, parent: root)
            child.register(Holder<Later>.self) { r in Holder(try Later(r)) }
            ended = child
            return try child.require(Holder<Later>.self)
        }
        var screen: Holder<Later>? = try makeScreen()
        #expect(ended != nil)
        let leaf = try #require(try screen?.held.lazy.get())
        #expect(try screen?.held.provider.get() !== leaf)
        screen = nil
        #expect(ended == nil)
    }

    @Test("W5: once it is opened a Lazy lets its container go, and still gives its value")
    func openedLazy() throws {
        let tracker = LifetimeTracker()
        weak var ended: Container?
        let lazy: Lazy<Leaf>
        do {
            let box = Self.container(tracker)
            ended = box
            lazy = try box.require(Lazy<Leaf>.self)
        }
        #expect(ended != nil)
        let leaf = lazy.instance
        #expect(ended == nil)
        #expect(lazy.instance === leaf)
        #expect(try lazy.get() === leaf)
    }

    @Test("W5: so does one in an object of a graph that has other wrappers, of another container")
    func openedBesideOthers() throws {
        let tracker = LifetimeTracker()
        let root = Self.container(tracker)
        weak var ended: Container?
        func makePair() throws -> Holder<[Lazy<Leaf>]> {
            let child = root.createChild(sharing: .none)
            ended = child
            child.register(Holder<[Lazy<Leaf>]>.self) { r in
                Holder([try r.require(Lazy<Leaf>.self), try root.require(Lazy<Leaf>.self)])
            }
            return try child.require(Holder<[Lazy<Leaf>]>.self)
        }
        let pair = try makePair()
        #expect(ended != nil)
        _ = try pair.held[0].get()
        #expect(ended == nil)
        _ = try pair.held[1].get()
    }

    @Test("W5: a copy of a Lazy lets the container go with it")
    func copiesOfAnOpenedLazy() throws {
        let tracker = LifetimeTracker()
        weak var ended: Container?
        var copies: [Lazy<Leaf>] = []
        do {
            let box = Self.container(tracker)
            ended = box
            let lazy = try box.require(Lazy<Leaf>.self)
            copies = [lazy, lazy, lazy]
        }
        _ = copies[1].instance
        #expect(ended == nil)
        #expect(copies[0].instance === copies[2].instance)
    }

    // MARK: After the end

    private static func leftOver(_ tracker: LifetimeTracker, opened: Bool) throws -> Later {
        let box = container(tracker)
        box.register(Holder<Later>.self, scope: .container) { r in Holder(try Later(r)) }
        let later = try box.require(Holder<Later>.self).held
        if opened { _ = later.lazy.instance }
        return later
    }

    @Test("W5: an opened Lazy gives its value after its container has ended")
    func openedBeforeTheEnd() throws {
        let tracker = LifetimeTracker()
        let later = try Self.leftOver(tracker, opened: true)
        #expect(tracker.alive == 1)
        #expect(try later.lazy.get() === later.lazy.instance)
        #expect(tracker.made == 1)
    }

    @Test("W5: an unopened one throws an error that names the service and says that the container is gone")
    func unopenedAtTheEnd() throws {
        let tracker = LifetimeTracker()
        let later = try Self.leftOver(tracker, opened: false)
        for open in [later.lazy.get, later.provider.get] {
            let error = try #require(throws: ResolutionError.self) { try open() }
            #expect(error.code == .containerGone)
            #expect(error.key == ServiceKey(Leaf.self))
            #expect("\(error)".hasPrefix("[containerGone] Leaf cannot be resolved, since its container is gone"))
        }
        #expect(!later.lazy.isOpened)
        #expect(tracker.made == 0)
    }

    @Test("W5: the trapping accessor of an unopened Lazy stops the process with that text")
    func lazyTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Self.leftOver(LifetimeTracker(), opened: false).lazy.instance
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains("[containerGone] Leaf cannot be resolved, since its container is gone"))
    }

    @Test("W5: so does that of a Provider")
    func providerTraps() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Self.leftOver(LifetimeTracker(), opened: true).provider.instance
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains("[containerGone] Leaf cannot be resolved, since its container is gone"))
    }
}
