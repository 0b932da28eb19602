import DICore
import DIScopes
import DIWrappers
import Testing

private protocol Animal: AnyObject {}
private final class Cat: Animal {}
private struct Clock {}
private struct Session {}
private struct Tower { let clock: Clock }
private struct Account { let session: Session }

@Suite("The page of the wiring")
struct WiringPageTests {
    @Test("missing")
    func missing() throws {
        // sample: wiring-missing
        let container = Container()
        container.register(Clock.self, name: "wall") { _ in Clock() }
            .dependsOnNothing()
        container.autoregister(Tower.self, initializer: Tower.init)
        let report = container.dependencyGraph().validate()
        // end sample
        try Output.expect("wiring-missing", Output.withoutPlaces("\(report)"))
    }

    @Test("missing, where the parent builds")
    func missingForTheParent() throws {
        // sample: wiring-missing-for-the-parent
        let app = Container()
        app.autoregister(Account.self, scope: .transient, initializer: Account.init)
        app.register(Clock.self, scope: .container) { r in
            _ = try r.require(Account.self)
            return Clock()
        }
        .dependsOn(Account.self)

        let request = app.createChild()
        request.register(Session.self) { _ in Session() }
            .dependsOnNothing()
        let report = request.dependencyGraph().validate()
        // end sample
        try Output.expect("wiring-missing-for-the-parent", Output.withoutPlaces("\(report)"))
    }

    @Test("argumentsMismatch")
    func argumentsMismatch() throws {
        // sample: wiring-arguments-mismatch
        let container = Container()
        container.register(Clock.self) { (_, zone: String) in Clock() }
            .dependsOnNothing()
        container.autoregister(Tower.self, initializer: Tower.init)
        let report = container.dependencyGraph().validate()
        // end sample
        try Output.expect("wiring-arguments-mismatch", Output.withoutPlaces("\(report)"))
    }

    @Test("cycle")
    func cycle() throws {
        // sample: wiring-cycle
        final class Hen { init(_ egg: Egg) {} }
        final class Egg { init(_ hen: Hen) {} }

        let container = Container()
        container.autoregister(Hen.self, initializer: Hen.init)
        container.autoregister(Egg.self, initializer: Egg.init)
        let report = container.dependencyGraph().validate()
        // end sample
        try Output.expect("wiring-cycle", Output.withoutPlaces("\(report)"))
    }

    @Test("captive")
    func captive() throws {
        // sample: wiring-captive
        let container = Container()
        container.register(Session.self, scope: .perContainer) { _ in Session() }
            .dependsOnNothing()
        container.autoregister(Account.self, scope: .container, initializer: Account.init)
        let report = container.dependencyGraph().validate()
        // end sample
        try Output.expect("wiring-captive", Output.withoutPlaces("\(report)"))
    }

    @Test("captive, through what is made for the holder")
    func captiveThroughTransient() throws {
        // sample: wiring-captive-through-transient
        let container = Container()
        container.register(Session.self, scope: .perContainer) { _ in Session() }
            .dependsOnNothing()
        container.autoregister(Account.self, scope: .transient, initializer: Account.init)
        container.register(Clock.self, scope: .container) { r in
            _ = try r.require(Account.self)
            return Clock()
        }
        .dependsOn(Account.self)
        let report = container.dependencyGraph().validate()
        // end sample
        try Output.expect("wiring-captive-through-transient", Output.withoutPlaces("\(report)"))
    }

    @Test("deferredCaptive")
    func deferredCaptive() throws {
        // sample: wiring-deferred-captive
        struct Login { let session: Provider<Session> }

        let container = Container()
        container.register(Session.self, scope: .perContainer) { _ in Session() }
            .dependsOnNothing()
        container.autoregister(Login.self, scope: .container, initializer: Login.init)
        let report = container.dependencyGraph().validate()
        // end sample
        #expect(report.isValid)
        try Output.expect("wiring-deferred-captive", Output.withoutPlaces("\(report)"))
    }

    @Test("ambiguousForwarding")
    func ambiguousForwarding() throws {
        // sample: wiring-ambiguous-forwarding
        let container = Container()
        container.register(Cat.self) { _ in Cat() }
            .dependsOnNothing()
            .implements((any Animal).self)
        container.register((any Animal).self) { _ in Cat() }
            .dependsOnNothing()
        let report = container.dependencyGraph().validate()
        // end sample
        try Output.expect("wiring-ambiguous-forwarding", Output.withoutPlaces("\(report)"))
    }

    @Test("duplicate")
    func duplicate() throws {
        // sample: wiring-duplicate
        let container = Container()
        container.register(Clock.self, instance: Clock())
        container.register(Clock.self, instance: Clock())
        let report = container.dependencyGraph().validate()
        // end sample
        try Output.expect("wiring-duplicate", Output.withoutPlaces("\(report)"))
    }

    @Test("unused")
    func unused() throws {
        // sample: wiring-unused
        let container = Container()
        container.autoregister(Tower.self, initializer: Tower.init)
        container.register(Clock.self, instance: Clock())
        container.register(Session.self, instance: Session())
        let report = container.dependencyGraph().validate(roots: [ServiceKey(Tower.self)])
        // end sample
        try Output.expect("wiring-unused", Output.withoutPlaces("\(report)"))
    }

    @Test("notAnalysable")
    func notAnalysable() throws {
        // sample: wiring-not-analysable
        let container = Container()
        container.register(Clock.self) { _ in Clock() }
        container.autoregister(Tower.self, initializer: Tower.init)
        let report = container.dependencyGraph().validate()
        // end sample
        try Output.expect("wiring-not-analysable", Output.withoutPlaces("\(report)"))
    }
}
