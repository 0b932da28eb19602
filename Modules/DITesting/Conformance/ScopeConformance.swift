public import DICore

/// What any scope must do, as a suite that a test of yours runs.
///
///     @Test func sessionScope() {
///         ScopeConformance(.session).check()
///         ScopeConformance(.session) { ThreadSafeContainer() }.check()
///     }
///
/// It runs ``StorageConformance`` on storages of the scope, and registers services in containers that it makes: shared or
/// not as the scope says, cycles, failures, resets, and who builds and keeps for a child.
public struct ScopeConformance {
    private let scope: any ObjectScopeProtocol
    private let retention: StorageConformance.Retention
    private let makeContainer: () -> any ContainerProtocol

    /// Makes the suite.
    ///
    /// - Parameters:
    ///   - scope: is looked at. Instances that it has elsewhere are not touched.
    ///   - retention: for how long its storages give an instance.
    ///   - makeContainer: makes an empty container; called several times. A `Container`, or one that is a
    ///     `SendableRegistrar`.
    public init(
        _ scope: any ObjectScopeProtocol,
        retention: StorageConformance.Retention = .untilReset,
        in makeContainer: @escaping () -> any ContainerProtocol = { Container() }
    ) {
        self.scope = scope
        self.retention = retention
        self.makeContainer = makeContainer
    }

    /// Runs the suite and fails the test with all promises that are broken.
    public func check(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        TestPlace(fileID, filePath, line, column).expectNone(violations(), of: "the scope \(scope)")
    }

    /// Runs the suite and gives the promises that are broken.
    public func violations() -> [ConformanceViolation] {
        var log = ConformanceLog()
        log.expect(
            scope.makeStorage() !== scope.makeStorage(),
            "S3: each entry gets a storage of its own",
            else: "two entries get the same"
        )
        log.expect(
            scope.residence == scope.residence && scope.lifetimeRank == scope.lifetimeRank,
            "a scope says the same at every call",
            else: "it changes its residence or its rank"
        )
        log.add(StorageConformance(retention, makeStorage: scope.makeStorage).violations())
        log.part("S1: instances are shared as the scope says", checkSharing)
        log.part("S3: a reset empties a scope and no other", checkResetting)
        log.part("G1: a property cycle is built", checkCycle)
        log.part("E3, G7: a failure leaves nothing behind", checkFailures)
        log.part("H2, S7: the residence says who builds and keeps", checkResidence)
        log.part("instances end with their container", checkEnd)
        return log.violations
    }

    // MARK: Parts

    private func checkSharing(_ log: inout ConformanceLog) throws {
        let runs = ProbeCounter()
        let box = container { box in
            box.register(ProbeObject.self, scope: scope) { _ in
                runs.add()
                return ProbeObject()
            }
            box.register(ProbeObject.self, name: "other", scope: scope) { _ in ProbeObject() }
            box.register(ProbePair.self, scope: ObjectScope.transient) { r in
                ProbePair(try r.require(ProbeObject.self), try r.require(ProbeObject.self))
            }
        }
        let first = try box.require(ProbeObject.self)
        let second = try box.require(ProbeObject.self)
        let expected = retention.isForAllGraphs
        log.expect(
            (first === second) == expected,
            "S1: two requests are given \(expected ? "one instance" : "two instances")",
            else: expected ? "two" : "one"
        )
        log.expect(
            runs.value == (expected ? 1 : 2),
            "S1: the factory runs once for each instance",
            else: "it ran \(times(runs.value))"
        )
        let pair = try box.require(ProbePair.self)
        let isOne = retention != .none
        log.expect(
            (pair.left === pair.right) == isOne,
            "S1: one graph is given \(isOne ? "one instance" : "a new instance for each request")",
            else: isOne ? "two" : "one for both"
        )
        log.expect(
            try box.require(ProbeObject.self, name: "other") !== box.require(ProbeObject.self),
            "S3: registrations do not share an instance",
            else: "two share one"
        )
        withExtendedLifetime((first, second)) {}
    }

    private func checkResetting(_ log: inout ConformanceLog) throws {
        guard retention.isForAllGraphs else { return }
        let box = container { box in
            box.register(ProbeObject.self, scope: scope) { _ in ProbeObject() }
            box.register(ProbeObject.self, name: "bystander", scope: ProbeStorage.scope) { _ in ProbeObject() }
        }
        let old = try box.require(ProbeObject.self)
        let bystander = try box.require(ProbeObject.self, name: "bystander")
        box.resetObjectScope(ProbeStorage.scope)
        log.expect(
            try box.require(ProbeObject.self) === old,
            "S3: the reset of another scope leaves instances alone",
            else: "it dropped one"
        )
        let renewed = try box.require(ProbeObject.self, name: "bystander")
        box.resetObjectScope(scope)
        log.expect(
            try box.require(ProbeObject.self) !== old,
            "S3: after a reset the next request builds",
            else: "it was given the old instance"
        )
        log.expect(
            try box.require(ProbeObject.self, name: "bystander") === renewed,
            "S3: a reset leaves other scopes alone",
            else: "it dropped an instance of another one"
        )
        withExtendedLifetime(bystander) {}
    }

