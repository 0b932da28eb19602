import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import DIWrappers
import Testing

@Suite("Wrappers that threads share")
struct SendableWrapperTests {
    struct Page: Sendable, Equatable {
        var text = ""
        var number = 0
    }

    final class Log {
        var lines: [String] = []
    }

    private static func expectRefused<Wrapper: InstanceWrapper>(
        _ wrapper: Wrapper.Type,
        _ resolver: any Resolver,
        _ detail: String,
        _ sourceLocation: Testing.SourceLocation
    ) {
        do throws(ResolutionError) {
            _ = try resolver.require(wrapper)
            Issue.record("was given", sourceLocation: sourceLocation)
        } catch {
            #expect(error.code == .notSendable, sourceLocation: sourceLocation)
            #expect(error.key == ServiceKey(Page.self), sourceLocation: sourceLocation)
            #expect("\(error)".contains(detail), sourceLocation: sourceLocation)
            #expect("\(error)".contains("or ask for a Lazy or Provider"), sourceLocation: sourceLocation)
        }
        #expect(resolver.resolve(wrapper) == nil, sourceLocation: sourceLocation)
    }

    private static func requestsFail(
        _ resolver: any Resolver,
        _ detail: String,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        expectRefused(SendableLazy<Page>.self, resolver, detail, sourceLocation)
        expectRefused(SendableProvider<Page>.self, resolver, detail, sourceLocation)
    }

    @Test("T13: a plain container gives no wrapper that threads share, and says what to do")
    func plain() throws {
        let box = Container()
        box.register(Page.self) { _ in Page() }
        Self.requestsFail(box, "no container that several threads may use has it")
        Self.requestsFail(box.createChild(), "no container that several threads may use has it")
        #expect(try box.require(Lazy<Page>.self).get() == Page())
        #expect(try box.require(Provider<Page>.self).get() == Page())
    }

    @Test("T13: from a confined child it comes from the nearest shared container that has the registration")
    func confined() throws {
        let root = ThreadSafeContainer()
        root.register(Page.self) { r in Page(text: r.resolve(String.self) ?? "none") }
        let middle = root.createChild()
        middle.register(String.self) { _ in "middle" }
        let child = middle.createConfinedChild()
        child.register(String.self) { _ in "child" }

        #expect(try child.require(Lazy<Page>.self).get().text == "child")
        let lazy = try child.require(SendableLazy<Page>.self)
        let provider = try child.createChild().require(SendableProvider<Page>.self)
        let seen = Journal<String>()
        Threads.together(2) { _ in
            seen.add(lazy.instance.text)
            seen.add(provider.instance.text)
        }
        #expect(seen.entries == Array(repeating: "middle", count: 4))

        child.register(Page.self) { _ in Page(text: "mine") }
        #expect(try child.require(SendableProvider<Page>.self).get().text == "middle")
    }

    @Test("T13: what only the confined child has it gives in no wrapper that threads share")
    func onlyConfined() {
        let child = ThreadSafeContainer().createConfinedChild()
        child.register(Page.self) { _ in Page() }
        Self.requestsFail(child, "no container that several threads may use has it")
    }

    @Test("T13: a decorated request binds the container behind the decoration")
    func decorated() throws {
        final class Decorated: Resolver {
            let base: any Resolver
            var requests = 0
            init(_ base: any Resolver) { self.base = base }
            func locate(_ key: ServiceKey) -> LocatedEntry {
                requests += 1
                return base.locate(key)
            }
        }
        let box = ThreadSafeContainer()
        box.register(Page.self) { _ in Page() }
        let decorated = Decorated(box)
        let provider = try decorated.require(SendableProvider<Page>.self)
        let requests = decorated.requests
        Threads.together(2) { _ in _ = provider.instance }
        #expect(decorated.requests == requests)
        let plain = Container()
        plain.register(Page.self) { _ in Page() }
        Self.requestsFail(Decorated(plain), "no container that several threads may use has it")
    }

    @Test("T13: arguments are carried to other threads where the compiler has seen that they may go there")
    func arguments() throws {
        let box = ThreadSafeContainer()
        box.register(Page.self, scope: .transient) { (_, text: String) in Page(text: text) }
        box.register(Page.self, name: "two", scope: .transient) { (_, text: String, number: Int) in
            Page(text: text, number: number)
        }
        box.register(Page.self, name: "three", scope: .transient) { (_, a: String, b: String, number: Int) in
            Page(text: a + b, number: number)
        }
        #expect(try box.requireSendable(SendableLazy<Page>.self, argument: "a").get().text == "a")
        let two = try box.requireSendable(SendableProvider<Page>.self, name: "two", arguments: "b", 2)
        let three = try box.requireSendable(SendableLazy<Page>.self, name: "three", arguments: "c", "d", 3)
        let nested = try box.requireSendable(SendableLazy<SendableProvider<Page>>.self, argument: "e")
        let seen = Journal<Page>()
        Threads.run {
            seen.add(two.instance)
            seen.add(three.instance)
            seen.add(nested.instance.instance)
        }
        #expect(seen.entries == [Page(text: "b", number: 2), Page(text: "cd", number: 3), Page(text: "e")])

        do throws(ResolutionError) {
            _ = try box.require(SendableLazy<Page>.self, argument: "a")
            Issue.record("was given")
        } catch {
            #expect(error.code == .notSendable)
            #expect("\(error)".contains("its runtime arguments are not known to be Sendable"))
            #expect("\(error)".contains("pass arguments with requireSendable"))
        }
    }

