import DICore
import DIScopes
import DITestSupport
import DITesting
import Testing

@Suite("Conformance: storages")
struct StorageConformanceTests {
    final class FiveLines: InstanceStorage {
        var instance: Any?
    }

    @Test("Our own storages and the smallest one of a stranger keep the promises")
    func ours() {
        StorageConformance { PermanentStorage() }.check()
        StorageConformance { FiveLines() }.check()
        StorageConformance { ExpiringStorage(lifetime: .seconds(3600), clock: ContinuousClock()) }.check()
        StorageConformance(.whileHeld) { WeakStorage() }.check()
        StorageConformance(.inGraph) { GraphStorage() }.check()
        StorageConformance(.none) { TransientStorage() }.check()
        StorageConformance { CompositeStorage([WeakStorage(), PermanentStorage()]) }.check()
        StorageConformance { CompositeStorage([GraphStorage(), FiveLines()]) }.check()
        StorageConformance(.whileHeld) { CompositeStorage([GraphStorage(), WeakStorage()]) }.check()
        StorageConformance(.none) { CompositeStorage([]) }.check()
    }

    // MARK: Broken ones

    /// Two that are made share what they keep.
    final class Common: InstanceStorage {
        final class Shelf { var instance: Any? }
        let shelf: Shelf
        init(_ shelf: Shelf) { self.shelf = shelf }
        var instance: Any? {
            get { shelf.instance }
            set { shelf.instance = newValue }
        }
    }

    /// Keeps the first instance for ever.
    final class Stubborn: InstanceStorage {
        private var kept: Any?
        var instance: Any? {
            get { kept }
            set { kept = kept ?? newValue }
        }
    }

    /// Forgets when the graph is over.
    final class Forgetful: InstanceStorage {
        var instance: Any?
        func graphResolutionCompleted() { instance = nil }
    }

    /// Keeps what is built apart from what is put in.
    final class Split: InstanceStorage {
        var instance: Any?
        private var built: Any?
        func instance(inGraph graph: GraphIdentifier) -> Any? { built }
        func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) { built = instance }
    }

    /// Says that it holds nothing, and holds.
    final class Denying: InstanceStorage {
        var instance: Any?
        var keepsInstances: Bool { false }
    }

    /// Makes a cell at each call.
    final class Celled: InstanceStorage {
        var instance: Any?
        var sharedCell: InstanceCell? { InstanceCell() }
    }

    /// Has a cell and does not use it.
    final class Aside: InstanceStorage {
        var instance: Any?
        let sharedCell: InstanceCell? = InstanceCell()
    }

    /// Keeps objects alone.
    final class Fussy: InstanceStorage {
        private var kept: Any?
        var instance: Any? {
            get { kept }
            set { kept = newValue.flatMap(ObjectReference.object(in:)) }
        }
    }

    struct Broken: Sendable, CustomStringConvertible {
        /// The name of its golden text.
        let description: String
        let retention: StorageConformance.Retention
        let make: @Sendable () -> any InstanceStorage

        init(
            _ description: String,
            _ retention: StorageConformance.Retention = .untilReset,
            _ make: @escaping @Sendable () -> any InstanceStorage
        ) {
            self.description = description
            self.retention = retention
            self.make = make
        }
    }

    static let brokenOnes: [Broken] = [
        Broken("storage-forgets-with-the-graph") { Forgetful() },
        Broken("storage-keeps-the-first") { Stubborn() },
        Broken("storage-keeps-apart") { Split() },
        Broken("storage-denies-holding") { Denying() },
        Broken("storage-holds-what-is-held-elsewhere", .whileHeld) { FiveLines() },
        Broken("storage-makes-cells") { Celled() },
        Broken("storage-ignores-its-cell") { Aside() },
        Broken("storage-keeps-no-values") { Fussy() },
        Broken("storage-keeps-nothing") { TransientStorage() },
        Broken("storage-keeps-beyond-the-graph", .inGraph) { FiveLines() },
        Broken("storage-keeps-although-transient", .none) { FiveLines() },
    ]

    @Test("One that breaks a promise is caught", arguments: brokenOnes)
    func caught(broken: Broken) {
        let found = failures { StorageConformance(broken.retention, makeStorage: broken.make).check() }
        #expect(found.count == 1)
        Golden.expect(broken.description, found.map(\.text).joined())
    }

    @Test("Storages that share are caught, at the line of the check")
    func common() {
        let shelf = Common.Shelf()
        let line = #line + 1
        let found = failures { StorageConformance { Common(shelf) }.check() }
        #expect(found.map(\.line) == [line])
        Golden.expect("storage-shares", found.map(\.text).joined())
    }
}
