import DICore
import DIScopes
import DIThreadSafe

/// Retains; the caller releases.
@inline(never)
private func retained(_ object: any Leaf) -> any Leaf { object }

/// What several threads do at once with one container, and what by hand.
struct ThreadCase {
    let name: String

    /// The one that does by hand what a container can do no better, and which share of what more threads bring to that
    /// is wanted of the container.
    let against: (name: String, share: Double)?

    let body: @Sendable (_ thread: Int, _ count: Int) -> Void

    static var all: [ThreadCase] {
        let container = ThreadSafeContainer()
        container.registerUnshared((any Pair).self, scope: .transient) { _ in PairService(1, 2) }
        for name in ["0", "1"] {
            container.register((any Leaf).self, name: name, scope: ObjectScope.container) { _ in LeafService() }
        }
        container.register((any Leaf).self, scope: ObjectScope.container) { _ in LeafService() }
        registerChain(in: container, scope: .graph)
        let one: any Leaf = LeafService()
        return [
            ThreadCase(name: "direct-pair", against: nil) { _, count in
                for _ in 0..<count { use(makePair(1, 2)) }
            },
            ThreadCase(name: "direct-chain", against: nil) { _, count in
                for _ in 0..<count { use(makeChain()) }
            },
            ThreadCase(name: "retain-one-object", against: nil) { _, count in
                for _ in 0..<count { use(retained(one)) }
            },
            ThreadCase(name: "transient-pair", against: ("direct-pair", 0.9)) { _, count in
                for _ in 0..<count { use(container.resolve((any Pair).self)) }
            },
            ThreadCase(name: "chain-graph", against: ("direct-chain", 0.9)) { _, count in
                for _ in 0..<count { use(container.resolve((any C10).self)) }
            },
            ThreadCase(name: "different-singletons", against: ("direct-pair", 0.9)) { thread, count in
                let name = "\(thread)"
                for _ in 0..<count { use(container.resolve((any Leaf).self, name: name)) }
            },
            ThreadCase(name: "one-singleton", against: ("retain-one-object", 0.8)) { _, count in
                for _ in 0..<count { use(container.resolve((any Leaf).self)) }
            },
        ]
    }
}

extension Case {
    static var onThreads: [Case] {
        [1, 2].flatMap { threads in
            ThreadCase.all.map { test in
                Case(
                    "threads-\(threads)-\(test.name)",
                    over: test.against.map { "threads-\(threads)-\($0.name)" },
                    sizes: [0],
                    role: .timed
                ) { $0.threads(threads, test.body) }
            }
        }
    }
}
