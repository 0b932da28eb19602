import DICore
import DIThreadSafe

/// One operation whose cost is measured.
struct Case {
    let name: String

    /// The case that makes the same objects by hand, and that the cost is compared with.
    let direct: String?

    /// How many registrations the containers have, one measurement each. Where a key lies in the table of registrations
    /// depends on the addresses of types, which move with every change of the code. In one of several tables all keys lie
    /// where they are looked for first, or nearly all; the cheapest measurement is of that one.
    let sizes: [Int]

    /// Whether the operation makes those objects, or gives one that is there already, or none.
    let makesObjects: Bool

    let role: Role

    let run: (Measurement) -> Void

    init(
        _ name: String,
        over direct: String? = nil,
        makesObjects: Bool = true,
        sizes: [Int] = Case.usualSizes,
        role: Role = .gated,
        run: @escaping (Measurement) -> Void
    ) {
        self.name = name
        self.direct = direct
        self.sizes = sizes
        self.makesObjects = makesObjects
        self.role = role
        self.run = run
    }

    enum Role: String {
        /// What the framework does. May not become dearer than it was.
        case gated
        /// The same in a size at which it takes long, and tells little that a smaller one does not.
        case large
        /// What others are compared with.
        case reference
        /// What runs on several threads: its instructions are not counted.
        case timed
    }

    static let usualSizes = [100, 25, 400, 1600]
}

extension Case {
    /// Every case; each begins with nothing made.
    static var all: [Case] {
        byHand + withDictionaries
            + resolving(from: Container.self, prefix: "")
            + resolving(from: ThreadSafeContainer.self, prefix: "shared-")
            + injected
            + registering(in: Container.self, prefix: "")
            + registering(in: ThreadSafeContainer.self, prefix: "shared-")
            + validating(Container.self, prefix: "")
            + validating(ThreadSafeContainer.self, prefix: "shared-")
            + onThreads
    }
}
