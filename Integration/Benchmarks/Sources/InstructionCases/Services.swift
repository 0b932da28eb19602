// The objects that the cases build, and their registrations.

import DICore
import DIScopes
import DIThreadSafe

protocol SharedLeaf: AnyObject, Sendable {}
final class SharedLeafService: SharedLeaf {}

protocol Leaf: AnyObject { var number: Int { get } }
final class LeafService: Leaf { let number = 1 }

/// A protocol that structs could conform to: its existential has another layout.
protocol OpenLeaf { var number: Int { get } }
final class OpenLeafService: OpenLeaf { let number = 1 }

protocol Pair: AnyObject { var sum: Int { get } }
final class PairService: Pair {
    let left: Int
    let right: Int
    init(_ left: Int, _ right: Int) {
        self.left = left
        self.right = right
    }
    var sum: Int { left + right }
}

protocol Absent: AnyObject {}

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
final class S2: C2 { let d: any C1; init(_ d: any C1) { self.d = d } }
final class S3: C3 { let d: any C2; init(_ d: any C2) { self.d = d } }
final class S4: C4 { let d: any C3; init(_ d: any C3) { self.d = d } }
final class S5: C5 { let d: any C4; init(_ d: any C4) { self.d = d } }
final class S6: C6 { let d: any C5; init(_ d: any C5) { self.d = d } }
final class S7: C7 { let d: any C6; init(_ d: any C6) { self.d = d } }
final class S8: C8 { let d: any C7; init(_ d: any C7) { self.d = d } }
final class S9: C9 { let d: any C8; init(_ d: any C8) { self.d = d } }
final class S10: C10 { let d: any C9; init(_ d: any C9) { self.d = d } }

func registerChain(in container: Container, scope: any ObjectScopeProtocol) {
    container.register((any C1).self, scope: scope) { _ in S1() }
    container.register((any C2).self, scope: scope) { r in S2(try r.require((any C1).self)) }
    container.register((any C3).self, scope: scope) { r in S3(try r.require((any C2).self)) }
    container.register((any C4).self, scope: scope) { r in S4(try r.require((any C3).self)) }
    container.register((any C5).self, scope: scope) { r in S5(try r.require((any C4).self)) }
    container.register((any C6).self, scope: scope) { r in S6(try r.require((any C5).self)) }
    container.register((any C7).self, scope: scope) { r in S7(try r.require((any C6).self)) }
    container.register((any C8).self, scope: scope) { r in S8(try r.require((any C7).self)) }
    container.register((any C9).self, scope: scope) { r in S9(try r.require((any C8).self)) }
    container.register((any C10).self, scope: scope) { r in S10(try r.require((any C9).self)) }
}

/// Makes the registry as large as asked, with keys that no case asks for.
func fill(_ container: Container, to count: Int) {
    for number in 0..<max(0, count) {
        container.register(Int.self, name: "filler-\(number)") { _ in number }
    }
}

func registerChain(in container: ThreadSafeContainer, scope: UnsharedScope) {
    container.registerUnshared((any C1).self, scope: scope) { _ in S1() }
    container.registerUnshared((any C2).self, scope: scope) { r in S2(try r.require((any C1).self)) }
    container.registerUnshared((any C3).self, scope: scope) { r in S3(try r.require((any C2).self)) }
    container.registerUnshared((any C4).self, scope: scope) { r in S4(try r.require((any C3).self)) }
    container.registerUnshared((any C5).self, scope: scope) { r in S5(try r.require((any C4).self)) }
    container.registerUnshared((any C6).self, scope: scope) { r in S6(try r.require((any C5).self)) }
    container.registerUnshared((any C7).self, scope: scope) { r in S7(try r.require((any C6).self)) }
    container.registerUnshared((any C8).self, scope: scope) { r in S8(try r.require((any C7).self)) }
    container.registerUnshared((any C9).self, scope: scope) { r in S9(try r.require((any C8).self)) }
    container.registerUnshared((any C10).self, scope: scope) { r in S10(try r.require((any C9).self)) }
}

func fill(_ container: ThreadSafeContainer, to count: Int) {
    for number in 0..<max(0, count) {
        container.register(Int.self, name: "filler-\(number)") { _ in number }
    }
}