    private func checkCycle(_ log: inout ConformanceLog) throws {
        let box = container { box in
            box.register(ProbeParent.self, scope: scope) { _ in ProbeParent() }
                .initCompleted { r, parent in parent.child = try r.require(ProbeChild.self) }
            box.register(ProbeChild.self, scope: scope) { r in ProbeChild(try r.require(ProbeParent.self)) }
        }
        guard retention != .none else {
            do throws(ResolutionError) {
                _ = try box.require(ProbeParent.self)
                log.expect(false, "G4: a cycle of what is never shared is an error", else: "it was built")
            } catch {
                log.expect(
                    error.code == .circular,
                    "G4: a cycle of what is never shared is the error circular",
                    else: "it is \(error.code)"
                )
            }
            return
        }
        let parent = try box.require(ProbeParent.self)
        log.expect(
            parent.child?.parent === parent,
            "G1: a property cycle points at itself",
            else: "it points at another instance"
        )
        parent.child = nil
        let child = try container { box in
            box.register(ProbeParent.self, scope: scope) { _ in ProbeParent() }
                .initCompleted { r, parent in parent.child = try r.require(ProbeChild.self) }
            box.register(ProbeChild.self, scope: scope) { r in ProbeChild(try r.require(ProbeParent.self)) }
        }
        .require(ProbeChild.self)
        log.expect(
            child.parent.child === child,
            "G2: a cycle that is entered at the constructor's side points at itself",
            else: "it points at another instance"
        )
        child.parent.child = nil
    }

    private func checkFailures(_ log: inout ConformanceLog) throws {
        let runs = ProbeCounter()
        let completions = ProbeCounter()
        let box = container { box in
            box.register(ProbeObject.self, scope: scope) { _ in
                if runs.add() == 1 { throw ProbeError() }
                return ProbeObject()
            }
            .initCompleted { _, _ in
                if completions.add() == 1 { throw ProbeError() }
            }
        }
        let first = box.resolve(ProbeObject.self)
        let second = box.resolve(ProbeObject.self)
        let third = try box.require(ProbeObject.self)
        log.expect(first == nil, "E3: a factory that threw gives nothing", else: "it gave an instance")
        log.expect(second == nil, "G7: an instance whose callback threw is not given", else: "it was given")
        log.expect(
            runs.value == 3 && completions.value == 2,
            "G7: an instance whose callback threw is kept nowhere",
            else: "it was given to the next request"
        )
        withExtendedLifetime(third) {}
    }

    private func checkResidence(_ log: inout ConformanceLog) throws {
        let parent = container { box in
            box.register(ProbeName.self, scope: ObjectScope.transient) { _ in ProbeName(text: "parent") }
            box.register(ProbeNamed.self, scope: scope) { r in ProbeNamed(try r.require(ProbeName.self)) }
        }
        let child = Container(over: parent)
        child.register(ProbeName.self, scope: ObjectScope.transient) { _ in ProbeName(text: "child") }
        let ofChild = try child.require(ProbeNamed.self)
        let ofParent = try parent.require(ProbeNamed.self)
        switch scope.residence {
        case .owner:
            log.expect(
                ofChild.name.text == "parent",
                "H2: what the owner keeps is built from the owner's registrations",
                else: "it was built from those of a child"
            )
            if retention.isForAllGraphs {
                log.expect(
                    ofChild === ofParent,
                    "H2: the owner keeps one for its children",
                    else: "a child has its own"
                )
            }
        case .askingContainer:
            log.expect(
                ofChild.name.text == "child" && ofParent.name.text == "parent",
                "S7: each container builds its own from what it sees",
                else: "the registrations of another one were used"
            )
            log.expect(ofChild !== ofParent, "S7: each container has its own", else: "two share one")
            if retention.isForAllGraphs {
                log.expect(
                    try child.require(ProbeNamed.self) === ofChild,
                    "S7: a container keeps its own",
                    else: "it was built again"
                )
            }
        case .resolve:
            log.expect(
                ofChild.name.text == "child",
                "H2: what is not kept is built from the registrations of who asks",
                else: "those of its owner were used"
            )
            log.expect(
                !retention.isForAllGraphs,
                "H2: a scope that outlives the resolve has an owner or belongs to who asks",
                else: "its residence is `resolve`"
            )
        }
    }

    private func checkEnd(_ log: inout ConformanceLog) throws {
        let remains = try Remains(of: resolveInOneThatEnds())
        log.expect(!remains.isAlive, "instances end with their container", else: "something still holds one")
    }

    @inline(never)
    private func resolveInOneThatEnds() throws -> ProbeObject {
        try container { $0.register(ProbeObject.self, scope: scope) { _ in ProbeObject() } }.require(ProbeObject.self)
    }

    // MARK: Containers

    private func container(_ register: (any SendableRegistrar) throws -> Void) rethrows -> any ContainerProtocol {
        let container = makeContainer()
        if let plain = container as? Container {
            try register(plain.registrar)
        } else if let registrar = container as? any SendableRegistrar {
            try register(registrar)
        } else {
            preconditionFailure(
                "\(type(of: container)) takes no registrations: it is neither a Container nor a registrar"
            )
        }
        return container
    }
}
