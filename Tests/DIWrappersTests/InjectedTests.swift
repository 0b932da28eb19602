import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import DIWrappers
import Dispatch
import Observation
import Synchronization
import Testing

private protocol Clock: AnyObject, Sendable {
    var name: String { get }
}

private final class WallClock: Clock {
    let name: String

    init(_ name: String = "wall") { self.name = name }
}

private final class TrackedClock: Tracked, Clock, @unchecked Sendable {
    var name: String { "tracked" }
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

    @Test("A property that its owner's initializer fills needs no current resolver, and one instance is built for it")
    func filledInAnInitializer() {
        let built = Counter()
        let box = container {
            $0.register((any Clock).self, scope: .transient) { (_, name: String) in
                built.add()
                return WallClock(name)
            }
        }
        final class Class {
            @Injected var clock: any Clock
            init(_ resolver: any Resolver) { _clock = Injected(argument: "class", from: resolver) }
        }
        struct Struct {
            @Injected var clock: any Clock
            init(_ resolver: any Resolver) { _clock = Injected(argument: "struct", from: resolver) }
        }
        final class Unheld {
            @WeakInjected var clock: (any Clock)?
            init(_ resolver: any Resolver) { _clock = WeakInjected(argument: "weak", from: resolver) }
        }
        final class Late {
            @LazyInjected var clock: any Clock
            init(_ resolver: any Resolver) { _clock = LazyInjected(argument: "lazy", from: resolver) }
        }
        final class Anew {
            @ProvidedInjected var clock: any Clock
            init(_ resolver: any Resolver) { _clock = ProvidedInjected(argument: "provided", from: resolver) }
        }
        func check() {
            #expect(Class(box).clock.name == "class")
            #expect(Struct(box).clock.name == "struct")
            #expect(Unheld(box).clock == nil)
            #expect(Late(box).clock.name == "lazy")
            #expect(Anew(box).clock.name == "provided")
        }
        #expect(CurrentResolver.resolver == nil)
        check()
        #expect(built.value == 5)
        // Nor does it matter that the current one does not have the service.
        CurrentResolver.withValue(ThreadSafeContainer()) { check() }
        #expect(built.value == 10)
    }

    @Test("An initializer that fills a property without arguments builds one instance, by name and without one")
    func filledByName() {
        let built = Counter()
        let box = ThreadSafeContainer(defaultObjectScope: .transient)
        box.register((any Clock).self) { _ in
            built.add()
            return WallClock()
        }
        box.register((any Clock).self, name: "sand") { _ in
            built.add()
            return WallClock("sand")
        }
        final class Holder {
            @Injected var clock: any Clock
            @Injected var sand: any Clock
            @WeakInjected var weak: (any Clock)?

            init(_ resolver: any Resolver) {
                _clock = Injected(from: resolver)
                _sand = Injected(name: "sand", from: resolver)
                _weak = WeakInjected(from: resolver)
            }
        }
        let holder = Holder(box)
        #expect(built.value == 3)
        #expect(holder.clock.name == "wall")
        #expect(holder.sand.name == "sand")
        #expect(holder.weak == nil)
        #expect(built.value == 3)
    }

    @Test(
        "What a current resolver has given a property is released when the owner's initializer puts something else there"
    )
    func filledTwice() {
        // The language fills a property without arguments before the body of the initializer runs.
        let box = container { $0.register((any Clock).self) { _ in WallClock("named") } }
        let given = LifetimeTracker()
        let current = ThreadSafeContainer()
        current.register((any Clock).self) { _ in TrackedClock(given) }
        final class Holder {
            @Injected var clock: any Clock
            init(_ resolver: any Resolver) { _clock = Injected(from: resolver) }
        }
        CurrentResolver.withValue(current) {
            let holder = Holder(box)
            #expect(given.made == 1)
            #expect(given.alive == 0)
            #expect(holder.clock.name == "named")
        }
    }

    @Test("A property that could not be filled takes a replacement")
    func replacingNothing() {
        let stub = WallClock("stub")
        final class Holder {
            @Injected var clock: any Clock
            @WeakInjected var weak: (any Clock)?
        }
        let holder = Holder()
        holder.$clock.replace(with: stub)
        holder.$weak.replace(with: stub)
        #expect(holder.clock === stub)
        #expect(holder.weak === stub)
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

    @Test("A property without a resolver ends the program where it is read, with the text that says how to set one")
    func without() async throws {
        await #expect(processExitsWith: .success) {
            _ = Watch()
            _ = Listener()
        }
        let eager = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Watch().clock
        }
        let weak = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Listener().clock
        }
        for result in [eager, weak] {
            let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
            #expect(text.contains("[noCurrentResolver] Clock"))
            #expect(text.contains("is wanted, and there is no current resolver"))
            #expect(text.contains("call CurrentResolver.bootstrap(_:) at the start of the program"))
        }
    }

    @Test("A property with arguments that cannot be filled ends the program where its owner is made")
    func withArguments() async throws {
        struct Named {
            @Injected(name: "sand") var clock: any Clock
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            CurrentResolver.withValue(ThreadSafeContainer()) { _ = Named() }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("[notRegistered] Clock named \"sand\""))
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
            let confined = ConfinedResolver(taking: box, isolation: nil)
            precondition(confined.resolve((any Clock).self) != nil)
            Threads.run { _ = confined.resolve((any Clock).self) }
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Clock was asked of a container that belongs to another thread"))
    }

    @Test("T13: what a confined resolver holds is released on its actor, wherever the resolver ends")
    @MainActor
    func releasedOnActor() async {
        /// Says where it ended.
        final class Farewell {
            static let key = DispatchSpecificKey<Bool>()
            let endedOnMain: Journal<Bool>
            init(_ endedOnMain: Journal<Bool>) { self.endedOnMain = endedOnMain }
            deinit { endedOnMain.add(DispatchQueue.getSpecific(key: Farewell.key) == true) }
        }
        DispatchQueue.main.setSpecific(key: Farewell.key, value: true)
        let endedOnMain = Journal<Bool>()
        func confined() -> ConfinedResolver {
            let box = Container()
            box.register(Farewell.self, instance: Farewell(endedOnMain))
            return ConfinedResolver(box)
        }
        let holder = Mutex<ConfinedResolver?>(confined())
        #expect(holder.withLock { $0?.resolve(Farewell.self) } != nil)
        await Task.detached { holder.withLock { $0 = nil } }.value
        for _ in 0..<1_000 where endedOnMain.entries.isEmpty { await Task.yield() }
        #expect(endedOnMain.entries == [true])
        do { _ = confined() }
        #expect(endedOnMain.entries == [true, true])
    }
}
