#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// How much the stress suites do. `DI_STRESS_LONG=1` asks for the longer form.
public enum Stress {
    public static let isLong = environment("DI_STRESS_LONG") != nil

    /// How often something is done: the second number in the longer form.
    public static func times(_ short: Int, long: Int) -> Int { isLong ? long : short }

    /// What a random test begins with: that of `DI_STRESS_SEED`, or another one each time.
    public static let seed: UInt64 = environment("DI_STRESS_SEED").flatMap { UInt64($0) } ?? .random(in: 1..<1_000_000)

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

/// Random numbers that a seed repeats.
public struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
