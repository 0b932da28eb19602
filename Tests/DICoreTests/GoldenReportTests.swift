import DICore
import DIScopes
import DITestSupport
import Testing

private protocol Client: AnyObject {}
private protocol Logger: AnyObject {}
private protocol Sink: AnyObject {}
private final class Both: Client, Logger {}

private struct Clock {}
private struct Session {}
private struct Sessions {}
private struct Feed { init(_ client: any Client, _ clock: Clock) {} }
private struct Reader { init(_ clock: Clock?, _ client: any Client) {} }
private struct Store { init(_ session: Session) {} }
private struct Cache { init(_ store: Store) {} }

private enum Network { struct Options {} }
private enum Storage { struct Options {} }

/// Has the short name of a type of another module.
private struct Counter {}

private final class Hen { init(_ egg: Egg) {} }
private final class Egg { init(_ chick: Chick) {} }
private final class Chick { init(_ hen: Hen) {} }
private final class Farm { init(_ clock: Clock, _ hen: Hen) {} }

@Suite("Golden texts of reports")
struct GoldenReportTests {
    private static func text(roots: [ServiceKey] = [], external: [ServiceKey] = [], _ register: (Container) -> Void)
        -> String
    {
        let box = Container()
        register(box)
        return "\(box.dependencyGraph().validate(roots: roots, external: external))"
    }

    private static func farm(in box: Container) {
        box.autoregister(Farm.self, initializer: Farm.init)
        box.register(Clock.self, instance: Clock())
        box.autoregister(Hen.self, initializer: Hen.init)
        box.autoregister(Egg.self, initializer: Egg.init)
        box.autoregister(Chick.self, initializer: Chick.init)
    }

