import DICore
import DITestSupport
import DIThreadSafe
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs rounds on threads that stay, each of which begins when all are there.
// Unchecked: `round` and `boxes` are written by the first thread between rounds, when the others wait for `generation`.
final class FuzzRunner: @unchecked Sendable {
    private let ledger: FuzzLedger
    private let workers: [FuzzWorker]
    /// The number of the round, and in the low three bits how many threads have a part in it.
    private let generation = Atomic<Int>(0)
    private let arrived = Atomic<Int>(0)
    private let done = Atomic<Int>(0)
    private let isOver = Atomic<Bool>(false)
    private var round: FuzzRound?
    private var boxes: [FuzzBox?] = []

    /// What the watchdog looks at.
    private let beginning = Atomic<Int>(0)
    private let watched = Mutex<FuzzRound?>(nil)

    init(_ ledger: FuzzLedger, seed: UInt64, threads: Int) {
        self.ledger = ledger
        workers = (0..<threads).map { FuzzWorker($0, seed: seed) }
    }

    /// Runs programs until the time is over, each several times.
    func run(
        seconds: Double,
        repetitions: Int,
        next: @escaping @Sendable (Int) -> FuzzProgram
    ) {
        let end = FuzzRunner.now + Int(seconds * 1e9)
        // A sanitizer makes frames larger.
        Threads.hammer(workers.count + 1, stack: 8 << 20) { [self] number in
            switch number {
            case 0:
                workers[0].begin()
                var index = 0
                while FuzzRunner.now < end {
                    let program = next(index)
                    index += 1
                    guard FuzzRunner.isWanted(program) else { continue }
                    let wiring = FuzzWiring(program, isCalm: false, threads: program.scripts.count)
                    let calm = FuzzWiring(program, isCalm: true, threads: 1)
                    for _ in 0..<repetitions { play(FuzzRound(program, wiring, calm: calm, ledger)) }
                }
                isOver.store(true, ordering: .releasing)
            case workers.count: watch()
            default: serve(workers[number])
            }
        }
    }

    // MARK: A round

    private func play(_ round: FuzzRound) {
        watched.withLock { $0 = round }
        if FuzzRunner.isTraced { print(round.program.seed) }
        beginning.store(FuzzRunner.now, ordering: .relaxed)
        runThreads(round)
        judge(round)
        tearDown(round)
        round.checkNothingLeft(workers[0])
        round.end()
        workers[0].count(.rounds)
        for worker in workers { worker.tell(ledger) }
        watched.withLock { $0 = nil }
    }

    private func runThreads(_ round: FuzzRound) {
        self.round = round
        boxes = round.setUp(workers[0])
        arrived.store(0, ordering: .relaxed)
        done.store(0, ordering: .relaxed)
        let number = generation.load(ordering: .relaxed) >> 3 + 1
        generation.store(number << 3 | round.program.scripts.count, ordering: .releasing)
        act(workers[0], round)
        while done.load(ordering: .acquiring) < round.program.scripts.count { sched_yield() }
    }

    private func judge(_ round: FuzzRound) {
        let results = workers.flatMap(\.results)
        round.checkBuiltOnce(results)
        let afterwards = round.checkAfterwards(workers[0])
        withExtendedLifetime((results, afterwards)) {}
    }

    /// Lets go of everything but the round itself. Deinits act again.
    private func tearDown(_ round: FuzzRound) {
        round.isCalm.store(false, ordering: .releasing)
        workers[0].graph = nil
        for worker in workers { worker.dropResults() }
        round.part()
        self.round = nil
        while let last = boxes.popLast() { withExtendedLifetime(last) {} }
        round.part()
    }

    private func serve(_ worker: FuzzWorker) {
        worker.begin()
        var last = 0
        while true {
            var next = generation.load(ordering: .acquiring)
            while next == last {
                if isOver.load(ordering: .acquiring) { return }
                sched_yield()
                next = generation.load(ordering: .acquiring)
            }
            last = next
            // One that has no part in the round may not look at it: the next one may be on its way.
            guard worker.index < next & 7 else { continue }
            act(worker, round!)
        }
    }

    private func act(_ worker: FuzzWorker, _ round: FuzzRound) {
        for (index, plan) in round.program.containers.enumerated() where plan.thread == worker.index {
            guard let parent = worker.confined[plan.parent!] ?? boxes[plan.parent!] else { continue }
            let box = parent.child(plan)
            worker.confined[index] = box
            round.fill(box, index)
        }
        let count = round.program.scripts.count
        arrived.add(1, ordering: .acquiringAndReleasing)
        while arrived.load(ordering: .acquiring) < count { sched_yield() }
        for (number, command) in round.program.scripts[worker.index].enumerated() {
            worker.notes(command: number)
            round.perform(command, worker)
        }
        worker.notes(command: -1)
        // A child ends before its parent.
        for index in worker.confined.keys.sorted(by: >) {
            let box = worker.confined.removeValue(forKey: index)
            withExtendedLifetime(box) {}
        }
        done.add(1, ordering: .acquiringAndReleasing)
    }

    /// `DI_FUZZ_TRACE` writes the seed of each round before it begins, for one that crashes.
    private static let isTraced = getenv("DI_FUZZ_TRACE") != nil

    /// `DI_FUZZ_ONLY` plays only programs that have all of some features, and with a minus none of others.
    private static func isWanted(_ program: FuzzProgram) -> Bool {
        wanted.allSatisfy { name in
            name.first == "-" ? !program.features.contains(String(name.dropFirst())) : program.features.contains(name)
        }
    }

    private static let wanted =
        getenv("DI_FUZZ_ONLY").map { String(cString: $0).split(separator: " ").map(String.init) } ?? []

    // MARK: The watchdog

    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private func watch() {
        while !isOver.load(ordering: .acquiring) {
            usleep(20_000)
            guard let round = watched.withLock({ $0 }) else { continue }
            guard FuzzRunner.now - beginning.load(ordering: .relaxed) > 20_000_000_000 else { continue }
            let positions = workers.prefix(round.program.scripts.count).map(\.position).joined(separator: "\n")
            print(
                """
                FUZZ: a thread waits for ever. Repeat it with DI_STRESS_SEED=\(round.program.seed) \
                DI_FUZZ_THREADS=\(round.program.scripts.count)
                \(positions)
                \(round.program.description)
                \(ledger.summary)
                \(ledger.report)
                """
            )
            fflush(nil)
            exit(86)
        }
    }
}

extension FuzzRound {
    fileprivate func perform(_ command: FuzzCommand, _ worker: FuzzWorker) {
        switch command {
        case .request(let service, let index, let form):
            guard let box = container(index, worker) else { return }
            worker.count(.requests)
            worker.graph = newGraph()
            guard case .items(let items)? = try? ask(service, form, from: box, index, worker) else { return }
            checkFinished(items, "\(form) of \(service) from container \(index)", worker)
            worker.results += items
        case .act(let action): perform(action)
        case .openKept:
            for item in worker.results {
                for wrapper in item.wrappers.withLock({ $0 }) {
                    worker.count(.requests)
                    guard let found = try? open(wrapper, item.trace.context, worker) else { continue }
                    checkFinished([found], "a wrapper in \(item.trace.entry)@\(item.trace.context)", worker)
                    worker.results.append(found)
                }
            }
        case .dropResults: worker.dropResults()
        case .pause: worker.pause()
        }
    }
}
