import DICore
import DIScopes
import DITestSupport
import DITesting
import DIThreadSafe
import Testing

@Suite("Assertions")
struct AssertionTests {
    /// Both kinds of containers, with the same registrations.
    enum Kind: CaseIterable {
        case plain, threadSafe

        func make(_ register: (any SendableRegistrar) -> Void = { _ in }) -> any ContainerProtocol {
            switch self {
            case .plain:
                let container = Container()
                fill(container.registrar)
                register(container.registrar)
                return container
            case .threadSafe:
                let container = ThreadSafeContainer()
                fill(container)
                register(container)
                return container
            }
        }

        private func fill(_ registrar: any SendableRegistrar) {
            registrar.register((any Clock).self, scope: .container) { _ in WallClock() }
            registrar.register((any Clock).self, name: "sand", scope: .transient) { _ in WallClock("sand") }
            registrar.register((any Clock).self, scope: .transient) { (_, name: String) in WallClock(name) }
            registrar.register(Watch.self) { r in Watch(try r.require((any Clock).self)) }
            registrar.register(Int.self) { _ in 7 }
        }
    }

    @Test("What resolves passes and is given", arguments: Kind.allCases)
    func resolves(kind: Kind) {
        let box = kind.make()
        #expect(expectResolves((any Clock).self, from: box)?.name == "wall")
        #expect(expectResolves((any Clock).self, name: "sand", from: box)?.name == "sand")
        #expect(expectResolves(from: box) { try $0.require((any Clock).self, argument: "egg") }?.name == "egg")
    }

    @Test("Any resolver can be asked, such as a view of a container")
    func anyResolver() throws {
        let box = Container()
        box.register((any Clock).self, scope: .container) { _ in WallClock() }
        box.register(Watch.self) { r in Watch(try r.require((any Clock).self)) }
        let view = box.synchronize()
        expectResolves(Watch.self, from: view)
        expectSameInstance((any Clock).self, from: view, and: box)
        expectDoesNotResolve((any Alarm).self, from: view)
        expectEverythingBuilds(from: view)
        try expectReleased { try view.require(Watch.self) }
        #expect(failures { expectNewInstance((any Clock).self, from: view) }.count == 1)
    }

