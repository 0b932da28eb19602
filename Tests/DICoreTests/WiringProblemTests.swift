import DICore
import DIScopes
import DITestSupport
import Testing

@Suite("Wiring: problems")
struct WiringProblemTests {
    protocol Animal: AnyObject {}
    final class Cat: Animal {}

    struct Fuel {}
    struct Session {}
    struct Engine { init(_ fuel: Fuel) {} }
    struct Car { init(_ engine: Engine, _ fuel: Fuel) {} }
    struct Trip { init(_ session: Session) {} }
    struct Log { init(_ trip: Trip) {} }

    struct Strings {}

    final class Hen { init(_ egg: Egg) {} }
    final class Egg { init(_ hen: Hen) {} }

    typealias Deferred = WiringEdgeTests.Deferred

    private static func report(
        roots: [ServiceKey] = [],
        external: [ServiceKey] = [],
        _ register: (Container) -> Void
    ) -> WiringReport {
        let box = Container()
        register(box)
        return box.dependencyGraph().validate(roots: roots, external: external)
    }

    // MARK: Missing

    @Test("A missing service is one problem with all that ask for it")
    func missing() {
        let report = Self.report { box in
            box.autoregister(Car.self, initializer: Car.init)
            box.autoregister(Engine.self, initializer: Engine.init)
        }
        #expect(report.problems.map(\.kind) == [.missing])
        let problem = report.problems[0]
        #expect(problem.key == ServiceKey(Fuel.self))
        #expect(problem.location == nil)
        #expect(problem.requesters.map(\.key) == [ServiceKey(Car.self), ServiceKey(Engine.self)])
        #expect(problem.requesters.map(\.source) == [.parameter(1), .parameter(0)])
        #expect(problem.requesters.allSatisfy { $0.location.fileID == #fileID })
        #expect(!report.isValid)
    }

    @Test("What may be absent is not missing; a deferred service is")
    func optionalAndDeferred() {
        struct Holder { init(_ a: Fuel?, _ b: [Fuel], _ c: Deferred<Fuel?>, _ d: Deferred<Session>) {} }
        let report = Self.report { $0.autoregister(Holder.self, initializer: Holder.init) }
        #expect(report.problems.map(\.key) == [ServiceKey(Session.self)])
    }

    @Test("The same type under other names is told")
    func otherNames() {
        let report = Self.report { box in
            box.register(Fuel.self, name: "diesel", instance: Fuel())
            box.autoregister(Engine.self, initializer: Engine.init)
        }
        #expect(report.problems.map(\.kind) == [.missing])
        #expect(report.problems[0].related.map(\.key) == [ServiceKey(Fuel.self, name: "diesel")])
    }

    @Test("Of many other names the nearest are told")
    func nearestNames() {
        let report = Self.report { box in
            for name in ["petrol", "wood", "coal", "diesel"] { box.register(Fuel.self, name: name, instance: Fuel()) }
            box.register(Engine.self) { _ in Engine(Fuel()) }.dependsOn(Fuel.self, name: "deisel")
        }
        #expect(report.problems[0].related.first?.key.name == "diesel")
    }

