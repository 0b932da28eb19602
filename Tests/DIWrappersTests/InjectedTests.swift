import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import DIWrappers
import Observation
import Testing

private protocol Clock: AnyObject, Sendable {
    var name: String { get }
}

private final class WallClock: Clock {
    let name: String

    init(_ name: String = "wall") { self.name = name }
}

private protocol Absent: AnyObject, Sendable {}

private func container(_ register: (ThreadSafeContainer) -> Void = { _ in }) -> ThreadSafeContainer {
    let box = ThreadSafeContainer()
    box.register((any Clock).self) { _ in WallClock() }
    box.register((any Clock).self, name: "sand") { _ in WallClock("sand") }
    box.register((any Clock).self) { (_, name: String) in WallClock(name) }
    box.register((any Clock).self) { (_, name: String, number: Int) in WallClock("\(name) \(number)") }
    box.register((any Clock).self) { (_, name: String, number: Int, isLoud: Bool) in
        WallClock("\(name) \(number) \(isLoud)")
    }
    register(box)
    return box
}

private final class Shelf {
    @Injected var plain: any Clock
    @Injected(name: "sand") var named: any Clock
    @Injected(argument: "alarm") var one: any Clock
    @Injected(arguments: "alarm", 7) var two: any Clock
    @Injected(arguments: "alarm", 7, true) var three: any Clock
    @Injected var optional: (any Clock)?
    @Injected var absent: (any Absent)?
}

private struct Watch {
    @Injected var clock: any Clock
    @LazyInjected(name: "sand") var late: any Clock
}

private actor Tower {
    @Injected var clock: any Clock
    @LazyInjected var late: any Clock

    var names: [String] { [clock.name, late.name] }
}

@Observable
private final class Model {
    @ObservationIgnored @Injected var clock: any Clock
    @ObservationIgnored @LazyInjected var late: any Clock
    var title = "title"
}

private final class Alarm {
    @LazyInjected var clock: any Clock
    @LazyInjected(argument: "alarm") var argued: any Clock
}

private final class Bell {
    @ProvidedInjected var clock: any Clock
    @ProvidedInjected(name: "sand") var named: any Clock
}

private final class Listener {
    @WeakInjected var clock: (any Clock)?
    @WeakInjected var absent: (any Absent)?
}

@Suite("Injected properties")
struct InjectedTests {
    @Test(
        "A property fills itself from the current resolver, by name, by arguments, and with nil where nothing is registered"
    )
    func forms() {
        CurrentResolver.withValue(container()) {
            let shelf = Shelf()
            #expect(shelf.plain.name == "wall")
            #expect(shelf.named.name == "sand")
            #expect(shelf.one.name == "alarm")
            #expect(shelf.two.name == "alarm 7")
            #expect(shelf.three.name == "alarm 7 true")
            #expect(shelf.optional?.name == "wall")
            #expect(shelf.absent == nil)
            #expect(shelf.plain === shelf.plain)
        }
    }

    @Test("Properties work in structs, actors and observable classes")
    func owners() async {
        await CurrentResolver.withValue(container()) {
            #expect(Watch().clock.name == "wall")
            #expect(Watch().late.name == "sand")
            #expect(await Tower().names == ["wall", "wall"])
            let model = Model()
            #expect(model.clock.name == "wall")
            #expect(model.late === model.late)
            #expect(model.title == "title")
        }
    }

    @Test("A resolver that is named is asked in place of the current one")
    func explicit() {
        let box = container { $0.register((any Clock).self) { _ in WallClock("named") } }
        final class Holder {
            @Injected var clock: any Clock
            @LazyInjected var late: any Clock

            init(_ resolver: any Resolver) {
                _clock = Injected(from: resolver)
                _late = LazyInjected(from: resolver)
            }
        }
        CurrentResolver.withValue(container()) {
            #expect(Holder(box).clock.name == "named")
            #expect(Holder(box).late.name == "named")
        }
    }

