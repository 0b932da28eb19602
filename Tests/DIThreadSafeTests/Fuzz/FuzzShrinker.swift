/// Makes a program that has a finding smaller, as long as it still has one of that kind.
///
/// A step that is left out is tried for a while, since what threads do is never twice the same.
struct FuzzShrinker {
    private let threads: Int
    private let seconds: Double
    private let finding: FuzzLedger.Finding

    /// Nil when the program has no finding to begin with.
    init?(_ program: FuzzProgram, seconds: Double) {
        threads = program.isPlain ? 1 : 4
        self.seconds = seconds
        guard let found = FuzzShrinker.findings(program, threads: threads, seconds: 4 * seconds).first else {
            return nil
        }
        finding = found
    }

    /// The smallest program that was found, with its finding.
    func shrink(_ program: FuzzProgram) -> FuzzProgram {
        var program = program
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            var index = 0
            while true {
                let candidates = FuzzShrinker.smaller(program)
                guard index < candidates.count else { break }
                if FuzzShrinker.findings(candidates[index], threads: threads, seconds: seconds).contains(finding) {
                    program = candidates[index]
                    isSmaller = true
                } else {
                    index += 1
                }
            }
        }
        return program
    }

    private static func findings(_ program: FuzzProgram, threads: Int, seconds: Double) -> [FuzzLedger.Finding] {
        let ledger = FuzzLedger()
        let runner = FuzzRunner(ledger, seed: program.seed, threads: threads)
        runner.run(seconds: seconds, repetitions: 16) { _ in program }
        return ledger.findings.map(\.0)
    }

    /// The programs that are smaller by one step.
    private static func smaller(_ program: FuzzProgram) -> [FuzzProgram] {
        var candidates: [FuzzProgram] = []
        func add(_ change: (inout FuzzProgram) -> Void) {
            var candidate = program
            change(&candidate)
            candidates.append(candidate)
        }
        for thread in program.scripts.indices {
            if thread > 0, thread == program.scripts.count - 1, program.containers.allSatisfy({ $0.thread != thread }) {
                add { $0.scripts.removeLast() }
            }
            for index in program.scripts[thread].indices { add { $0.scripts[thread].remove(at: index) } }
        }
        for index in program.observers.indices { add { $0.observers.remove(at: index) } }
        for (number, entry) in program.entries.enumerated() {
            if !entry.steps.isEmpty {
                add {
                    $0.entries[number].constructor = []
                    $0.entries[number].callbacks = []
                }
            }
            for index in entry.constructor.indices { add { $0.entries[number].constructor.remove(at: index) } }
            for callback in entry.callbacks.indices {
                add { $0.entries[number].callbacks.remove(at: callback) }
                for index in entry.callbacks[callback].indices {
                    add { $0.entries[number].callbacks[callback].remove(at: index) }
                }
            }
            if entry.farewell != nil { add { $0.entries[number].farewell = nil } }
            if entry.scope != .container { add { $0.entries[number].scope = .container } }
        }
        if program.waitLimit != nil { add { $0.waitLimit = nil } }
        if program.waitWarning != nil { add { $0.waitWarning = nil } }
        if !program.holdsAll { add { $0.holdsAll = true } }
        return candidates
    }
}
