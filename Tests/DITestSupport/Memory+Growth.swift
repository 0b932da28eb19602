#if canImport(Glibc)
internal import Glibc
#endif

/// How the resident size of the process grew while something was done many times.
public struct MemoryGrowth: Sendable, CustomStringConvertible {
    /// How often it was done.
    public let repetitions: Int

    /// The resident size after the warm-up.
    public let before: Int

    /// The resident size at the end.
    public let after: Int

    /// The growth for each repetition: the median of the growth over ten equal rounds.
    public let bytesPerRepetition: Double

    public var description: String {
        let before = before / 1024
        let after = after / 1024
        let hundredths = Int((bytesPerRepetition * 100).rounded())
        return "\(repetitions) times: \(before) KB before, \(after) KB after, \(hundredths)/100 bytes each"
    }
}

extension Memory {
    /// A million in release; fewer in debug, where each takes ten times as long.
    public static var manyTimes: Int {
        #if DEBUG
        200_000
        #else
        1_000_000
        #endif
    }

    /// Does something a thousand times to warm up, then many times, and says how the process grew.
    ///
    /// What is lost at each repetition makes every round grow alike, while what the system does besides falls into some
    /// rounds: hence the median, and a second and third attempt where the first shows growth. A leak shows in all.
    ///
    /// - Returns: nil where the system does not tell the resident size.
    public static func growth(
        over repetitions: Int = Memory.manyTimes,
        flatBelow limit: Double = 16,
        of body: (Int) throws -> Void
    ) rethrows -> MemoryGrowth? {
        var smallest: MemoryGrowth?
        for _ in 0..<3 {
            guard let growth = try measure(repetitions, body) else { return nil }
            if growth.bytesPerRepetition < smallest?.bytesPerRepetition ?? .infinity { smallest = growth }
            if growth.bytesPerRepetition < limit { break }
        }
        return smallest
    }

    /// What earlier tests have freed would otherwise be used again by a leak, which would then not be seen.
    private static func giveBackFreeMemory() {
        #if canImport(Glibc)
        // The module of the C library does not have it. Unsafe: this is its type in the manual.
        guard let address = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(address, to: (@convention(c) (Int) -> Int32).self)(0)
        #endif
    }

    private static func measure(_ repetitions: Int, _ body: (Int) throws -> Void) rethrows -> MemoryGrowth? {
        let rounds = 10
        let length = repetitions / rounds
        for number in 0..<1_000 { try body(number) }
        giveBackFreeMemory()
        guard let before = resident else { return nil }
        var last = before
        var growth: [Int] = []
        for round in 0..<rounds {
            for number in 0..<length { try body(round * length + number) }
            let now = resident ?? last
            growth.append(now - last)
            last = now
        }
        growth.sort()
        let median = Double(growth[rounds / 2 - 1] + growth[rounds / 2]) / 2
        return MemoryGrowth(
            repetitions: rounds * length,
            before: before,
            after: last,
            bytesPerRepetition: median / Double(length)
        )
    }
}
