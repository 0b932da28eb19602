import DITestSupport
import Testing

/// Reading sections and reclamation, explored exhaustively: each interleaving of threads that read and build with threads that
/// replace what those look at.
@Suite("Exploration of reclamation")
struct ReclamationTests {
    typealias World = ReclaimingWorld

    /// All states that can be reached, and the first violation.
    private static func explore(_ world: World) -> (states: Int, finding: String?) {
        var seen: Set<World> = [world]
        var open = [world]
        while let next = open.popLast() {
            if let violation = next.violation { return (seen.count, violation) }
            let running = next.threads.indices.filter { !next.isOver($0) }
            if running.isEmpty {
                var end = next
                end.finish()
                if let violation = end.violation { return (seen.count, violation) }
            }
            for thread in running {
                var following = next
                following.step(thread)
                if seen.insert(following).inserted { open.append(following) }
            }
        }
        return (seen.count, nil)
    }

    private static func worlds(_ fault: World.Fault? = nil, isLong: Bool = false) -> [World] {
        var roles: [[(World.Role, Int)]] = [
            [(.reads, 3), (.removesInstance, 3)],
            [(.reads, 2), (.reads, 1), (.removesInstance, 2)],
            [(.reads, 2), (.removesInstance, 1), (.removesInstance, 1)],
            [(.builds, 2), (.removesEntry, 2)],
            [(.builds, 1), (.reads, 1), (.removesEntry, 1)],
        ]
        // Some million states each.
        if isLong {
            roles += [
                [(.builds, 1), (.builds, 1), (.removesEntry, 1)],
                [(.builds, 1), (.removesEntry, 1), (.removesEntry, 1)],
            ]
        }
        return roles.map { World($0.map { World.Thread($0.0, rounds: $0.1) }, fault: fault) }
    }

    @Test("S8, T13: nothing is read, used or freed when it is freed, and nothing waits for ever to be freed")
    func all() {
        for world in ReclamationTests.worlds(isLong: Stress.isLong) {
            let start = SuspendingClock.now
            let (states, finding) = ReclamationTests.explore(world)
            let roles = world.threads.map { "\($0.role)" }.joined(separator: ", ")
            print("Explored \(roles): \(states) states, \(start.duration(to: .now))")
            #expect(finding == nil, "\(roles)")
        }
    }

    @Test(
        "The exploration of reclamation finds a fault that is planted",
        arguments: [World.Fault.noSection, .keptWithoutLook, .clearedLate, .countedLate]
    )
    func planted(fault: World.Fault) {
        let finding = ReclamationTests.worlds(fault).lazy.compactMap { ReclamationTests.explore($0).finding }.first
        print("Planted \(fault): \(finding ?? "not found")")
        #expect(finding != nil)
    }
}
