import DICore
import DIScopes
import DITestSupport
import DITesting
import DIThreadSafe
import Testing

@Suite("Conformance: scopes")
struct ScopeConformanceTests {
    struct Case: Sendable, CustomStringConvertible {
        let scope: any ObjectScopeProtocol
        let retention: StorageConformance.Retention
        var description: String { "\(scope)" }
    }

    static let cases = [
        Case(scope: ObjectScope.transient, retention: .none),
        Case(scope: ObjectScope.graph, retention: .inGraph),
        Case(scope: ObjectScope.container, retention: .untilReset),
        Case(scope: ObjectScope.perContainer, retention: .untilReset),
        Case(scope: ObjectScope.weak, retention: .whileHeld),
        Case(scope: ObjectScope.expiring(after: .seconds(3600)), retention: .untilReset),
        Case(
            scope: ObjectScope(storageFactory: WeakStorage.init, description: "joined", parent: ObjectScope.container),
            retention: .untilReset
        ),
    ]

    @Test("Our own scopes keep the promises in a plain container and in one for threads", arguments: cases)
    func ours(our: Case) {
        ScopeConformance(our.scope, retention: our.retention).check()
        ScopeConformance(our.scope, retention: our.retention) { ThreadSafeContainer() }.check()
        ScopeConformance(our.scope, retention: our.retention) { ThreadSafeContainer().createChild() }.check()
        ScopeConformance(our.scope, retention: our.retention) { Container().createChild(sharing: .none) }.check()
    }

    // MARK: Broken ones

    /// Gives every entry the same storage.
    final class OneForAll: ObjectScopeProtocol, CustomStringConvertible {
        nonisolated(unsafe) private let storage = PermanentStorage()  // Used by one test, on its thread.
        let description = "one for all"
        func makeStorage() -> any InstanceStorage { storage }
    }

    /// Cannot decide where its instances live.
    final class Wavering: ObjectScopeProtocol, CustomStringConvertible {
        private let calls = Counter()
        let description = "wavering"
        func makeStorage() -> any InstanceStorage { PermanentStorage() }
        var residence: Residence { calls.add() % 2 == 0 ? .owner : .askingContainer }
    }

    private func expectCaught(
        _ name: String,
        _ scope: any ObjectScopeProtocol,
        _ retention: StorageConformance.Retention = .untilReset
    ) {
        let found = failures { ScopeConformance(scope, retention: retention).check() }
        #expect(found.count == 1)
        Golden.expect(name, found.map(\.text).joined())
    }

    @Test("A scope that gives its entries one storage is caught")
    func oneForAll() {
        expectCaught("scope-one-storage", OneForAll())
    }

    @Test("A scope that changes its mind is caught")
    func wavering() {
        let violations = ScopeConformance(Wavering()).violations()
        #expect(
            violations.first?.description
                == "a scope says the same at every call: it changes its residence or its rank"
        )
    }

    @Test("A scope that keeps and says that nobody keeps is caught")
    func homeless() {
        let scope = ObjectScope(storageFactory: PermanentStorage.init, description: "homeless", residence: .resolve)
        expectCaught("scope-without-home", scope)
    }

    @Test("A scope that keeps shorter or longer than it says is caught")
    func retention() {
        expectCaught("scope-keeps-shorter", ObjectScope.weak)
        expectCaught("scope-keeps-longer", ObjectScope.container, .none)
    }
}
