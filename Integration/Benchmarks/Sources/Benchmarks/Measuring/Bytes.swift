#if canImport(Glibc)
import Allocator
import DICore
import DIThreadSafe

/// What the allocator has given out, in bytes.
private func bytesInUse() -> Int {
    let info = mallinfo2()
    return Int(info.uordblks + info.hblkhd)
}

/// The memory that a registration occupies, by a closure that captures nothing, without a name.
///
/// The hundred links of a chain are registered, types that are known where this is compiled, in many containers. Such a
/// closure has no memory of its own, as it would if its type were made at run time. What an empty container occupies is
/// taken off. A hundred is a costly number, as the table of registrations has just grown; eighty is a cheap one.
///
/// What the runtime makes once in a process for each type that is registered is not part of it; it is shown apart.
struct Bytes {
    let name: String
    let bytes: Double

    static var all: [Bytes] {
        let types = growth { [registered(Container.self, tens: 10)] }
        return registration(Container.self, prefix: "", types)
            + registration(ThreadSafeContainer.self, prefix: "shared-", nil)
    }

    private static let containers = 200

    private static func registration<Box: MeasuredContainer>(_: Box.Type, prefix: String, _ first: Int?) -> [Bytes] {
        // The first of each kind, with what is made once in the process.
        _ = registered(Box.self, tens: 10)
        func containers(_ tens: Int) -> Double {
            Double(growth { (0..<Bytes.containers).map { _ in registered(Box.self, tens: tens) } })
                / Double(Bytes.containers)
        }
        let empty = containers(0)
        let eighty = containers(8) - empty
        let hundred = containers(10) - empty
        var all = [
            Bytes(name: prefix + "bytes-80", bytes: eighty / 80),
            Bytes(name: prefix + "bytes-100", bytes: hundred / 100),
        ]
        if let first {
            all.append(Bytes(name: prefix + "bytes-of-type", bytes: (Double(first) - empty - hundred) / 100))
        }
        return all
    }

    private static func registered<Box: MeasuredContainer>(_: Box.Type, tens: Int) -> Box {
        let box = Box.make()
        if tens > 0 { registerLinks(in: box.registering, scope: .graph, tens: tens) }
        return box
    }

    /// How much more is in use while what the body makes is alive. The array of it is taken off with the empty
    /// containers.
    private static func growth<Box: AnyObject>(_ make: () -> [Box]) -> Int {
        let before = bytesInUse()
        let made = make()
        let after = bytesInUse()
        return withExtendedLifetime(made) { after - before }
    }
}
#else
/// Asked of an allocator that says what it has given out; this system's does not.
struct Bytes {
    let name: String
    let bytes: Double

    static let all: [Bytes] = []
}
#endif
