// How much more two threads get done than one, for direct construction and for a container that both use.
//
// Each case runs for the same number of operations on one thread, then on two at once, several times; the best of each
// counts. A perfect machine gives 2 for what shares nothing. What a container may cost is judged against what direct
// construction gives in the same run, and for one shared object against bare retain and release of it.

import DICore
import DIScopes
import DIThreadSafe
import Dispatch
import Synchronization

protocol Leaf: AnyObject {}
final class LeafService: Leaf {}

protocol Shared: AnyObject, Sendable {}
final class SharedService: Shared {}

final class Box<Value>: @unchecked Sendable {
    // Unchecked: written before the threads begin.
    var value: Value
    init(_ value: Value) { self.value = value }
}

@inline(never)
@_optimize(none)
func use(_ object: AnyObject?) {}

/// Retains; the caller releases.
@inline(never)
func retained(_ object: any Shared) -> any Shared { object }

@inline(never)
func makeLeaf() -> any Leaf { LeafService() }

/// A chain of ten, each made of the next.
final class Link {
    let next: Link?
    init(_ next: Link?) { self.next = next }
}

@inline(never)
func makeLink(_ next: Link?) -> Link { Link(next) }

func makeChain() -> Link {
    var link = makeLink(nil)
    for _ in 0..<9 { link = makeLink(link) }
    return link
}

protocol C1: AnyObject {}
protocol C2: AnyObject {}
protocol C3: AnyObject {}
protocol C4: AnyObject {}
protocol C5: AnyObject {}
protocol C6: AnyObject {}
protocol C7: AnyObject {}
protocol C8: AnyObject {}
protocol C9: AnyObject {}
protocol C10: AnyObject {}
final class S1: C1 {}
final class S2: C2 { let next: any C1; init(_ next: any C1) { self.next = next } }
final class S3: C3 { let next: any C2; init(_ next: any C2) { self.next = next } }
final class S4: C4 { let next: any C3; init(_ next: any C3) { self.next = next } }
final class S5: C5 { let next: any C4; init(_ next: any C4) { self.next = next } }
final class S6: C6 { let next: any C5; init(_ next: any C5) { self.next = next } }
final class S7: C7 { let next: any C6; init(_ next: any C6) { self.next = next } }
final class S8: C8 { let next: any C7; init(_ next: any C7) { self.next = next } }
final class S9: C9 { let next: any C8; init(_ next: any C8) { self.next = next } }
final class S10: C10 { let next: any C9; init(_ next: any C9) { self.next = next } }

let container = ThreadSafeContainer()
container.registerUnshared((any Leaf).self, scope: .transient) { _ in LeafService() }
for name in ["0", "1"] { container.register((any Shared).self, name: name, scope: .container) { _ in SharedService() } }
container.register((any Shared).self, scope: .container) { _ in SharedService() }
container.registerUnshared((any C1).self) { _ in S1() }
container.registerUnshared((any C2).self) { r in S2(try r.require((any C1).self)) }
container.registerUnshared((any C3).self) { r in S3(try r.require((any C2).self)) }
container.registerUnshared((any C4).self) { r in S4(try r.require((any C3).self)) }
container.registerUnshared((any C5).self) { r in S5(try r.require((any C4).self)) }
container.registerUnshared((any C6).self) { r in S6(try r.require((any C5).self)) }
container.registerUnshared((any C7).self) { r in S7(try r.require((any C6).self)) }
container.registerUnshared((any C8).self) { r in S8(try r.require((any C7).self)) }
container.registerUnshared((any C9).self) { r in S9(try r.require((any C8).self)) }
container.registerUnshared((any C10).self) { r in S10(try r.require((any C9).self)) }
let one: any Shared = SharedService()
let own: [any Shared] = [SharedService(), SharedService()]

struct Case {
    let name: String
    /// What two threads would get done if the container cost nothing.
    let against: String?
    let atLeast: Double
    let count: Int
    let body: @Sendable (_ thread: Int, _ count: Int) -> Void
}

let shared = Box(container)
let cases = [
    Case(name: "direct leaf", against: nil, atLeast: 0, count: 4_000_000) { _, count in
        for _ in 0..<count { use(makeLeaf()) }
    },
    Case(name: "direct chain", against: nil, atLeast: 0, count: 400_000) { _, count in
        for _ in 0..<count { use(makeChain()) }
    },
    Case(name: "bare retain and release of one object", against: nil, atLeast: 0, count: 4_000_000) { [one] _, count in
        for _ in 0..<count { use(retained(one)) }
    },
    Case(name: "transient leaf", against: "direct leaf", atLeast: 0.9, count: 4_000_000) { _, count in
        let container = shared.value
        for _ in 0..<count { use(container.resolve((any Leaf).self)) }
    },
    Case(name: "chain of ten, graph", against: "direct chain", atLeast: 0.9, count: 400_000) { _, count in
        let container = shared.value
        for _ in 0..<count { use(container.resolve((any C10).self)) }
    },
    Case(name: "different singletons", against: "direct leaf", atLeast: 0.9, count: 4_000_000) { thread, count in
        let container = shared.value
        let name = "\(thread)"
        for _ in 0..<count { use(container.resolve((any Shared).self, name: name)) }
    },
    Case(name: "the same singleton", against: "bare retain and release of one object", atLeast: 0.8, count: 4_000_000) {
        _,
        count in
        let container = shared.value
        for _ in 0..<count { use(container.resolve((any Shared).self)) }
    },
]

/// The operations a second of so many threads, each doing all of them.
func throughput(_ threads: Int, _ test: Case) -> Double {
    let start = ContinuousClock.now
    DispatchQueue.concurrentPerform(iterations: threads) { test.body($0, test.count) }
    let time = start.duration(to: .now)
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
    return Double(threads * test.count) / seconds
}

var ratios: [String: Double] = [:]
for test in cases {
    var best = (one: 0.0, two: 0.0)
    for _ in 0..<9 {
        best.one = max(best.one, throughput(1, test))
        best.two = max(best.two, throughput(2, test))
    }
    let ratio = best.two / best.one
    ratios[test.name] = ratio
    func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
    var line = "\(test.name): \(text(ratio)) times one thread (\(text(1e9 / best.one)) ns an operation)"
    if let against = test.against, let base = ratios[against] {
        let share = ratio / base
        line += ", \(text(share)) of \(against) (wanted \(test.atLeast))"
    }
    print(line)
}
