public import DICore
internal import Dispatch

/// What any `Resolver` must do, as a suite that a test of yours runs.
///
///     @Test func countingResolver() {
///         ResolverConformance { register in
///             let container = Container()
///             register(container.registrar)
///             return CountingResolver(container)
///         }
///         .check()
///     }
///
/// The closure makes a resolver and hands the registrar of its registrations to `register`, which fills it; see
/// ``EntryRegistrar`` for a resolver that takes entries. One that threads share is looked at by ``sharedByThreads(_:)``.
public struct ResolverConformance {
    private let make: ((any SendableRegistrar) -> Void) -> any Resolver
    private let makeShared: ((any SendableRegistrar) -> Void) -> (any Resolver & Sendable)?

    /// Makes the suite for a resolver that one isolation domain uses.
    ///
    /// - Parameter make: makes a resolver with what it lets be registered; called several times.
    public init(_ make: @escaping (_ register: (any SendableRegistrar) -> Void) -> any Resolver) {
        self.make = make
        makeShared = { _ in nil }
    }

    private init(shared make: @escaping ((any SendableRegistrar) -> Void) -> any Resolver & Sendable) {
        self.make = make
        makeShared = make
    }

    /// Makes the suite for a resolver that threads share, which asks it from several at the same time as well.
    ///
    /// - Parameter make: makes a resolver with what it lets be registered; called several times.
    public static func sharedByThreads(
        _ make: @escaping (_ register: (any SendableRegistrar) -> Void) -> any Resolver & Sendable
    ) -> ResolverConformance {
        ResolverConformance(shared: make)
    }

    /// Runs the suite and fails the test with all promises that are broken.
    public func check(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        TestPlace(fileID, filePath, line, column).expectNone(violations(), of: "\(type(of: make { _ in }))")
    }

    /// Runs the suite and gives the promises that are broken.
    public func violations() -> [ConformanceViolation] {
        var log = ConformanceLog()
        log.part("K1, K2: each key has its own registration", checkKeys)
        log.part("K4: the last registration of a key wins", checkReplacement)
        log.part("S1: instances are shared as scopes say", checkScopes)
        log.part("G1, G5: graphs are built", checkGraphs)
        log.part("G4: a cycle that cannot be built is an error with its path", checkCycle)
        log.part("E1, E3, G7: failures are errors and leave nothing behind", checkFailures)
        log.part("W3: an Optional is nil where nothing is registered", checkOptionals)
        log.part("F1: a forwarded type has the instance of its original", checkForwarding)
        log.part("collections have all contributions", checkCollections)
        log.part("G8: a later resolve joins an earlier graph", checkJoining)
        log.part("T1: threads share one instance", checkThreads)
        return log.violations
    }

    // MARK: Keys

    private func checkKeys(_ log: inout ConformanceLog) throws {
        let r = make { box in
            box.register(String.self) { _ in "none" }
            box.register(String.self, name: "n") { _ in "name" }
            box.register(String.self) { (_, _: Void) in "Void" }
            box.register(String.self) { (_, _: Int) in "Int" }
            box.register(String.self) { (_, _: Int?) in "Int?" }
            box.register(String.self) { (_, _: Int, _: Bool) in "Int, Bool" }
            box.register(String.self) { (_, _: (Int, Bool)) in "(Int, Bool)" }
            box.register(String.self) { (_, _: Int, _: Bool, _: Int, _: Bool) in "four" }
            box.register([Int].self) { _ in [1] }
            box.register(Bool.self, name: "only") { _ in true }
        }
        // Looked at first: what is registered for other types must not be called with these.
        for key in Self.keys + Self.strangeKeys {
            guard let entry = r.locate(key).entry else { continue }
            let fits = entry.serviceType == key.serviceType && entry.argumentsType == key.argumentsType
            log.expect(fits, "K5: a key is answered by a registration of its types", else: "\(key) by \(entry.key)")
            if !fits { return }
        }
        func expect(_ wanted: String, _ found: String?) {
            log.expect(
                found == wanted,
                "K1: each key has its own registration",
                else: "\(wanted) gave \(found ?? "nil")"
            )
        }
        expect("none", r.resolve(String.self))
        expect("name", r.resolve(String.self, name: "n"))
        expect("Void", r.resolve(String.self, argument: ()))
        expect("Int", r.resolve(String.self, argument: 1))
        expect("Int?", r.resolve(String.self, argument: 1, as: Int?.self))
        expect("Int, Bool", r.resolve(String.self, arguments: 1, true))
        expect("(Int, Bool)", r.resolve(String.self, argument: (1, true)))
        expect("four", r.resolve(String.self, arguments: 1, true, 2, false))
        log.expect(
            r.resolve(String.self, name: nil) == "none",
            "K2: a nil name is no name",
            else: "it is another key"
        )
        log.expect(
            r.resolve(String.self, name: "other") == nil,
            "K2: a look-up with a name never falls back to the registration without one",
            else: "it did"
        )
        log.expect(
            r.resolve(Bool.self) == nil,
            "K2: a look-up without a name never falls back to a registration with one",
            else: "it did"
        )
        log.expect(
            r.resolve(String.self, argument: UInt8(1)) == nil,
            "K5: arguments of another static type do not resolve",
            else: "they did"
        )
        log.expect(r.resolve([Int].self) == [1], "K3: a generic type is one key", else: "it is not found")
        log.expect(
            !r.locate(ServiceKey(ProbeObject.self)).isFound,
            "what is not registered is not found",
            else: "something was"
        )
    }