    static let cases: [GoldenCase] = [
        GoldenCase("wiring-valid") {
            text { box in
                box.register((any Client).self) { _ in Both() }.dependsOnNothing()
                box.register(Clock.self, instance: Clock())
                box.autoregister(Feed.self, initializer: Feed.init)
            }
        },
        GoldenCase("wiring-two-missing") {
            text { box in
                box.autoregister(Feed.self, initializer: Feed.init)
                box.autoregister(Reader.self, initializer: Reader.init)
                box.register((any Sink).self) { _ in fatalError() }.dependsOn((any Client).self)
            }
        },
        GoldenCase("wiring-name-slip") {
            text { box in
                for name in ["production", "staging"] { box.register(String.self, name: name, instance: name) }
                box.register(Clock.self) { _ in Clock() }.dependsOn(String.self, name: "stagin")
            }
        },
        GoldenCase("wiring-similar-type") {
            text { box in
                box.autoregister(Store.self, initializer: Store.init)
                box.register(Sessions.self, instance: Sessions())
                box.register(Session?.self, instance: nil)
            }
        },
        GoldenCase("wiring-child-only") {
            let box = Container()
            box.autoregister(Store.self, scope: .container, initializer: Store.init)
            let child = box.createChild()
            child.register(Session.self, instance: Session())
            return "\(child.dependencyGraph().validate())"
        },
        GoldenCase("wiring-child-only-for-what-the-parent-builds") {
            let box = Container()
            box.autoregister(Cache.self, scope: .container, initializer: Cache.init)
            box.autoregister(Store.self, scope: .transient, initializer: Store.init)
            let child = box.createChild()
            child.register(Session.self, instance: Session())
            return "\(child.dependencyGraph().validate())"
        },
        GoldenCase("wiring-decorator-without-parent") {
            text { box in
                box.register((any Client).self) { _ in Both() }.dependsOnParent((any Client).self)
            }
        },
        GoldenCase("wiring-arguments-mismatch") {
            text { box in
                box.register(Clock.self) { (_, _: String) in Clock() }.dependsOnNothing()
                box.register((any Client).self) { _ in Both() }.dependsOnNothing()
                box.autoregister(Feed.self, initializer: Feed.init)
            }
        },
        GoldenCase("wiring-cycle-of-three") { text { farm(in: $0) } },
        GoldenCase("wiring-captive") {
            text { box in
                box.autoregister(Store.self, scope: .container, initializer: Store.init)
                box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            }
        },
        GoldenCase("wiring-captive-through-transient") {
            text { box in
                box.autoregister(Cache.self, scope: .container, initializer: Cache.init)
                box.autoregister(Store.self, scope: .transient, initializer: Store.init)
                box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            }
        },
        GoldenCase("wiring-several-captives") {
            text { box in
                box.register(Both.self, scope: .container) { _ in Both() }.dependsOn(Cache.self, Clock.self)
                box.autoregister(Cache.self, scope: .transient, initializer: Cache.init)
                box.autoregister(Store.self, initializer: Store.init)
                box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
                box.register(Clock.self, scope: .weak) { _ in Clock() }.dependsOnNothing()
            }
        },
        GoldenCase("wiring-two-captives-behind-one") {
            text { box in
                box.register(Both.self, scope: .container) { _ in Both() }.dependsOn(Cache.self)
                box.register(Cache.self) { _ in fatalError() }.dependsOn(Session.self, Clock.self)
                box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
                box.register(Clock.self, scope: .weak) { _ in Clock() }.dependsOnNothing()
            }
        },
        GoldenCase("wiring-deferred-captive") {
            text { box in
                box.register(Cache.self, scope: .container) { _ in fatalError() }
                    .dependsOn(WiringEdgeTests.Deferred<Session>.self)
                box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            }
        },
        GoldenCase("wiring-deferred-captive-through-transient") {
            text { box in
                box.register(Cache.self, scope: .container) { _ in fatalError() }
                    .dependsOn(WiringEdgeTests.Deferred<Store>.self)
                box.autoregister(Store.self, scope: .transient, initializer: Store.init)
                box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            }
        },
        GoldenCase("wiring-captive-granted") {
            text { box in
                box.autoregister(Store.self, scope: .container, initializer: Store.init)
                    .allowsCaptives(because: "there is one container in this program")
                box.register(Session.self, scope: .perContainer) { _ in Session() }.dependsOnNothing()
            }
        },
        GoldenCase("wiring-duplicate") {
            text { box in
                box.register(Clock.self, instance: Clock(), fileID: "App/Early.swift", line: 3)
                box.register(Clock.self, instance: Clock(), fileID: "App/Late.swift", line: 5)
            }
        },
        GoldenCase("wiring-ambiguous-forwarding") {
            text { box in
                box.register(Both.self) { _ in Both() }.dependsOnNothing()
                    .implements((any Logger).self, fileID: "App/Early.swift", line: 3)
                box.register((any Logger).self, fileID: "App/Late.swift", line: 5) { _ in Both() }.dependsOnNothing()
            }
        },
        GoldenCase("wiring-unused") {
            text(roots: [ServiceKey(Store.self)]) { box in
                box.autoregister(Store.self, initializer: Store.init)
                box.register(Session.self) { _ in Session() }.dependsOnNothing()
                box.register(Clock.self, name: "old", instance: Clock())
            }
        },
        GoldenCase("wiring-not-analysable") {
            text { box in
                box.register((any Client).self, fileID: "App/Parts.swift", line: 3) { _ in Both() }
                box.register(Clock.self, fileID: "App/Parts.swift", line: 4) { _ in Clock() }
                box.autoregister(Feed.self, initializer: Feed.init)
            }
        },
        GoldenCase("wiring-external") {
            text(external: [ServiceKey((any Client).self)]) { box in
                box.autoregister(Feed.self, initializer: Feed.init)
            }
        },
        GoldenCase("wiring-nested-names") {
            text { box in
                box.register(Clock.self) { _ in Clock() }.dependsOn(Network.Options.self, Storage.Options.self)
            }
        },
        GoldenCase("wiring-colliding-names") {
            text { box in
                box.register(Clock.self) { _ in Clock() }.dependsOn(Counter.self, DITestSupport.Counter.self)
            }
        },
        GoldenCase("wiring-observed") {
            let box = Container()
            box.register(Clock.self) { r in
                _ = r.resolve(Session.self)
                return Clock()
            }
            var observed = ObservedWiring()
            let recorder = EventRecorder()
            box.addObserver(recorder)
            _ = try box.require(Clock.self)
            for event in recorder.events { observed.add(event) }
            return "\(box.dependencyGraph(observed: observed).validate())"
        },
        GoldenCase("wiring-all-kinds") {
            text(roots: [ServiceKey(Farm.self)]) { box in
                farm(in: box)
                box.autoregister(Store.self, scope: .container, initializer: Store.init)
                box.register(Session.self, scope: .perContainer) { _ in Session() }
                box.register(Cache.self, scope: .container) { _ in fatalError() }
                    .dependsOn(WiringEdgeTests.Deferred<Session>.self)
                box.autoregister(Reader.self, initializer: Reader.init)
                box.register((any Sink).self) { _ in fatalError() }.dependsOn((any Logger).self)
                box.register((any Logger).self) { (_, _: Int) in Both() }
                box.register(Clock.self, instance: Clock())
                box.register(Both.self) { _ in Both() }.implements((any Client).self, name: "c")
                box.register((any Client).self, name: "c") { _ in Both() }
            }
        },
    ]

    @Test("E1: the text of a report shows every problem with its places, and each way out once", arguments: cases)
    func text(_ golden: GoldenCase) throws {
        Golden.expect(golden.description, try golden.text())
    }

    @Test("The text of a wiring error is that of its report")
    func wiringError() throws {
        let box = Container()
        box.autoregister(Store.self, initializer: Store.init)
        let report = box.dependencyGraph().validate()
        let error = try #require(throws: WiringError.self) { try report.check() }
        #expect("\(error)" == "\(report)")
    }
}