    @Test("W4: wrappers that threads share compose with the others, and with collections")
    func composed() throws {
        let box = ThreadSafeContainer()
        #expect(try box.require(SendableLazy<Page>?.self) == nil)
        #expect(box.resolve(SendableLazy<Page>.self) == nil)
        box.contribute(Page.self) { _ in Page(number: 1) }
        box.contribute(Page.self) { _ in Page(number: 2) }
        #expect(try box.require([SendableLazy<Page>].self).map(\.instance.number) == [1, 2])
        box.register(Page.self, name: "n") { _ in Page(number: 3) }
        #expect(try box.require(SendableLazy<Page>?.self, name: "n")?.get().number == 3)
        #expect(try box.require(Lazy<SendableProvider<Page>>.self, name: "n").get().get().number == 3)
        #expect(try SendableLazy(Page(number: 4)).get().number == 4)
    }

    @Test("W1: a SendableLazy joins the graph that it was made in while its objects live")
    func graph() throws {
        final class Holder: Sendable {
            let thing: Thing
            let lazy: SendableLazy<Thing>
            init(_ thing: Thing, _ lazy: SendableLazy<Thing>) {
                self.thing = thing
                self.lazy = lazy
            }
        }
        let tracker = LifetimeTracker()
        let box = ThreadSafeContainer()
        box.register(Thing.self) { _ in Thing(tracker) }
        box.autoregister(Holder.self, initializer: Holder.init)
        let holder = try box.require(Holder.self)
        Threads.run { #expect(holder.lazy.instance === holder.thing) }
        #expect(tracker.made == 1)
    }

    @Test(
        "W1: a SendableLazy whose factory opens it fails as a cycle, and is built by the next use that can",
        arguments: [true, false]
    )
    func nested(throughView: Bool) throws {
        let held = Journal<SendableLazy<Page>>()
        let isAllowed = Counter()
        let factory: @Sendable (any Resolver) throws -> Page = { _ in
            if isAllowed.value == 0 { _ = try held.entries[0].get() }
            return Page(number: 5)
        }
        let plain = Container()
        plain.register(Page.self, factory: factory)
        let shared = ThreadSafeContainer()
        shared.register(Page.self, factory: factory)
        let lazy =
            try throughView
            ? plain.synchronize().require(SendableLazy<Page>.self) : shared.require(SendableLazy<Page>.self)
        held.add(lazy)
        do throws(ResolutionError) {
            _ = try lazy.get()
            Issue.record("was built")
        } catch {
            #expect(error.root.code == .circular)
        }
        #expect(!lazy.isOpened)
        isAllowed.add()
        #expect(try lazy.get().number == 5)
        #expect(lazy.isOpened)
    }

    @Test("W5: a kept instance of a plain container holds it neither by a view's SendableLazy nor for it")
    func keptThroughView() throws {
        struct Late: Sendable {
            let lazy: SendableLazy<Thing>
            let provider: SendableProvider<Thing>
        }
        let tracker = LifetimeTracker()
        weak var ended: Container?
        let late: Late
        do {
            let box = Container()
            ended = box
            box.register(Thing.self) { _ in Thing(tracker) }
            box.register(Late.self, scope: .container) { r in
                Late(lazy: try r.require(SendableLazy.self), provider: try r.require(SendableProvider.self))
            }
            late = try box.synchronize().require(Late.self)
            Threads.together(2) { _ in _ = late.provider.instance }
        }
        #expect(ended == nil)
        let failures = Journal<ResolutionError>()
        let token = FailureObservers.add { failures.add($0) }
        defer { FailureObservers.remove(token) }
        #expect(throws: ResolutionError.self) { try late.lazy.get() }
        #expect(failures.entries.contains { $0.code == .containerGone && $0.key == ServiceKey(Thing.self) })
    }
}

extension ResolutionError {
    /// The failure that others were wrapped around.
    fileprivate var root: ResolutionError {
        (underlying as? ResolutionError)?.root ?? self
    }
}
