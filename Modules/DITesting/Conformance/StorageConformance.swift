public import DICore

/// What any `InstanceStorage` must do, as a suite that a test of yours runs.
///
///     @Test func sessionStorage() {
///         StorageConformance { SessionStorage() }.check()
///     }
///
/// It puts objects and values in from both sides, resets, and looks at what is given and at what is released. A storage is
/// asked outside of any container; ``ScopeConformance`` runs this and looks at the scope in a container, too.
public struct StorageConformance {
    /// For how long a storage gives an instance.
    public enum Retention: Sendable, CaseIterable {
        /// Until it is reset, or for a time that is longer than the test.
        case untilReset
        /// While somebody else holds the object; values are not kept.
        case whileHeld
        /// In the graph that it was built in, and to whoever joins that while the object lives.
        case inGraph
        /// Not at all.
        case none

        /// Whether every graph is given it.
        var isForAllGraphs: Bool { self == .untilReset || self == .whileHeld }
    }

    private let retention: Retention
    private let makeStorage: () -> any InstanceStorage

    /// Makes the suite.
    ///
    /// - Parameters:
    ///   - retention: for how long the storage gives an instance.
    ///   - makeStorage: makes a fresh storage; called several times.
    public init(_ retention: Retention = .untilReset, makeStorage: @escaping () -> any InstanceStorage) {
        self.retention = retention
        self.makeStorage = makeStorage
    }

    /// Runs the suite and fails the test with all promises that are broken.
    public func check(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        TestPlace(fileID, filePath, line, column).expectNone(violations(), of: "\(type(of: makeStorage()))")
    }

    /// Runs the suite and gives the promises that are broken.
    public func violations() -> [ConformanceViolation] {
        var log = ConformanceLog()
        checkEmptiness(&log)
        checkKeeping(&log)
        checkPuttingIn(&log)
        checkResetting(&log)
        checkTakingOut(&log)
        checkLifetimes(&log)
        checkValues(&log)
        checkCell(&log)
        return log.violations
    }

    private func checkEmptiness(_ log: inout ConformanceLog) {
        let storage = makeStorage()
        let promise = "a fresh storage is empty"
        log.expect(storage.instance == nil, promise, else: "it has an instance")
        log.expect(storage.instance(inGraph: GraphIdentifier()) == nil, promise, else: "it has an instance for a graph")
        let other = makeStorage()
        storage.instance = ProbeObject.shared
        log.expect(
            other !== storage && other.instance == nil,
            "storages are apart",
            else: "one has what was put into another"
        )
        storage.instance = nil
    }

    private func checkKeeping(_ log: inout ConformanceLog) {
        let storage = makeStorage()
        let graph = GraphIdentifier()
        let first = ProbeObject()
        let second = ProbeObject()
        let isForAll = retention.isForAllGraphs
        storage.setInstance(first, inGraph: graph)
        log.expect(
            gives(storage.instance(inGraph: graph), first, unless: retention == .none),
            "what was built in a graph \(isGiven(retention != .none)) to that graph",
            else: text(storage.instance(inGraph: graph))
        )
        log.expect(
            gives(storage.instance(inGraph: GraphIdentifier()), first, unless: !isForAll),
            "what was built in a graph \(isGiven(isForAll)) to another graph",
            else: text(storage.instance(inGraph: GraphIdentifier()))
        )
        log.expect(
            gives(storage.instance, first, unless: !isForAll),
            "what was built in a graph \(isGiven(isForAll)) as `instance`",
            else: text(storage.instance)
        )
        guard retention != .none else { return }
        if isForAll {
            storage.graphResolutionCompleted()
            log.expect(
                gives(storage.instance, first),
                "the end of a graph leaves what outlives it",
                else: text(storage.instance)
            )
        }
        storage.setInstance(second, inGraph: graph)
        log.expect(
            gives(storage.instance(inGraph: graph), second),
            "what is kept later takes the place of what was kept before",
            else: text(storage.instance(inGraph: graph))
        )
    }

    private func checkPuttingIn(_ log: inout ConformanceLog) {
        let storage = makeStorage()
        let object = ProbeObject()
        storage.instance = object
        let isForAll = retention.isForAllGraphs
        let promise = "S3: what is put into a storage from outside \(isGiven(isForAll))"
        log.expect(gives(storage.instance, object, unless: !isForAll), promise, else: text(storage.instance))
        log.expect(
            gives(storage.instance(inGraph: GraphIdentifier()), object, unless: !isForAll),
            promise,
            else: "for a graph, \(text(storage.instance(inGraph: GraphIdentifier())))"
        )
    }

