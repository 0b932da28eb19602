import DICore
import DITestSupport
import Testing

@Suite("Wiring: random hierarchies")
struct WiringRandomTests {
    @Test("E7: validate() says of random hierarchies what resolving everything in them does")
    func againstResolving() {
        print("Random wirings: DI_STRESS_SEED=\(Stress.seed)")
        var random = SeededRandom(seed: Stress.seed)
        let services = WiringServices()
        var found: [String: Int] = [:]
        for number in 0..<Stress.times(6_000, long: 1_000_000) {
            let wiring = RandomWiring(using: &random)
            let comparison = WiringComparison(wiring, services)
            for kind in comparison.found { found[kind, default: 0] += 1 }
            if comparison.differences.isEmpty { continue }
            let smallest = wiring.shrunk { !WiringComparison($0, services).differences.isEmpty }
            let differences = WiringComparison(smallest, services).differences.joined(separator: "\n")
            Issue.record("wiring \(number) of DI_STRESS_SEED=\(Stress.seed):\n\(smallest)\n\(differences)")
            return
        }
        print(
            "Random wirings with:",
            found.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        )
        for kind in [
            "valid", "missing", "argumentsMismatch", "cycle", "captive", "deferredCaptive", "hidden", "several nodes",
        ] {
            #expect(found[kind, default: 0] > 50, "\(kind)")
        }
    }
}