    private static let keys = [
        ServiceKey(String.self),
        ServiceKey(String.self, name: "n"),
        ServiceKey(String.self, arguments: Void.self),
        ServiceKey(String.self, arguments: Int.self),
        ServiceKey(String.self, arguments: Int?.self),
        ServiceKey(String.self, arguments: Int.self, Bool.self),
        ServiceKey(String.self, arguments: (Int, Bool).self),
        ServiceKey(String.self, arguments: Int.self, Bool.self, Int.self, Bool.self),
    ]

    private static let strangeKeys = [
        ServiceKey(String.self, name: "other"), ServiceKey(Bool.self), ServiceKey(String.self, arguments: UInt8.self),
    ]

    private func checkReplacement(_ log: inout ConformanceLog) throws {
        let r = make { box in
            box.register(ProbeName.self) { _ in ProbeName(text: "first") }
            box.register(ProbeName.self) { _ in ProbeName(text: "second") }
        }
        let found = try r.require(ProbeName.self).text
        log.expect(found == "second", "K4: the last registration of a key wins", else: "the \(found) did")
    }

    // MARK: Scopes and graphs

    private func checkScopes(_ log: inout ConformanceLog) throws {
        for (scope, isShared, isOne) in [
            (ObjectScope.transient, false, false), (ObjectScope.graph, false, true), (ProbeStorage.scope, true, true),
        ] {
            let r = make { box in
                box.register(ProbeObject.self, scope: scope) { _ in ProbeObject() }
                box.register(ProbePair.self, scope: ObjectScope.transient) { r in
                    ProbePair(try r.require(ProbeObject.self), try r.require(ProbeObject.self))
                }
            }
            let pair = try r.require(ProbePair.self)
            log.expect(
                (pair.left === pair.right) == isOne,
                "S1: in the scope \(scope) one graph is given \(isOne ? "one instance" : "two instances")",
                else: isOne ? "two" : "one"
            )
            let first = try r.require(ProbeObject.self)
            log.expect(
                try (r.require(ProbeObject.self) === first) == isShared,
                "S1: in the scope \(scope) two requests are given \(isShared ? "one instance" : "two instances")",
                else: isShared ? "two" : "one"
            )
        }
    }

    private func checkGraphs(_ log: inout ConformanceLog) throws {
        let r = make { box in
            box.register(ProbeParent.self, scope: ObjectScope.graph) { _ in ProbeParent() }
                .initCompleted { r, parent in parent.child = try r.require(ProbeChild.self) }
            box.register(ProbeChild.self, scope: ObjectScope.graph) { r in ProbeChild(try r.require(ProbeParent.self)) }
            box.register(Int.self, name: "0") { _ in 0 }
            for number in 1...250 {
                box.register(Int.self, name: "\(number)") { r in try r.require(Int.self, name: "\(number - 1)") + 1 }
            }
        }
        let parent = try r.require(ProbeParent.self)
        log.expect(
            parent.child?.parent === parent,
            "G1: a property cycle points at itself",
            else: "it points at another instance"
        )
        parent.child = nil
        let depth = try r.require(Int.self, name: "250")
        log.expect(depth == 250, "G5: a deep chain is built", else: "it gave \(depth)")
    }

    private func checkCycle(_ log: inout ConformanceLog) throws {
        let r = make { box in
            box.register(Int.self) { r in try r.require(Bool.self) ? 1 : 0 }
            box.register(Bool.self) { r in try r.require(Int.self) == 1 }
        }
        do throws(ResolutionError) {
            let found = try r.require(Int.self)
            log.expect(false, "G4: a cycle that cannot be built is an error", else: "it gave \(found)")
        } catch {
            log.expect(error.code == .circular, "G4: the error of a cycle is circular", else: "it is \(error.code)")
            let path = error.path.map { "\($0.key)" }.joined(separator: " → ")
            log.expect(
                path == "Int → Bool → Int",
                "G4: the error of a cycle has the path",
                else: "it has \(path)"
            )
        }
    }

    // MARK: Failures

