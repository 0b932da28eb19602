#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What makes one case dearer, so that the gate can be seen to fail. Where nothing is planted, nothing of it runs.
enum Plant: String {
    case work, allocation

    /// What the environment asks for in `DI_PLANT`.
    static var wanted: Plant? { getenv("DI_PLANT").flatMap { Plant(rawValue: String(cString: $0)) } }
}