    @Test("Projected values look at an instance and replace it")
    func replacing() {
        CurrentResolver.withValue(container()) {
            let stub = WallClock("stub")
            let shelf = Shelf()
            shelf.$plain.replace(with: stub)
            #expect(shelf.plain === stub)
            let alarm = Alarm()
            #expect(!alarm.$clock.isResolved)
            alarm.$clock.replace(with: stub)
            #expect(alarm.$clock.isResolved)
            #expect(alarm.clock === stub)
            let bell = Bell()
            bell.$clock.replace(with: stub)
            #expect(bell.clock === stub)
            bell.$clock.replace(with: nil)
            #expect(bell.clock !== stub)
            let listener = Listener()
            listener.$clock.replace(with: stub)
            #expect(listener.clock === stub)
        }
    }

    @Test("A lazy property is built at the first use, once, from the resolver that was current when its owner was made")
    func laziness() {
        let built = Counter()
        let box = container {
            $0.register((any Clock).self, scope: .transient) { _ in
                built.add()
                return WallClock("first")
            }
        }
        let alarm = CurrentResolver.withValue(box) { Alarm() }
        #expect(built.value == 0)
        #expect(!alarm.$clock.isResolved)
        #expect(alarm.clock.name == "first")
        #expect(alarm.clock === alarm.clock)
        #expect(alarm.$clock.isResolved)
        #expect(alarm.argued.name == "alarm")
        #expect(built.value == 1)
    }

    @Test("A provided property is resolved anew at each use")
    func provided() {
        let bell = CurrentResolver.withValue(container()) { Bell() }
        #expect(bell.clock !== bell.clock)
        #expect(bell.named.name == "sand")
    }

    @Test("A weak property does not hold its object, and is nil where nothing is registered")
    func weak() {
        let box = container { $0.register((any Clock).self, scope: .weak) { _ in WallClock() } }
        CurrentResolver.withValue(box) {
            var holder = box.resolve((any Clock).self)
            let listener = Listener()
            #expect(listener.clock === holder)
            #expect(listener.absent == nil)
            holder = nil
            #expect(listener.clock == nil)
        }
    }

    @Test("Child tasks inherit the resolver of their task, and parallel tasks do not see each other's")
    func tasks() async {
        await withTaskGroup(of: String.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let box = container { $0.register((any Clock).self) { _ in WallClock("\(number)") } }
                    return await CurrentResolver.withValue(box) {
                        async let name = Shelf().plain.name
                        return await name == "\(number)" ? "right" : "wrong"
                    }
                }
            }
            for await result in group { #expect(result == "right") }
        }
    }

    @Test("A property without a resolver ends the program with the text that says how to set one")
    func without() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Watch()
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("[noCurrentResolver] Clock is wanted, and there is no current resolver"))
        #expect(text.contains("call CurrentResolver.bootstrap(_:) at the start of the program"))
    }

    @Test("A default of the process is used where a task has none, in a thread of its own too")
    func bootstrapping() async {
        await #expect(processExitsWith: .success) {
            try CurrentResolver.bootstrap(container())
            precondition(Watch().clock.name == "wall")
            Threads.run { precondition(Watch().clock.name == "wall") }
            let other = container { $0.register((any Clock).self) { _ in WallClock("other") } }
            CurrentResolver.withValue(other) { precondition(Watch().clock.name == "other") }
        }
    }

    @Test("A plain container is asked through a confined resolver, on its own actor alone")
    func confined() async throws {
        await #expect(processExitsWith: .success) { @MainActor in
            let box = Container()
            box.register((any Clock).self) { _ in WallClock("main") }
            try CurrentResolver.bootstrap(ConfinedResolver(box))
            precondition(Watch().clock.name == "main")
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
            let box = Container()
            box.register((any Clock).self) { _ in WallClock("main") }
            try CurrentResolver.bootstrap(ConfinedResolver(box))
            await Task.detached { _ = Watch() }.value
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Clock was asked of a container that belongs to another actor"))
    }

    @Test("A confined resolver that was made on a thread refuses another one")
    func confinedToThread() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let box = Container()
            box.register((any Clock).self) { _ in WallClock("thread") }
            let confined = ConfinedResolver(box, isolation: nil)
            precondition(confined.resolve((any Clock).self) != nil)
            Threads.run { _ = confined.resolve((any Clock).self) }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Clock was asked of a container that belongs to another thread"))
    }
}
