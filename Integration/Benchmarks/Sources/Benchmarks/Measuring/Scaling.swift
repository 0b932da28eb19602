import Dispatch

/// How much more two threads get done than one, for direct construction and for a container that both use.
///
/// Each case runs for the same number of operations on one thread, then on two at once, several times; the best of each
/// counts. A perfect machine gives 2 for what shares nothing. What a container may cost is judged against what direct
/// construction gives in the same run, and for one shared object against bare retain and release of it.
enum Scaling {
    static func report() {
        var ratios: [String: Double] = [:]
        for test in ThreadCase.all {
            let count = test.name.contains("chain") ? 400_000 : 4_000_000
            var best = (one: 0.0, two: 0.0)
            for _ in 0..<9 {
                best.one = max(best.one, throughput(1, count, test))
                best.two = max(best.two, throughput(2, count, test))
            }
            let ratio = best.two / best.one
            ratios[test.name] = ratio
            var line = "\(test.name): \(text(ratio)) times one thread (\(text(1e9 / best.one)) ns an operation)"
            if let against = test.against, let base = ratios[against.name] {
                line += ", \(text(ratio / base)) of \(against.name) (wanted \(against.share))"
            }
            print(line)
        }
    }

    private static func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

    /// The operations a second of so many threads, each doing all of them.
    private static func throughput(_ threads: Int, _ count: Int, _ test: ThreadCase) -> Double {
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: threads) { test.body($0, count) }
        let time = start.duration(to: .now).components
        return Double(threads * count) / (Double(time.seconds) + Double(time.attoseconds) * 1e-18)
    }
}
