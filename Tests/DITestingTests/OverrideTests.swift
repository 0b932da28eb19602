import DICore
import DIScopes
import DITestSupport
import DITesting
import DIThreadSafe
import DIWrappers
import Testing

@Suite("Overrides")
struct OverrideTests {
    private static func fill(_ registrar: any SendableRegistrar) {
        registrar.register((any Clock).self, scope: .container) { _ in WallClock() }
        registrar.register((any Clock).self, name: "sand") { _ in WallClock("sand") }
        registrar.register(Watch.self, scope: .container) { r in Watch(try r.require((any Clock).self)) }
        registrar.register(Drawer.self) { r in Drawer(try r.require(Watch.self)) }
        registrar.register(Bell.self) { _ in Bell() }.implements((any Alarm).self)
    }

    private static func shared() -> ThreadSafeContainer {
        let box = ThreadSafeContainer()
        fill(box)
        return box
    }

    private static func plain() -> Container {
        let box = Container()
        fill(box.registrar)
        return box
    }

    // MARK: A container that threads share

    @Test("An override reaches what the container keeps, for the scope alone, and nothing of it is kept after")
    func scoped() throws {
        let box = Self.shared()
        let before = try box.require(Watch.self)
        try expectReleased {
            try withOverrides(of: box) {
                $0.register((any Clock).self, scope: .container) { _ in WallClock("stub") }
            } operation: { box in
                let watch = try box.require(Watch.self)
                #expect(watch.clock.name == "stub")
                #expect(try box.require(Drawer.self).watch === watch)
                #expect(try box.require(Watch.self) === watch)
                #expect(try box.require((any Clock).self, name: "sand").name == "sand")
                return watch
            }
        }
        #expect(try box.require(Watch.self) === before)
        #expect(before.clock.name == "wall")
    }

    @Test("What is built first under an override is not in the container after")
    func notBuiltBefore() throws {
        let box = Self.shared()
        let watch = try withOverrides(of: box) {
            $0.register((any Clock).self) { _ in WallClock("stub") }
        } operation: {
            try $0.require(Watch.self)
        }
        #expect(try box.require(Watch.self) !== watch)
        #expect(try box.require(Watch.self).clock.name == "wall")
    }

    @Test("It is current for the operation and its child tasks, also for a task that outlives it")
    func current() async throws {
        let box = Self.shared()
        let gate = Gate()
        let late = await withOverrides(of: box) {
            $0.register((any Clock).self) { _ in WallClock("stub") }
        } operation: { _ in
            await Task.yield()
            async let child = CurrentResolver.resolver?.resolve(Watch.self)?.clock.name
            #expect(await child == "stub")
            return Task {
                await withCheckedContinuation { done in
                    Task.detached {
                        gate.pass()
                        done.resume()
                    }
                }
                return try CurrentResolver.get().require(Watch.self).clock.name
            }
        }
        gate.open()
        #expect(try await late.value == "stub")
        #expect(CurrentResolver.resolver == nil)
        #expect(try box.require(Watch.self).clock.name == "wall")
    }