    private func checkResetting(_ log: inout ConformanceLog) {
        guard retention.isForAllGraphs else { return }
        let storage = makeStorage()
        let graph = GraphIdentifier()
        let object = ProbeObject()
        storage.setInstance(object, inGraph: graph)
        storage.instance = nil
        let promise = "S3: setting `instance` to nil empties the storage"
        log.expect(storage.instance == nil, promise, else: text(storage.instance))
        let other = GraphIdentifier()
        log.expect(
            storage.instance(inGraph: other) == nil,
            promise,
            else: "for a graph, \(text(storage.instance(inGraph: other)))"
        )
        storage.setInstance(object, inGraph: graph)
        log.expect(
            gives(storage.instance, object),
            "a storage that was emptied keeps again",
            else: text(storage.instance)
        )
    }

    private func checkTakingOut(_ log: inout ConformanceLog) {
        let storage = makeStorage()
        let graph = GraphIdentifier()
        let object = ProbeObject()
        storage.setInstance(object, inGraph: graph)
        storage.setInstance(nil, inGraph: graph)
        log.expect(
            storage.instance == nil && storage.instance(inGraph: graph) == nil,
            "G7: an instance whose callback threw is taken out by keeping nil",
            else: "it still gives one"
        )
    }

    private func checkLifetimes(_ log: inout ConformanceLog) {
        let storage = makeStorage()
        let kept = Remains(of: put(into: storage))
        switch retention {
        case .untilReset:
            log.expect(kept.isThere, "an instance is held until it is reset", else: "it was released")
            log.expect(
                storage.keepsInstances,
                "W5: `keepsInstances` says whether instances are held",
                else: "it says no"
            )
            storage.instance = nil
            log.expect(!kept.isAlive, "a reset releases the instance", else: "something still holds it")
            let last = Remains(of: putIntoOneThatEnds())
            log.expect(!last.isAlive, "instances go with their storage", else: "something still holds one")
        case .whileHeld:
            log.expect(!kept.isAlive, "S1: an instance is not held", else: "something still holds it")
            log.expect(
                !storage.keepsInstances,
                "W5: `keepsInstances` says whether instances are held",
                else: "it says yes"
            )
            log.expect(storage.instance == nil, "what nobody holds is not given", else: text(storage.instance))
        case .inGraph, .none:
            log.expect(!kept.isAlive, "S6: nothing is held when the graph is over", else: "something still holds it")
        }
    }

    @inline(never)
    private func put(into storage: any InstanceStorage) -> ProbeObject {
        let object = ProbeObject()
        storage.setInstance(object, inGraph: GraphIdentifier())
        return object
    }

    @inline(never)
    private func putIntoOneThatEnds() -> ProbeObject { put(into: makeStorage()) }

    private func checkValues(_ log: inout ConformanceLog) {
        let storage = makeStorage()
        let graph = GraphIdentifier()
        storage.setInstance(7, inGraph: graph)
        switch retention {
        case .untilReset:
            log.expect(
                storage.instance(inGraph: graph) as? Int == 7,
                "S2: a value is kept like an object",
                else: text(storage.instance(inGraph: graph))
            )
            storage.setInstance(Int?.none as Any, inGraph: graph)
            log.expect(
                storage.instance(inGraph: graph) is Int?,
                "W3: a value that is nil is kept like any other",
                else: text(storage.instance(inGraph: graph))
            )
        case .whileHeld:
            log.expect(storage.instance == nil, "S2: a value is not kept weakly", else: text(storage.instance))
        case .inGraph: break
        case .none:
            log.expect(storage.instance(inGraph: graph) == nil, "S1: nothing is kept", else: text(storage.instance))
        }
    }

    private func checkCell(_ log: inout ConformanceLog) {
        let storage = makeStorage()
        let promise = "a storage with a cell keeps its instance there, always in the same"
        let cell = storage.sharedCell
        log.expect(storage.sharedCell === cell, promise, else: "the cell is another at each call")
        guard let cell, storage.sharedCell === cell else { return }
        log.expect(
            retention == .untilReset,
            "a cell is for a storage that keeps one instance until it is reset",
            else: "there is one"
        )
        let object = ProbeObject()
        storage.setInstance(object, inGraph: GraphIdentifier())
        log.expect(gives(cell.instance, object), promise, else: "what was kept is not in the cell")
        storage.instance = nil
        log.expect(cell.instance == nil, promise, else: "a reset leaves the cell as it is")
        cell.instance = object
        log.expect(gives(storage.instance, object), promise, else: "what is in the cell is not given")
    }

    // MARK: Saying what was found

    private func isGiven(_ isSo: Bool) -> String { isSo ? "is given" : "is not given" }

    /// Whether something is the object or, where nothing should be given, nil.
    private func gives(_ instance: Any?, _ object: ProbeObject, unless isEmpty: Bool = false) -> Bool {
        isEmpty ? instance == nil : (instance as? ProbeObject) === object
    }

    private func text(_ instance: Any?) -> String {
        switch instance {
        case nil: "it gives nothing"
        case .some(let instance): "it gives an instance of \(type(of: instance))"
        }
    }
}

/// An object that suites keep.
final class ProbeObject: Sendable {
    static let shared = ProbeObject()
}