    private func checkFailures(_ log: inout ConformanceLog) throws {
        let runs = ProbeCounter()
        let r = make { box in
            box.register(ProbeNamed.self) { r in ProbeNamed(try r.require(ProbeName.self)) }
            box.register(ProbeObject.self) { _ in
                if runs.add() == 1 { throw ProbeError() }
                return ProbeObject()
            }
        }
        log.expect(
            r.resolve(ProbeNamed.self) == nil,
            "E1: `resolve` gives nil when it cannot",
            else: "it gave something"
        )
        do throws(ResolutionError) {
            _ = try r.require(ProbeNamed.self)
            log.expect(false, "E1: `require` throws when it cannot", else: "it gave something")
        } catch {
            log.expect(
                error.code == .notRegistered && error.key == ServiceKey(ProbeName.self)
                    && error.path.map(\.key) == [ServiceKey(ProbeNamed.self), ServiceKey(ProbeName.self)],
                "E1: the error has the code, the key and the path",
                else: "it is \(error.code), \(error.key), \(error.path.map { "\($0.key)" })"
            )
        }
        do throws(ResolutionError) {
            _ = try r.require(ProbeObject.self)
            log.expect(false, "E3: what a factory throws comes out of `require`", else: "nothing was thrown")
        } catch {
            log.expect(
                error.code == .factoryThrew && error.underlying is ProbeError,
                "E3: what a factory throws comes out of `require`",
                else: "it is \(error.code)"
            )
        }
        log.expect(r.resolve(ProbeObject.self) != nil, "E3: a factory that threw is asked again", else: "it is not")
    }

    private func checkOptionals(_ log: inout ConformanceLog) throws {
        let r = make { box in
            box.register(ProbeName.self) { _ in ProbeName(text: "there") }
            box.register(ProbeObject.self) { _ in throw ProbeError() }
        }
        log.expect(
            try r.require(ProbeName?.self)?.text == "there",
            "W3: an Optional of what is registered has it",
            else: "it is nil"
        )
        log.expect(
            try r.require(ProbeNamed?.self) == nil,
            "W3: an Optional of what is not registered is nil",
            else: "it is not"
        )
        do throws(ResolutionError) {
            _ = try r.require(ProbeObject?.self)
            log.expect(false, "E4: an Optional of what is broken is an error", else: "it is nil")
        } catch {}
    }

    // MARK: The rest

    private func checkForwarding(_ log: inout ConformanceLog) throws {
        let r = make { box in
            let original = box.register(ProbeObject.self, scope: ProbeStorage.scope) { _ in ProbeObject() }
            box.forward((any ProbeForwarded).self, to: original)
        }
        log.expect(
            try r.require((any ProbeForwarded).self) === r.require(ProbeObject.self),
            "F1: a forwarded type has the instance of its original",
            else: "it has another"
        )
    }

    private func checkCollections(_ log: inout ConformanceLog) throws {
        let r = make { box in
            box.contribute(Int.self) { _ in 1 }
            box.contribute(Int.self) { _ in 2 }
            box.register(Int.self) { _ in 3 }
            box.register(ProbeObject.self, scope: ObjectScope.graph) { _ in ProbeObject() }
            for _ in 0..<2 {
                box.contribute(ProbePair.self) { r in
                    ProbePair(try r.require(ProbeObject.self), try r.require(ProbeObject.self))
                }
            }
        }
        let promise = "a collection has all contributions, in the order of registration"
        log.expect(r.resolveAll(Int.self) == [1, 2], promise, else: "it has \(r.resolveAll(Int.self))")
        let found = try r.require([Int].self)
        log.expect(found == [1, 2], promise, else: "an array has \(found)")
        for pairs in [try r.requireAll(ProbePair.self), try r.require([ProbePair].self)] {
            log.expect(
                pairs.allSatisfy { $0.left === pairs[0].left },
                "G9: the elements of a collection are built in one graph",
                else: "each has a graph of its own"
            )
        }
        let visible = r.visibleEntries.filter { $0.serviceType == Int.self }.count
        log.expect(visible == 3, "`visibleEntries` has all that can be found", else: "it has \(visible) of 3")
    }

    private func checkJoining(_ log: inout ConformanceLog) throws {
        let r = make { box in box.register(ProbeObject.self, scope: ObjectScope.graph) { _ in ProbeObject() } }
        let graph = GraphIdentifier()
        let first = r.withObjectGraph(graph) { $0.resolve(ProbeObject.self) }
        let second = r.withObjectGraph(graph) { $0.resolve(ProbeObject.self) }
        log.expect(
            first != nil && first === second,
            "G8: a later resolve joins an earlier graph",
            else: "it built another instance"
        )
    }

    private func checkThreads(_ log: inout ConformanceLog) throws {
        let runs = ProbeCounter()
        let others = ProbeCounter()
        let shared = makeShared { box in
            box.register(ProbeObject.self, scope: ProbeStorage.scope) { _ in
                runs.add()
                return ProbeObject()
            }
        }
        guard let shared else { return }
        let first = ProbeHolder()
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            guard let object = shared.resolve(ProbeObject.self) else {
                _ = others.add()
                return
            }
            if !first.isSame(object) { others.add() }
        }
        log.expect(
            runs.value == 1 && others.value == 0,
            "T1: threads share one instance, which is built once",
            else: "it was built \(times(runs.value)), and \(others.value) of 64 requests were given another or none"
        )
    }
}