    @Test("What does not resolve fails with the error, at the line of the assertion", arguments: Kind.allCases)
    func resolvesFails(kind: Kind) {
        let box = kind.make { $0.register(Drawer.self) { r in Drawer(try r.require(Watch.self, name: "gold")) } }
        let line = #line + 1
        let found = failures { expectResolves(Drawer.self, from: box) }
        #expect(found.map(\.line) == [line])
        #expect(
            found.map(\.text).map(stable) == [
                """
                Drawer cannot be resolved:
                [notRegistered] Watch named "gold" is not registered
                  needed by Drawer  (DITestingTests/AssertionTests.swift)
                  registered instead: Watch  (DITestingTests/AssertionTests.swift)
                  → ask without a name
                """
            ]
        )
        let thrown = failures { expectResolves(from: box) { try $0.require((any Alarm).self, argument: 1) } }
        #expect(thrown.map { $0.text.prefix { $0 != "\n" } } == ["Alarm cannot be resolved:"])
    }

    @Test("What cannot be resolved, for the reason that is given, passes", arguments: Kind.allCases)
    func doesNotResolve(kind: Kind) {
        let box = kind.make()
        #expect(expectDoesNotResolve((any Alarm).self, from: box)?.code == .notRegistered)
        #expect(expectDoesNotResolve((any Clock).self, name: "sun", from: box, because: .notRegistered) != nil)
        expectDoesNotResolve(from: box, because: .argumentsMismatch) { try $0.require((any Clock).self, argument: 7) }
    }

    @Test("What is resolved against expectation fails, and so does another reason", arguments: Kind.allCases)
    func doesNotResolveFails(kind: Kind) {
        let box = kind.make()
        struct Refusal: Error {}
        #expect(
            failures { expectDoesNotResolve((any Clock).self, name: "sand", from: box) }.map(\.text) == [
                "Clock named \"sand\" is resolved, to an instance of WallClock"
            ]
        )
        #expect(
            failures { expectDoesNotResolve((any Alarm).self, from: box, because: .circular) }.map(\.text) == [
                """
                Alarm cannot be resolved, but not because of circular:
                [notRegistered] Alarm is not registered
                  asked for directly
                  → register Alarm in the container that was asked, or in a parent of it
                  → or ask for the type that it is registered as: a protocol and its implementation are two keys
                """
            ]
        )
        #expect(
            failures { expectDoesNotResolve(from: box) { _ -> Int in throw Refusal() } }.map(\.text) == [
                "Int cannot be resolved, and the error is not one of resolving:\nRefusal()"
            ]
        )
    }

    @Test("Identity is asserted within one resolver and between two", arguments: Kind.allCases)
    func identity(kind: Kind) {
        let box = kind.make()
        expectSameInstance((any Clock).self, from: box)
        expectNewInstance((any Clock).self, name: "sand", from: box)
        expectNewInstance(from: box) { try $0.require((any Clock).self, argument: "egg") }
        expectSameInstance(from: box) { try $0.require(Watch.self).clock }
        expectNewInstance((any Clock).self, from: box, and: kind.make())
    }

    @Test("Wrong identity fails with the types, and so do values", arguments: Kind.allCases)
    func identityFails(kind: Kind) {
        let box = kind.make()
        let line = #line + 1
        let found = failures { expectSameInstance((any Clock).self, name: "sand", from: box) }
        #expect(found == [Failure(text: "two requests for Clock gave two instances of WallClock", line: line)])
        #expect(
            failures { expectNewInstance((any Clock).self, from: box) }.map(\.text) == [
                "two requests for Clock gave the same instance of WallClock"
            ]
        )
        #expect(
            failures { expectSameInstance((any Clock).self, from: box, and: kind.make()) }.map(\.text) == [
                "the two resolvers for Clock gave two instances of WallClock"
            ]
        )
        #expect(
            failures { expectNewInstance(Int.self, from: box) }.map(\.text) == [
                "Int gave a value of Int, and values have no identity"
            ]
        )
        #expect(failures { expectSameInstance((any Alarm).self, from: box) }.count == 1)
    }

    @Test("A wiring that is not valid fails with the whole report", arguments: Kind.allCases)
    func wiring(kind: Kind) {
        let valid = kind.make()
        #expect(expectValidWiring(of: valid).isValid)
        let broken = kind.make { $0.autoregister(Drawer.self, initializer: Drawer.init).dependsOn((any Alarm).self) }
        let line = #line + 1
        let found = failures { expectValidWiring(of: broken) }
        #expect(found.map(\.line) == [line])
        #expect(found.first?.text.hasPrefix("the wiring is not valid:\n") == true)
        #expect(found.first?.text.hasSuffix("\n\(broken.dependencyGraph().validate())") == true)
        #expect(found.first?.text.contains("Alarm is not registered") == true)
        expectValidWiring(of: broken, external: [ServiceKey((any Alarm).self)])
    }

    @Test("Everything is built, with the arguments that are supplied", arguments: Kind.allCases)
    func builds(kind: Kind) {
        let built = Journal<String>()
        let box = kind.make {
            $0.contribute((any Alarm).self) { _ in
                built.add("alarm")
                return Bell()
            }
            $0.register(String.self) { (_, a: Int, b: Bool) in "\(a)\(b)" }
            $0.register(String.self, name: "n") { (_, a: Int, b: Bool, c: Int, d: Int) in
                built.add("\(a)\(b)\(c)\(d)")
                return ""
            }
        }
        expectEverythingBuilds(
            from: box,
            arguments: [
                SuppliedArguments((any Clock).self, "egg"),
                SuppliedArguments(String.self, 1, true),
                SuppliedArguments(String.self, name: "n", 1, true, 2, 3),
            ]
        )
        #expect(built.entries == ["alarm", "1true23"])
    }

    @Test("K7: supplied arguments belong to the registration of their static types", arguments: Kind.allCases)
    func staticTypes(kind: Kind) {
        let clock: any Clock = WallClock()
        let maybe: (any Clock)? = clock
        let built = Journal<String>()
        @Sendable func note(_ wanted: String) -> String {
            built.add(wanted)
            return wanted
        }
        let box = kind.make {
            $0.register(String.self) { (_, _: any Clock) in note("clock") }
            $0.register(String.self) { (_, _: (any Clock)?) in note("maybe") }
            $0.register(String.self) { (_, _: any Clock, _: Int) in note("clock, 1") }
            $0.register(String.self) { (_, _: Int, _: any Clock, _: any Clock, _: (any Clock)?) in note("1, clocks") }
            $0.register(Int.self) { (_, _: any Clock) in note("as").count }
        }
        expectEverythingBuilds(
            from: box,
            arguments: [
                SuppliedArguments((any Clock).self, "egg"),
                SuppliedArguments(String.self, clock),
                SuppliedArguments(String.self, maybe),
                SuppliedArguments(String.self, clock, 1),
                SuppliedArguments(String.self, 1, clock, clock, maybe),
                SuppliedArguments(Int.self, WallClock(), as: (any Clock).self),
            ]
        )
        #expect(built.entries == ["clock", "maybe", "clock, 1", "1, clocks", "as"])
    }

    @Test("All that cannot be built is told at once", arguments: Kind.allCases)
    func buildsFails(kind: Kind) {
        struct Broken: Error {}
        struct Tag: ServiceKeyOption {
            let description = "tag"
        }
        let box = kind.make {
            $0.register(Drawer.self) { _ in throw Broken() }
            $0.contribute((any Alarm).self) { _ in throw Broken() }
            $0.register(Knot.self, option: Tag()) { _ in Knot() }
        }
        let found = failures {
            expectEverythingBuilds(from: box, arguments: [SuppliedArguments(Watch.self, 3)])
        }
        let place = "DITestingTests/AssertionTests.swift"
        #expect(
            found.map(\.text).map(stable) == [
                """
                of 8, 5 registrations cannot be built:
                Clock(String) (\(place)): its runtime arguments are not supplied
                Drawer (\(place)):
                  [factoryThrew] the factory of Drawer threw: Broken()  (\(place))
                    asked for directly
                Alarm [contribution] (\(place)):
                  [factoryThrew] the factory of Alarm [contribution] threw: Broken()  (\(place))
                    asked for directly
                Knot [tag] (\(place)): it has an option, so it is to be excepted
                Watch(Int): arguments are supplied for it, and it is not registered
                """
            ]
        )
        expectEverythingBuilds(
            from: box,
            arguments: [SuppliedArguments((any Clock).self, "egg")],
            except: box.visibleEntries.map(\.key).filter {
                $0.serviceType == Drawer.self || $0.serviceType == (any Alarm).self || $0.serviceType == Knot.self
            }
        )
    }

    @Test("An object that nothing holds passes", arguments: Kind.allCases)
    func released(kind: Kind) async throws {
        let box = kind.make()
        try expectReleased { try box.require(Watch.self) }
        try await expectReleased { () async throws -> Watch in
            await Task.yield()
            return try box.require(Watch.self)
        }
    }

    @Test("An object that something holds fails with its type, and so does a value", arguments: Kind.allCases)
    func releasedFails(kind: Kind) async {
        let box = kind.make()
        let line = #line + 1
        let found = failures { try expectReleased { try box.require((any Clock).self) } }
        #expect(found == [Failure(text: "WallClock is not released: something still holds it", line: line)])
        var knot: Knot?
        let own = await failures {
            await expectReleased { () async -> Knot in
                let made = Knot()
                made.other = made
                knot = made
                return made
            }
        }
        knot?.other = nil
        #expect(own.map(\.text) == ["Knot is not released: something still holds it"])
        #expect(
            failures { try expectReleased { try box.require(Int.self) } }.map(\.text) == [
                "Int is a value type, and values are not released"
            ]
        )
    }

    @Test("What is thrown while an object is made is thrown on")
    func releasedThrows() {
        #expect(throws: ResolutionError.self) { try expectReleased { try Container().require(Watch.self) } }
    }

    @Test("Constructions are counted on the way, with what forwards to them", arguments: Kind.allCases)
    func constructed(kind: Kind) async throws {
        let box = kind.make { $0.register(Bell.self) { _ in Bell() }.implements((any Alarm).self) }
        let watch = try expectConstructed((any Clock).self, times: 1, in: box) {
            _ = try box.require(Watch.self)
            return try box.require(Watch.self)
        }
        #expect(watch.clock.name == "wall")
        expectConstructed((any Clock).self, times: 0, in: box) { box.resolve((any Clock).self) }
        expectConstructed((any Alarm).self, times: 2, in: box) {
            _ = box.resolve((any Alarm).self)
            _ = box.resolve(Bell.self)
        }
        await expectConstructed(Watch.self, times: 1, in: box) { () async in _ = box.resolve(Watch.self) }
    }

    @Test("A wrong number of constructions fails with both numbers", arguments: Kind.allCases)
    func constructedFails(kind: Kind) async {
        let box = kind.make()
        let line = #line + 2
        let found = failures {
            expectConstructed(Watch.self, times: 1, in: box) { (box.resolve(Watch.self), box.resolve(Watch.self)) }
        }
        #expect(found == [Failure(text: "Watch was constructed 2 times, not once", line: line)])
        let none = await failures {
            await expectConstructed(Watch.self, name: "gold", times: 3, in: box) { () async in }
        }
        #expect(none.map(\.text) == ["Watch named \"gold\" was constructed never, not 3 times"])
    }
}