    @Test("What is thrown is thrown on, and all is as before")
    func throwing() async throws {
        struct Stop: Error {}
        let box = Self.shared()
        #expect(throws: Stop.self) {
            try withOverrides(of: box) {
                $0.register((any Clock).self) { _ in WallClock("stub") }
            } operation: { _ in
                throw Stop()
            }
        }
        await #expect(throws: Stop.self) {
            try await withOverrides(of: box) {
                $0.register((any Clock).self) { _ in WallClock("stub") }
            } operation: { _ in
                await Task.yield()
                throw Stop()
            }
        }
        #expect(CurrentResolver.resolver == nil)
        #expect(try box.require(Watch.self).clock.name == "wall")
    }

    @Test("Overrides nest")
    func nesting() throws {
        let names = try withOverrides(of: Self.shared()) {
            $0.register((any Clock).self) { _ in WallClock("outer") }
        } operation: { outer in
            let inner = try withOverrides(of: outer) {
                $0.register((any Clock).self) { _ in WallClock("inner") }
            } operation: {
                try $0.require(Watch.self).clock.name
            }
            return [inner, try outer.require(Watch.self).clock.name]
        }
        #expect(names == ["inner", "outer"])
    }

    @Test("Forms with arguments, names, instances and collections can be overridden or added to")
    func forms() throws {
        let box = Self.shared()
        box.register(String.self) { (_, number: Int) in "real \(number)" }
        box.contribute(Int.self) { _ in 1 }
        let stub = WallClock("instance")
        withOverrides(of: box, allowsAdditions: true) {
            $0.register(String.self) { (_, number: Int) in "stub \(number)" }
            $0.register((any Clock).self, name: "sand", instance: stub)
            $0.contribute(Int.self) { _ in 2 }
        } operation: { box in
            #expect(box.resolve(String.self, argument: 7) == "stub 7")
            #expect(box.resolve((any Clock).self, name: "sand") === stub)
            #expect(box.resolveAll(Int.self) == [1, 2])
            #expect(box.resolve([Int].self) == [1, 2])
        }
        #expect(box.resolveAll(Int.self) == [1])
    }

    @Test("The scope of an override that says nothing is the default of the container below")
    func defaultScope() throws {
        let box = ThreadSafeContainer(defaultObjectScope: .container)
        Self.fill(box)
        withOverrides(of: box) {
            $0.register((any Clock).self) { _ in WallClock("stub") }
        } operation: {
            expectSameInstance((any Clock).self, from: $0)
        }
    }

    // MARK: What is reported

    @Test("An override that replaces nothing fails, with what there is of its type")
    func astray() {
        let box = Self.shared()
        let line = #line + 2
        let found = failures {
            withOverrides(of: box) {
                $0.register((any Clock).self, name: "sun") { _ in WallClock("stub") }
                $0.register(Knot.self) { _ in Knot() }
            } operation: { _ in
            }
        }
        let place = "DITestingTests/OverrideTests.swift"
        #expect(found.map(\.line) == [line])
        #expect(
            found.map(\.text).map(stable) == [
                """
                the override of Clock named "sun" (\(place)) replaces nothing: the container has no such registration; it has
                  Clock (\(place))
                  Clock named "sand" (\(place))
                the override of Knot (\(place)) replaces nothing: the container has no such registration
                """
            ]
        )
    }

    @Test("In strict mode what is resolved without an override fails, with who asked, each once")
    func strict() async {
        let box = Self.shared()
        let found = failures {
            withOverrides(of: box, originals: .only([ServiceKey(Drawer.self), ServiceKey((any Alarm).self)])) {
                $0.register((any Clock).self) { _ in WallClock("stub") }
            } operation: { box in
                _ = box.resolve(Drawer.self)
                _ = box.resolve(Drawer.self)
                _ = box.resolve((any Alarm).self)
                _ = box.resolve((any Clock).self, name: "sand")
            }
        }
        #expect(
            found.map(\.text) == [
                """
                resolved without an override:
                  Watch created for Drawer
                  Clock named "sand" created
                """
            ]
        )
        withOverrides(of: box, originals: .only([ServiceKey(Watch.self)])) {
            $0.register((any Clock).self) { _ in WallClock("stub") }
            $0.register(Bell.self) { _ in Bell() }
        } operation: { box in
            _ = box.resolve(Watch.self)
            _ = box.resolve(Bell.self)
        }
        let none = await failures {
            struct Stop: Error {}
            try? await withOverrides(of: box, originals: .none) {
                $0.register((any Clock).self) { _ in WallClock("stub") }
            } operation: { box in
                await Task.yield()
                _ = box.resolve((any Alarm).self)
                throw Stop()
            }
        }
        #expect(none.map(\.text) == ["resolved without an override:\n  Bell created"])
    }

    // MARK: A plain container

    @Test("A plain container is overridden as well, with what is not Sendable too")
    @MainActor
    func plainContainer() async throws {
        final class Local {
            var count = 0
        }
        let box = Self.plain()
        let local = Local()
        box.register(Local.self) { _ in Local() }
        let before = try box.require(Watch.self)
        withOverrides(of: box) {
            $0.register((any Clock).self, scope: .container) { _ in WallClock("stub") }
            $0.register(Local.self, instance: local)
        } operation: { box in
            #expect(box.resolve(Drawer.self)?.watch.clock.name == "stub")
            #expect(box.resolve(Local.self) === local)
            CurrentResolver.withValue(ConfinedResolver(box)) {
                #expect(CurrentResolver.resolver?.resolve(Watch.self)?.clock.name == "stub")
            }
        }
        #expect(try box.require(Watch.self) === before)
        let name = try await withOverrides(of: box) {
            $0.register((any Clock).self) { _ in WallClock("stub") }
        } operation: { box in
            await Task.yield()
            return try box.require(Watch.self).clock.name
        }
        #expect(name == "stub")
        #expect(try box.require(Drawer.self).watch.clock.name == "wall")
    }

    @Test("Overrides of a plain container are looked at as well")
    func plainReports() async {
        let box = Self.plain()
        let astray = failures {
            withOverrides(of: box) {
                $0.register(Knot.self) { _ in Knot() }
            } operation: { _ in
            }
        }
        #expect(astray.count == 1)
        #expect(astray.first?.text.hasPrefix("the override of Knot ") == true)
        let strict = await failures {
            await withOverrides(of: box, originals: .none) { _ in
            } operation: { box in
                await Task.yield()
                _ = box.resolve(Watch.self)
            }
        }
        #expect(
            strict.map(\.text) == ["resolved without an override:\n  Clock created for Watch\n  Watch created"]
        )
    }
}
