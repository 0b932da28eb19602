import DICore
import DITestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ThreadStressTests {
    /// Random programs on random threads, judged by what their wiring can do.
    ///
    /// `DI_FUZZ_SECONDS` says for how long, `DI_FUZZ_THREADS` with how many threads, and `DI_STRESS_SEED` repeats one
    /// program for that time. With `DI_FUZZ_SHRINK`, a number of seconds for each try, that program is made smaller;
    /// with `DI_FUZZ_LOG` what happened in the round of the first finding is printed.
    @Suite("Stress: random programs against what their wiring can do")
    struct FuzzStressTests {
        private static func number(_ name: String) -> Double? {
            getenv(name).flatMap { Double(String(cString: $0)) }
        }

        private static let seconds = number("DI_FUZZ_SECONDS") ?? (Stress.isLong ? 3_600 : 5)
        private static let threads = number("DI_FUZZ_THREADS").map { max(2, min(4, Int($0))) }
        /// `DI_FUZZ_FIRST`: the seed of the first program, for a run that is to have the same ones each time.
        private static let first = number("DI_FUZZ_FIRST").map { UInt64($0) }
        private static let repeated = number("DI_STRESS_SEED").map { UInt64($0) }

        private static let shrinking = number("DI_FUZZ_SHRINK")

        private static func shrink(_ seed: UInt64, isPlain: Bool, seconds: Double) {
            let program = FuzzGenerator.program(seed: seed, threads: threads, isPlain: isPlain)
            guard let shrinker = FuzzShrinker(program, seconds: seconds) else { return print("nothing is found") }
            let smallest = shrinker.shrink(program)
            print(smallest)
            let ledger = FuzzLedger()
            FuzzRunner(ledger, seed: seed, threads: isPlain ? 1 : 4).run(seconds: 4 * seconds, repetitions: 16) { _ in
                smallest
            }
            print("\(ledger.report)\n\(ledger.firstLog)")
        }

        private static func fuzz(isPlain: Bool, share: Double) {
            if let seed = repeated, let shrinking { return shrink(seed, isPlain: isPlain, seconds: shrinking) }
            let ledger = FuzzLedger()
            let base = repeated ?? first ?? .random(in: 1..<1_000_000_000)
            let threads = threads
            let isRepeated = repeated != nil
            if isRepeated { print(FuzzGenerator.program(seed: base, threads: threads, isPlain: isPlain)) }
            let runner = FuzzRunner(ledger, seed: base, threads: isPlain ? 1 : 4)
            runner.run(seconds: seconds * share, repetitions: isPlain ? 1 : 4) { index in
                let seed = isRepeated ? base : base &+ UInt64(index)
                return FuzzGenerator.program(seed: seed, threads: threads, isPlain: isPlain)
            }
            print("Fuzz of \(isPlain ? "plain" : "shared") containers from DI_STRESS_SEED=\(base): \(ledger.summary)")
            for (finding, count, cases) in ledger.findings {
                Issue.record("\(finding.rawValue), \(count) times\n\(FuzzLedger.text(cases, isPlain: isPlain))")
            }
        }

        @Test(
            "T1, T9, T10, T12, G7, S9: what threads do to a shared container, some order of it or an overlap explains"
        )
        func shared() { Self.fuzz(isPlain: false, share: 0.75) }

        @Test("G1, G2, G3, G7, T11: so it is with a plain container and one thread")
        func plain() { Self.fuzz(isPlain: true, share: 0.25) }
    }
}
