import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the fuzz has found, and how often what happened.
final class FuzzLedger: Sendable {
    enum Finding: String, CaseIterable, Sendable {
        case falseCrossThreadCycle = "a crossThreadCycle without a cause"
        case falseCircular = "a circular dependency without a cause"
        case wrongError = "an error that nothing can have caused"
        case wrongNil = "nil where nothing can fail"
        case unfinished = "an unfinished instance was given out"
        case builtTwice = "built more than once"
        case twoInstances = "two instances where there is one"
        case callbacks = "callbacks in a wrong order"
        case wrongBuilder = "built by a wrong container"
        case afterwards = "the container does not work normally afterwards"
        case leak = "something is left"
        case wrapperLeak = "something is left, where instances keep wrappers"
    }

    struct Case: Sendable {
        let seed: UInt64
        let threads: Int
        let detail: String
    }

    /// What is counted, to see that it happens.
    enum Count: Int, CaseIterable, Sendable {
        case rounds, requests, actions, waits, repeats, ownUnfinished, othersUnfinished, endedLate
        case missing, thrown, circular, crossThread, tooLong, otherErrors, nils
    }

    private let findingsInAll = Atomic<Int>(0)
    private let log = Mutex("")
    private let findingsByKind = Mutex<[Finding: (count: Int, cases: [Case])]>([:])
    private let counts = Mutex<[Int]>(Array(repeating: 0, count: Count.allCases.count))
    private let scopes = Mutex<[Int]>(Array(repeating: 0, count: FuzzScope.allCases.count))

    /// How many cases of a finding are told: `DI_FUZZ_CASES`, or a few.
    private static let casesEach = getenv("DI_FUZZ_CASES").flatMap { Int(String(cString: $0)) } ?? 8

    /// Notes a finding. They are numbered: what the first ones leave behind in a thread may be the cause of later ones.
    func report(_ finding: Finding, _ round: FuzzRound, _ detail: String) {
        let program = round.program
        let number = findingsInAll.add(1, ordering: .relaxed).newValue
        if number == 1 { log.withLock { $0 = round.logged } }
        findingsByKind.withLock { findings in
            var known = findings[finding] ?? (0, [])
            known.count += 1
            if known.cases.count < FuzzLedger.casesEach, !known.cases.contains(where: { $0.seed == program.seed }) {
                known.cases.append(
                    Case(seed: program.seed, threads: program.scripts.count, detail: "#\(number) \(detail)")
                )
            }
            findings[finding] = known
        }
    }

    /// Adds what a worker has counted by itself, without a lock that would keep threads from each other.
    func add(_ tally: inout [Int], scopes tallied: inout [Int]) {
        counts.withLock { counts in
            for index in counts.indices { counts[index] += tally[index] }
        }
        scopes.withLock { scopes in
            for index in scopes.indices { scopes[index] += tallied[index] }
        }
        tally = Array(repeating: 0, count: tally.count)
        tallied = Array(repeating: 0, count: tallied.count)
    }

    /// What happened in the round of the first finding.
    var firstLog: String { log.withLock { $0 } }

    func hasFound(_ finding: Finding) -> Bool { findingsByKind.withLock { $0[finding] != nil } }

    var findings: [(Finding, count: Int, cases: [Case])] {
        findingsByKind.withLock { findings in
            Finding.allCases.compactMap { finding in findings[finding].map { (finding, $0.count, $0.cases) } }
        }
    }

    var summary: String {
        let counts = counts.withLock { $0 }
        let scopes = scopes.withLock { $0 }
        return Count.allCases.map { "\($0) \(counts[$0.rawValue])" }.joined(separator: ", ") + "; built: "
            + zip(FuzzScope.allCases, scopes).map { "\($0) \($1)" }.joined(separator: ", ")
    }
}

extension FuzzLedger {
    static func text(_ cases: [Case], isPlain: Bool) -> String {
        cases.map { found in
            let threads = isPlain ? "" : " DI_FUZZ_THREADS=\(found.threads)"
            return "DI_STRESS_SEED=\(found.seed)\(threads): \(found.detail)"
        }
        .joined(separator: "\n")
    }

    /// All findings, for a process that is about to end.
    var report: String {
        findings.map { "\($0.0.rawValue), \($0.count) times\n\(FuzzLedger.text($0.cases, isPlain: false))" }
            .joined(separator: "\n")
    }
}