    @Test("Where the type is not registered, a wrapper of it, contributions to it and similar types are told")
    func nearMisses() {
        struct Fuels {}
        struct FuelImpl {}
        struct Whale {}
        func related(_ register: (Container) -> Void) -> [String] {
            let report = Self.report { box in
                box.register(Whale.self, instance: Whale())
                box.autoregister(Engine.self, initializer: Engine.init)
                register(box)
            }
            return report.problems(.missing).first?.related.map { "\($0.key)" } ?? []
        }
        #expect(related { _ in }.isEmpty)
        #expect(related { $0.register(Fuel?.self, instance: nil) } == ["WiringProblemTests.Fuel?"])
        #expect(
            related { $0.contribute(Fuel.self) { _ in Fuel() }.dependsOnNothing() }
                == ["WiringProblemTests.Fuel [contribution]"]
        )
        #expect(
            related { box in
                box.register(FuelImpl.self, instance: FuelImpl())
                box.register(Fuels.self, instance: Fuels())
                box.contribute(Fuels.self) { _ in Fuels() }.dependsOnNothing()
            } == ["Fuels", "FuelImpl"]
        )
        #expect(
            related { box in
                box.register(Fuels.self, instance: Fuels())
                box.register(Fuel?.self, instance: nil)
                box.register(Fuel.self, name: "diesel", instance: Fuel())
            } == ["WiringProblemTests.Fuel named \"diesel\"", "WiringProblemTests.Fuel?", "Fuels"]
        )
    }

    @Test("What only a child has is told to what its parent keeps")
    func registeredInChild() {
        let root = Container()
        root.autoregister(Engine.self, scope: .container, initializer: Engine.init)
        let box = root.createChild()
        box.register(Fuel.self, instance: Fuel())
        let report = box.dependencyGraph().validate()
        #expect(report.problems.map(\.kind) == [.missing])
        #expect(report.problems[0].related.map(\.key) == [ServiceKey(Fuel.self)])
        #expect("\(report)".contains("registered in another container: WiringProblemTests.Fuel  ("))
    }

    @Test("Of very many missing types the first twenty are compared with what is registered")
    func manyMissing() {
        let report = Self.report { box in
            box.register(String.self, instance: "")
            for number in 0..<150 {
                box.register(Int.self, name: "\(number)") { _ in 1 }.dependsOn(Strings.self, name: "\(number)")
            }
        }
        #expect(report.problems.count { $0.related.map(\.key) == [ServiceKey(String.self)] } == 20)
        #expect(report.problems.count == 150)
    }

    @Test("The same type for other runtime arguments is a kind of its own")
    func argumentsMismatch() {
        let report = Self.report { box in
            box.register(Fuel.self) { (_, _: Int) in Fuel() }.dependsOnNothing()
            box.register(Fuel.self, name: "other", instance: Fuel())
            box.autoregister(Engine.self, initializer: Engine.init)
        }
        #expect(report.problems.map(\.kind) == [.argumentsMismatch])
        #expect(report.problems[0].key == ServiceKey(Fuel.self))
        #expect(report.problems[0].related.map(\.key) == [ServiceKey(Fuel.self, arguments: Int.self)])
        #expect(report.problems[0].requesters.map(\.key) == [ServiceKey(Engine.self)])
    }

    @Test("External keys are taken as given")
    func external() {
        let register: (Container) -> Void = { $0.autoregister(Car.self, initializer: Car.init) }
        let keys = [ServiceKey(Fuel.self), ServiceKey(Engine.self)]
        #expect(Self.report(external: keys, register).isValid)
        #expect(Self.report(external: [keys[0]], register).problems.map(\.key) == [keys[1]])
        #expect(Self.report(external: [ServiceKey(Fuel.self, name: "a")], register).problems.count == 2)
    }

    @Test("A root that nobody has registered is missing")
    func missingRoot() {
        let report = Self.report(roots: [ServiceKey(Car.self)]) { $0.register(Fuel.self, instance: Fuel()) }
        #expect(report.problems(.missing).map(\.key) == [ServiceKey(Car.self)])
    }

    // MARK: Cycles

    @Test("A cycle is one problem, with the way round from the one that was registered first")
    func cycle() {
        let report = Self.report { box in
            box.autoregister(Egg.self, initializer: Egg.init)
            box.autoregister(Hen.self, initializer: Hen.init)
        }
        #expect(report.problems.map(\.kind) == [.cycle])
        let (hen, egg) = (ServiceKey(Hen.self), ServiceKey(Egg.self))
        #expect(report.problems[0].related.map(\.key) == [egg, hen, egg])
        #expect(report.problems[0].detail == nil)
    }

    @Test("What leads into a cycle or out of it is no part of it")
    func aroundTheCycle() {
        let report = Self.report { box in
            box.register(Cat.self) { _ in Cat() }.dependsOn(Hen.self)
            box.autoregister(Hen.self, initializer: Hen.init)
            box.autoregister(Egg.self, initializer: Egg.init).dependsOn(Fuel.self)
            box.register(Fuel.self, instance: Fuel())
        }
        #expect(report.problems.map(\.kind) == [.cycle])
        let (hen, egg) = (ServiceKey(Hen.self), ServiceKey(Egg.self))
        #expect(report.problems[0].related.map(\.key) == [hen, egg, hen])
    }

    @Test("A service that needs itself is a cycle, an optional one too")
    func selfCycle() {
        let report = Self.report { box in
            box.register(Fuel.self) { _ in Fuel() }.dependsOn(Fuel.self)
            box.register(Session.self) { _ in Session() }.dependsOn(Session?.self)
        }
        #expect(report.problems.map(\.kind) == [.cycle, .cycle])
        #expect(report.problems.map(\.key) == [ServiceKey(Fuel.self), ServiceKey(Session.self)])
    }

    @Test("Cycles that meet are one problem that says how many services are caught")
    func meetingCycles() {
        let report = Self.report { box in
            for (name, others) in [("a", ["b", "c"]), ("b", ["a"]), ("c", ["a"])] {
                let entry = box.register(Int.self, name: name) { _ in 1 }
                for other in others { entry.dependsOn(Int.self, name: other) }
            }
        }
        #expect(report.problems.count == 1)
        #expect(report.problems[0].related.map(\.key.name) == ["a", "b", "a"])
        #expect(report.problems[0].detail == "3 services are caught in it")
    }

    @Test("A cycle through a forwarded type is found")
    func forwardedCycle() {
        let report = Self.report { box in
            box.register(Cat.self) { _ in Cat() }.dependsOn(Fuel.self).implements((any Animal).self)
            box.register(Fuel.self) { _ in Fuel() }.dependsOn((any Animal).self)
        }
        #expect(report.problems.map(\.kind) == [.cycle])
    }

    @Test("What is resolved later closes no cycle")
    func deferredCycle() {
        struct Nest { init(_ hatch: Deferred<Hatch>) {} }
        struct Hatch { init(_ nest: Nest) {} }
        let report = Self.report { box in
            box.autoregister(Nest.self, initializer: Nest.init)
            box.autoregister(Hatch.self, initializer: Hatch.init)
        }
        #expect(report.problems.isEmpty)
    }

    @Test("The same key of a parent is no cycle")
    func parentsKey() {
        let root = Container()
        root.register(Fuel.self, instance: Fuel())
        let box = root.createChild()
        box.register(Fuel.self) { _ in try root.require(Fuel.self) }.dependsOnNothing()
        #expect(box.dependencyGraph().validate().problems.isEmpty)
    }

    @Test("E7: services that need each other and all take runtime arguments are no cycle")
    func recursionWithArguments() throws {
        let box = Container()
        box.register(Int.self, name: "steps") { (r: any Resolver, left: Int) -> Int in
            left == 0 ? 0 : 1 + (try r.require(Int.self, name: "steps", argument: left - 1))
        }
        .dependsOn(ServiceKey(Int.self, arguments: Int.self, name: "steps"))
        #expect(try box.require(Int.self, name: "steps", argument: 9) == 9)
        #expect(box.dependencyGraph().validate().problems.isEmpty)
        // One of them takes none, so its repeat is a cycle whatever the other was given.
        box.register(Fuel.self) { (_, _: Int) in Fuel() }.dependsOn(Session.self)
        box.register(Session.self) { _ in Session() }.dependsOn(ServiceKey(Fuel.self, arguments: Int.self))
        let problem = try #require(box.dependencyGraph().validate().problems(.cycle).first)
        #expect(problem.key == ServiceKey(Session.self))
        #expect(problem.related.count == 3)
    }

    @Test("A cycle of 5 000 services is found on a small stack")
    func longCycle() {
        let length = Threads.result(stack: 512 << 10) {
            let box = Container()
            for number in 0..<5_000 {
                box.register(Int.self, name: "\(number)") { _ in 1 }
                    .dependsOn(Int.self, name: "\((number + 1) % 5_000)")
            }
            return box.dependencyGraph().validate().problems.first?.related.count
        }
        #expect(length == 5_001)
    }

    // MARK: Captives

    /// Scopes from the shortest-living to the longest.
    static let scopes: [ObjectScope] = [
        .transient, .graph, .perContainer, .expiring(after: .seconds(9)), .weak, .container,
    ]

    @Test("What is kept must not hold what is kept shorter; what is made for who asks is no captive")
    func captives() {
        for (holderRank, holder) in Self.scopes.enumerated() {
            for (heldRank, held) in Self.scopes.enumerated() {
                let report = Self.report { box in
                    box.register(Session.self, scope: held) { _ in Session() }.dependsOnNothing()
                    box.autoregister(Trip.self, scope: holder, initializer: Trip.init)
                }
                let isCaptive = heldRank >= 2 && holderRank > heldRank
                #expect(report.problems.map(\.kind) == (isCaptive ? [.captive] : []), "\(holder) holds \(held)")
                if isCaptive {
                    #expect(report.problems[0].key == ServiceKey(Trip.self))
                    #expect(report.problems[0].related.map(\.key) == [ServiceKey(Session.self)])
                    #expect(report.problems[0].detail == "\(holder) holds \(held)")
                }
            }
        }
    }

    @Test("A captive is found through instances that are made for who asks, and through forwarded types")
    func indirectCaptives() {
        let report = Self.report { box in
            box.register(Cat.self, scope: .perContainer) { _ in Cat() }.dependsOnNothing()
                .implements((any Animal).self)
            box.register(Session.self, scope: .graph) { _ in Session() }.dependsOn((any Animal).self)
            box.autoregister(Trip.self, scope: .transient, initializer: Trip.init)
            box.autoregister(Log.self, scope: .container, initializer: Log.init)
        }
        #expect(report.problems.map(\.key) == [ServiceKey(Log.self)])
        #expect(report.problems[0].related.map(\.key) == [ServiceKey(Cat.self)])
    }

    @Test("What is held by something that is kept in between is told for that one alone")
    func nearestHolder() {
        let report = Self.report { box in
            box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            box.autoregister(Trip.self, scope: .weak, initializer: Trip.init)
            box.autoregister(Log.self, scope: .container, initializer: Log.init)
        }
        #expect(report.problems.map(\.key) == [ServiceKey(Trip.self), ServiceKey(Log.self)])
        #expect(report.problems.map { $0.related.map(\.key) } == [[ServiceKey(Session.self)], [ServiceKey(Trip.self)]])
    }

    @Test("A captive has the whole way from the one that holds it, with places and who registered what")
    func wayToCaptive() throws {
        let box = Container()
        box.register(Session.self, scope: .perContainer, fileID: "Net/Parts.swift", line: 3) { _ in Session() }
            .dependsOnNothing()
        box.register(Trip.self, scope: .transient, fileID: "App/Parts.swift", line: 5) { _ in Trip(Session()) }
            .dependsOn(Session.self)
        box.register(Car.self, fileID: "App/Parts.swift", line: 7) { _ in fatalError() }.dependsOn(Trip.self)
        box.register(Log.self, scope: .container, fileID: "App/Parts.swift", line: 9) { _ in fatalError() }
            .dependsOn(Car.self)
        let graph = box.dependencyGraph { key, location in "\(key) at line \(location.line)" }
        let problem = try #require(graph.validate().problems.first)
        #expect(problem.ways.count == 1)
        let way = try #require(problem.ways.first)
        #expect(way.map(\.key) == [Log.self, Car.self, Trip.self, Session.self].map { ServiceKey(serviceType: $0) })
        #expect(way.map(\.location.line) == [9, 7, 5, 3])
        #expect(way.map(\.module) == ["App", "App", "App", "Net"])
        #expect(way.last?.origin == "WiringProblemTests.Session at line 3")
        #expect(problem.related == [way[3]])
    }

    @Test("Of several ways to a captive the shortest is told, and none passes one that is kept in between")
    func shortestWay() throws {
        let report = Self.report { box in
            box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            box.register(Int.self, name: "kept", scope: .weak) { _ in 1 }.dependsOn(Session.self)
            box.register(Int.self, name: "long") { _ in 1 }.dependsOn(Int.self, name: "short")
            box.register(Int.self, name: "short") { _ in 1 }.dependsOn(Int.self, name: "kept").dependsOn(Trip.self)
            box.autoregister(Trip.self, initializer: Trip.init)
            box.register(Log.self, scope: .container) { _ in fatalError() }.dependsOn(Int.self, name: "long")
        }
        let problem = try #require(report.problems(.captive).last)
        #expect(
            problem.ways.map { $0.map(\.key.name) }
                == [[nil, "long", "short", "kept"], [nil, "long", "short", nil, nil]]
        )
        #expect(problem.related.map(\.key) == [ServiceKey(Int.self, name: "kept"), ServiceKey(Session.self)])
    }

    @Test("E7: two captives behind one transient or graph instance are both reported")
    func captivesBehindOne() {
        let report = Self.report { box in
            box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            box.register(Fuel.self, scope: .weak) { _ in Fuel() }.dependsOnNothing()
            box.register(Int.self) { _ in 1 }.dependsOn(Fuel.self, Session.self)
            box.register(Log.self, scope: .container) { _ in fatalError() }.dependsOn(Int.self)
            box.register(Strings.self, scope: .weak) { _ in fatalError() }.dependsOn(Int.self)
        }
        #expect(report.problems(.captive).map(\.key) == [ServiceKey(Log.self), ServiceKey(Strings.self)])
        let captives = [ServiceKey(Fuel.self), ServiceKey(Session.self)]
        #expect(report.problems(.captive).map { $0.related.map(\.key) } == [captives, [ServiceKey(Session.self)]])
    }

    @Test("E7: a held captive and one that is asked for later, behind one instance, are each reported as they are")
    func heldAndDeferredBehindOne() {
        let report = Self.report { box in
            box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            box.register(Fuel.self, scope: .weak) { _ in Fuel() }.dependsOnNothing()
            box.register(Int.self) { _ in 1 }.dependsOn(Deferred<Fuel>.self, Session.self)
            box.register(Log.self, scope: .container) { _ in fatalError() }.dependsOn(Int.self)
        }
        #expect(report.problems(.captive).map { $0.related.map(\.key) } == [[ServiceKey(Session.self)]])
        #expect(report.problems(.deferredCaptive).map { $0.related.map(\.key) } == [[ServiceKey(Fuel.self)]])
    }

    @Test("A captive behind a cycle of what is made for who asks is found, with a way that ends")
    func captiveBehindCycle() {
        let report = Self.report { box in
            box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            box.register(Int.self, name: "a") { _ in 1 }.dependsOn(Int.self, name: "b")
            box.register(Int.self, name: "b") { _ in 1 }.dependsOn(Int.self, name: "a").dependsOn(Session.self)
            box.register(Log.self, scope: .container) { _ in fatalError() }.dependsOn(Int.self, name: "a")
        }
        #expect(report.problems.map(\.kind) == [.cycle, .captive])
        #expect(report.problems[1].ways.map { $0.map(\.key.name) } == [[nil, "a", "b", nil]])
    }

    @Test("What is asked for later is not held: that is a remark, of which nothing is thrown")
    func deferredCaptive() throws {
        struct Later { init(_ session: Deferred<Session>) {} }
        let report = Self.report { box in
            box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            box.autoregister(Later.self, scope: .container, initializer: Later.init)
        }
        #expect(report.problems.map(\.kind) == [.deferredCaptive])
        #expect(report.problems[0].key == ServiceKey(serviceType: Later.self))
        #expect(report.problems[0].related.map(\.key) == [ServiceKey(Session.self)])
        #expect(report.problems[0].detail == "container asks for perContainer")
        #expect(report.isValid)
        try report.check()
    }

    @Test("The step that is asked for later may be anywhere on the way, but not beyond one that is kept")
    func deferredOnTheWay() {
        for (first, second) in [(true, false), (false, true), (true, true)] {
            let report = Self.report { box in
                box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
                let part = box.register(Int.self) { _ in 1 }
                if second { part.dependsOn(Deferred<Session>.self) } else { part.dependsOn(Session.self) }
                let log = box.register(Log.self, scope: .container) { _ in fatalError() }
                if first { log.dependsOn(Deferred<Int>.self) } else { log.dependsOn(Int.self) }
            }
            #expect(report.problems.map(\.kind) == [.deferredCaptive])
            #expect(report.problems.first?.ways.map { $0.map { "\($0.key)" } }.first?.dropFirst().first == "Int")
        }
        let report = Self.report { box in
            box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            box.register(Int.self, scope: .weak) { _ in 1 }.dependsOn(Deferred<Session>.self)
            box.register(Log.self, scope: .container) { _ in fatalError() }.dependsOn(Deferred<Int>.self)
        }
        #expect(report.problems.map { $0.related.map(\.key) } == [[ServiceKey(Session.self)], [ServiceKey(Int.self)]])
    }

    @Test("What is held as well as asked for later is told once, as held")
    func heldAndDeferred() {
        struct Both { init(_ later: Deferred<Session>, _ now: Session) {} }
        let report = Self.report { box in
            box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            box.autoregister(Both.self, scope: .container, initializer: Both.init)
        }
        #expect(report.problems.map(\.kind) == [.captive])
    }

    @Test("An exception can be granted with a reason, for what is held and for what is asked for later")
    func granted() {
        struct Later { init(_ session: Deferred<Session>) {} }
        let report = Self.report { box in
            box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            box.autoregister(Later.self, scope: .container, initializer: Later.init)
                .allowsCaptives(because: "it opens the provider at each use")
            box.autoregister(Trip.self, scope: .container, initializer: Trip.init)
                .allowsCaptives(because: "there are no children")
        }
        #expect(report.problems.isEmpty)
    }

    @Test("A custom scope states its rank")
    func customRank() {
        let daily = ObjectScope(
            storageFactory: TransientStorage.init,
            description: "daily",
            lifetimeRank: LifetimeRank(450)
        )
        let report = Self.report { box in
            box.register(Session.self, scope: daily) { _ in Session() }.dependsOnNothing()
            box.autoregister(Trip.self, name: "weak", scope: .weak, initializer: Trip.init)
            box.autoregister(Trip.self, name: "kept", scope: .container, initializer: Trip.init)
        }
        #expect(report.problems.map(\.key.name) == ["kept"])
        #expect(report.problems.first?.detail == "container holds daily")
    }

    @Test("Several captives of one holder are one problem")
    func severalCaptives() {
        let report = Self.report { box in
            box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            box.register(Fuel.self, scope: .weak) { _ in Fuel() }.dependsOnNothing()
            box.register(Log.self, scope: .container) { _ in fatalError() }.dependsOn(Session.self, Fuel.self)
        }
        #expect(report.problems.count == 1)
        #expect(report.problems[0].related.map(\.key) == [ServiceKey(Session.self), ServiceKey(Fuel.self)])
    }

    // MARK: Others

    @Test("A registration that replaced another one of its container is a remark with both places")
    func duplicate() {
        let root = Container()
        root.register(Fuel.self, instance: Fuel())
        let box = root.createChild()
        box.register(Fuel.self, instance: Fuel(), fileID: "App/A.swift", line: 1)
        #expect(box.dependencyGraph().validate().problems.isEmpty, "an override is no duplicate")
        box.register(Fuel.self, instance: Fuel(), fileID: "App/B.swift", line: 2)
        let report = box.dependencyGraph().validate()
        #expect(report.problems.map(\.kind) == [.duplicate])
        #expect(report.problems[0].location == SourceLocation(fileID: "App/B.swift", line: 2))
        #expect(report.problems[0].related.map(\.location) == [SourceLocation(fileID: "App/A.swift", line: 1)])
        #expect(report.isValid)
    }

    @Test("A key that is removed and registered again is no duplicate")
    func removedBetween() {
        let report = Self.report { box in
            box.register(Fuel.self, instance: Fuel())
            box.remove(Fuel.self)
            box.register(Fuel.self, instance: Fuel())
        }
        #expect(report.problems.isEmpty)
    }

    @Test("A forwarded key that is claimed twice is ambiguous, whichever comes first", arguments: [false, true])
    func ambiguousForwarding(_ forwardsFirst: Bool) {
        let report = Self.report { box in
            let cat = box.register(Cat.self) { _ in Cat() }.dependsOnNothing()
            if forwardsFirst { cat.implements((any Animal).self) }
            box.register((any Animal).self) { _ in Cat() }.dependsOnNothing()
            if !forwardsFirst { cat.implements((any Animal).self) }
        }
        #expect(report.problems.map(\.kind) == [.ambiguousForwarding])
        #expect(report.problems.map(\.key) == [ServiceKey((any Animal).self)])
        #expect(!report.isValid)
    }

    @Test("With roots, what they do not reach is unused; what is only reached later is used")
    func unused() {
        struct Main { init(_ later: Deferred<Engine>, _ none: Session?) {} }
        let register: (Container) -> Void = { box in
            box.autoregister(Main.self, initializer: Main.init)
            box.autoregister(Engine.self, initializer: Engine.init)
            box.register(Fuel.self, instance: Fuel())
            box.register(Fuel.self, name: "spare", instance: Fuel())
        }
        #expect(Self.report(register).problems.isEmpty, "without roots nothing is unused")
        let report = Self.report(roots: [ServiceKey(Main.self)], register)
        #expect(report.problems.map(\.kind) == [.unused])
        #expect(report.problems[0].key == ServiceKey(Fuel.self, name: "spare"))
        #expect(report.isValid)
        let roots = [ServiceKey(Main.self), ServiceKey(Fuel.self, name: "spare")]
        #expect(Self.report(roots: roots, register).problems.isEmpty)
    }

    @Test("A collection can be a root: it reaches what is contributed to it")
    func collectionAsRoot() {
        let report = Self.report(roots: [ServiceKey([Fuel].self)]) { box in
            box.contribute(Fuel.self) { _ in Fuel() }.dependsOnNothing()
        }
        #expect(report.problems.isEmpty)
    }

    @Test("A closure that says nothing is listed, and so is one that takes arguments")
    func notAnalysable() {
        let report = Self.report { box in
            box.register(Fuel.self) { _ in Fuel() }
            box.register(Fuel.self) { (_, _: Int) in Fuel() }
            box.contribute(Fuel.self) { _ in Fuel() }
            box.register(Session.self, instance: Session())
        }
        #expect(report.problems.map(\.kind) == [.notAnalysable, .notAnalysable, .notAnalysable])
        #expect(report.isValid)
    }

    @Test("A factory that asks with runtime arguments says so by the key, and other arguments are a mismatch")
    func declaredArguments() {
        func report(_ key: ServiceKey) -> WiringReport {
            Self.report { box in
                box.register(Fuel.self) { (_, _: Int) in Fuel() }.dependsOnNothing()
                box.register(Engine.self) { r in Engine(try r.require(Fuel.self, argument: 95)) }.dependsOn(key)
            }
        }
        #expect(report(ServiceKey(Fuel.self, arguments: Int.self)).problems.isEmpty)
        #expect(report(ServiceKey(Fuel.self, arguments: String.self)).problems.map(\.kind) == [.argumentsMismatch])
    }

    // MARK: The report

    @Test("All problems are reported at once, in the order of their kinds")
    func allKinds() {
        let report = Self.report(roots: [ServiceKey(Car.self)]) { box in
            box.register(Session.self) { _ in Session() }
            box.register(Session.self, scope: .perContainer) { _ in Session() }
            box.autoregister(Hen.self, initializer: Hen.init)
            box.autoregister(Egg.self, initializer: Egg.init)
            box.autoregister(Trip.self, scope: .container, initializer: Trip.init)
            box.register(Cat.self) { _ in Cat() }.dependsOn(Log.self).implements((any Animal).self)
            box.register((any Animal).self) { (_, _: Int) in Cat() }
            box.register((any Animal).self) { _ in Cat() }.dependsOnNothing()
            box.autoregister(Car.self, initializer: Car.init)
            box.register(Engine.self) { (_, _: Int) in Engine(Fuel()) }
            box.register(Fuel.self, name: "later", scope: .container) { _ in Fuel() }.dependsOn(Deferred<Session>.self)
        }
        var kinds: [WiringReport.Kind] = []
        for problem in report.problems where kinds.last != problem.kind { kinds.append(problem.kind) }
        #expect(
            kinds == [
                .missing, .argumentsMismatch, .cycle, .captive, .ambiguousForwarding, .deferredCaptive, .duplicate,
                .unused, .notAnalysable,
            ]
        )
        #expect(Set(kinds) == Set(WiringReport.Kind.allCases))
    }

    @Test(
        "Kinds are stable words, and four of them are advice",
        arguments: zip(
            WiringReport.Kind.allCases,
            [
                "missing", "argumentsMismatch", "cycle", "captive", "deferredCaptive", "duplicate",
                "ambiguousForwarding", "unused", "notAnalysable",
            ]
        )
    )
    func kinds(_ kind: WiringReport.Kind, _ word: String) {
        #expect(kind.rawValue == word)
        #expect(kind.isAdvice == ["deferredCaptive", "duplicate", "unused", "notAnalysable"].contains(word))
    }

    @Test("The throwing form throws the report where something is wrong, and nothing for advice")
    func check() throws {
        let wrong = Self.report { $0.autoregister(Engine.self, initializer: Engine.init) }
        let error = try #require(throws: WiringError.self) { try wrong.check() }
        #expect(error.report.problems.map(\.key) == [ServiceKey(Fuel.self)])
        #expect("\(error)".contains("Fuel is not registered"))
        try Self.report { $0.register(Fuel.self) { _ in Fuel() } }.check()
    }

    @Test("Every check says which edges it could use")
    func usedEdges() throws {
        let box = Container()
        box.autoregister(Car.self, initializer: Car.init)
        box.register(Engine.self) { r in Engine(try r.require(Fuel.self)) }.dependsOn(Fuel.self)
        box.register(Fuel.self, instance: Fuel())
        box.register(Cat.self) { r in
            _ = r.resolve(Fuel.self)
            return Cat()
        }
        .implements((any Animal).self)
        let observed = try WiringObservedTests.record(box) { _ = try box.require(Cat.self) }
        let edges = box.dependencyGraph(observed: observed).validate().usedEdges
        #expect([edges.parameters, edges.declared, edges.observed, edges.forwarding] == [2, 1, 1, 1])
    }

    @Test("A report and its graph can be sent to another task")
    func sendable() async {
        let box = Container()
        box.autoregister(Engine.self, initializer: Engine.init)
        let graph = box.dependencyGraph()
        let text = await Task.detached { "\(graph.validate())" }.value
        #expect(text == "\(graph.validate())")
    }
}
