import DICore
import DITestSupport
import Synchronization
import Testing

@Suite("Stress: Registry")
struct RegistryStressTests {
    struct Staying<Tag> {}
    enum One {}
    enum Two {}

    /// What was taken out, which the caller of a registry must keep until nobody can be reading it.
    private final class Removed: @unchecked Sendable {
        // Unchecked: the writer alone fills it, and it is read again when the threads have been joined.
        var entries: [AnyServiceEntry] = []

        func add(_ entry: AnyServiceEntry?) {
            if let entry { entries.append(entry) }
        }
    }

    private static func entry(_ name: String?) -> AnyServiceEntry {
        ServiceEntry<Int>.make(name: name, scope: ObjectScope.transient) { _ in 0 }.anyEntry
    }

    @Test("Readers find the keys that stay while a writer inserts, replaces and removes others and the table grows")
    func readersAndOneWriter() {
        let registry = Registry()
        var staying: [(key: ServiceKey, id: UInt)] = []
        func insert(_ entry: AnyServiceEntry) {
            registry.insert(entry)
            staying.append((entry.key, entry.id))
        }
        insert(Self.entry(nil))
        insert(ServiceEntry<Staying<One>>.make(scope: ObjectScope.transient) { _ in Staying() }.anyEntry)
        insert(ServiceEntry<Staying<Two>>.make(scope: ObjectScope.transient) { (_, _: Int) in Staying() }.anyEntry)
        for number in 0..<20 { insert(Self.entry("staying \(number)")) }

        let removed = Removed()
        let isDone = Atomic<Bool>(false)
        let wrong = Counter()
        let foundVolatile = Counter()
        let kept = staying
        withExtendedLifetime(removed) {
            Threads.hammer(4) { thread in
                if thread == 0 {
                    for number in 0..<4_000 {
                        registry.insert(Self.entry("volatile \(number)"))
                        removed.add(registry.insert(Self.entry("replaced \(number % 10)")))
                        if number % 2 == 0 {
                            removed.add(registry.remove(ServiceKey(Int.self, name: "volatile \(number)")))
                        }
                        if number % 8 == 0 {
                            registry.insert(
                                ServiceEntry<Int>.make(option: Contribution(), scope: ObjectScope.transient) { _ in 0 }
                                    .anyEntry
                            )
                        }
                    }
                    isDone.store(true, ordering: .sequentiallyConsistent)
                    return
                }
                var round = 0
                var isLastRound = false
                repeat {
                    // The last round begins when all has been written.
                    isLastRound = isDone.load(ordering: .sequentiallyConsistent)
                    for (key, id) in kept where registry.entry(for: key)?.id != id { wrong.add() }
                    let replaced = ServiceKey(Int.self, name: "replaced \(round % 10)")
                    if let entry = registry.entry(for: replaced) {
                        foundVolatile.add()
                        if entry.key != replaced { wrong.add() }
                    }
                    if registry.entry(for: ServiceKey(Int.self, name: "never")) != nil { wrong.add() }
                    round += 1
                } while !isLastRound
            }
        }
        #expect(wrong.value == 0)
        #expect(foundVolatile.value > 0)
        #expect(registry.entries.count == staying.count + 2_000 + 10 + 500)
        #expect(registry.contributions(to: Int.self).count == 500)
        #expect(removed.entries.count == 3_990 + 2_000)
    }

    @Test("Several writers at once lose no entry")
    func severalWriters() {
        let registry = Registry()
        Threads.hammer(4) { thread in
            for number in 0..<1_000 {
                registry.insert(Self.entry("\(thread)-\(number)"))
            }
        }
        #expect(registry.entries.count == 4_000)
        for thread in 0..<4 {
            for number in 0..<1_000 {
                let key = ServiceKey(Int.self, name: "\(thread)-\(number)")
                #expect(registry.entry(for: key)?.key == key)
            }
        }
        #expect(registry.removeAll().count == 4_000)
        #expect(registry.entries.isEmpty)
    }
}
