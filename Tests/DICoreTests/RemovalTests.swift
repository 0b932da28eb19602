import DICore
import DIScopes
import Testing

/// Code of the user that removes the entry which is being built, and what an entry holds when it goes.
@Suite("Entries that are removed while they are used")
struct RemovalTests {
    private final class Part {}

    private final class Whole {
        let farewell: () -> Void
        init(_ farewell: @escaping () -> Void) { self.farewell = farewell }
        deinit { farewell() }
    }

    @Test("T7: a deinit resolves while an entry goes that was removed by its own callback")
    func deinitOfRemoved() throws {
        let container = Container()
        var resolved = 0
        container.register(Part.self, scope: .container) { _ in Part() }
        for _ in 0..<100 {
            container.register(Whole.self, scope: .container) { [unowned container] _ in
                Whole {
                    resolved += 1
                    // Its end comes to the list of removed entries again.
                    _ = container.withObjectGraph(GraphIdentifier()) { $0.resolve(Part.self) }
                }
            }
            .initCompleted { [unowned container] _, _ in container.remove(Whole.self) }
            try container.withObjectGraph(GraphIdentifier()) { _ = try $0.require(Whole.self) }
        }
        #expect(resolved == 100)
    }

    /// Drops what it has when it is asked, and has nothing then.
    private final class Dropping: InstanceStorage {
        private var kept: Any?
        var instance: Any? {
            get {
                let dropped = kept
                kept = nil
                withExtendedLifetime(dropped) {}
                return nil
            }
            set { kept = newValue }
        }
    }

    private static let dropping = ObjectScope(storageFactory: Dropping.init, description: "dropping")

    @Test("T7: a deinit in a storage removes the entry that is being asked for, and that one is built all the same")
    func removedByStorage() throws {
        let container = Container()
        var made = 0
        for round in 0..<100 {
            container.register(Whole.self, scope: RemovalTests.dropping) { [unowned container] _ in
                made += 1
                return Whole { container.remove(Whole.self) }
            }
            var first: Whole? = try container.require(Whole.self)
            first = nil
            #expect(first == nil)
            // Its storage lets the first one go, which removes the entry.
            let second = try container.require(Whole.self)
            #expect(made == 2 * (round + 1))
            #expect(container.resolve(Whole.self) == nil)
            withExtendedLifetime(second) {}
        }
    }

    /// Runs a closure the next time that it is asked.
    private final class Asked: InstanceStorage {
        nonisolated(unsafe) static var next: (() -> Void)?
        private var kept: Any?
        var instance: Any? {
            get {
                let next = Asked.next
                Asked.next = nil
                next?()
                return kept
            }
            set { kept = newValue }
        }
    }

    private static let asked = ObjectScope(storageFactory: Asked.init, description: "asked")

    @Test("T7: so it is where the storage of an unrelated frame is asked for the cycle rule")
    func removedDuringTheCycleRule() {
        let container = Container()
        let captured = [Int](repeating: 7, count: 100)
        container.register(Part.self, scope: RemovalTests.asked) { _ in Part() }.initCompleted { r, _ in
            Asked.next = { [unowned container] in container.remove(Whole.self) }
            #expect(r.resolve(Whole.self) != nil)
        }
        // One of them has the same counter as the entry of the part.
        for _ in 0..<300 {
            Asked.next = nil
            container.resetObjectScope(RemovalTests.asked)
            container.register(Whole.self, scope: .transient) { _ in
                #expect(captured.count == 100)
                return Whole {}
            }
            #expect(container.resolve(Part.self) != nil)
        }
    }

    private struct Removing: ServiceKeyOption {
        nonisolated(unsafe) static var next: (() -> Void)?
        let number: Int
        var description: String { "\(number)" }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
        static func == (left: Removing, right: Removing) -> Bool {
            let next = next
            Removing.next = nil
            next?()
            return left.number == right.number
        }
    }

    @Test("T7: an option whose == removes the registration is not found")
    func removedByAnOption() {
        let container = Container()
        let key = ServiceKey(serviceType: Part.self, option: Removing(number: 1))
        container.register(Part.self, option: Removing(number: 1), scope: .transient) { _ in Part() }
        Removing.next = { container.remove(ServiceKey(serviceType: Part.self, option: Removing(number: 1))) }
        #expect(container.locate(key).entry == nil)
    }

    @Test(
        "T11: a deinit that runs because of a reset or a removal inside of a factory fails alone",
        arguments: [true, false]
    )
    func deinitInsideAFactory(isReset: Bool) throws {
        let container = Container()
        container.register(Whole.self, scope: .container) { [unowned container] _ in
            Whole { #expect(container.resolve(Part.self) == nil) }
        }
        _ = try container.require(Whole.self)
        container.register(Part.self, scope: .perContainer) { [unowned container] _ in
            if isReset { container.resetObjectScope(.container) } else { container.remove(Whole.self) }
            return Part()
        }
        #expect(try container.require(Part.self) === container.resolve(Part.self))
    }
}
