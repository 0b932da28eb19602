// A chain of ten, each made of the one before.

import DICore

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

func registerChain(in registrar: any SendableRegistrar, scope: UnsharedScope) {
    registrar.registerUnshared((any C1).self, scope: scope) { _ in S1() }
    registrar.registerUnshared((any C2).self, scope: scope) { r in S2(try r.require((any C1).self)) }
    registrar.registerUnshared((any C3).self, scope: scope) { r in S3(try r.require((any C2).self)) }
    registrar.registerUnshared((any C4).self, scope: scope) { r in S4(try r.require((any C3).self)) }
    registrar.registerUnshared((any C5).self, scope: scope) { r in S5(try r.require((any C4).self)) }
    registrar.registerUnshared((any C6).self, scope: scope) { r in S6(try r.require((any C5).self)) }
    registrar.registerUnshared((any C7).self, scope: scope) { r in S7(try r.require((any C6).self)) }
    registrar.registerUnshared((any C8).self, scope: scope) { r in S8(try r.require((any C7).self)) }
    registrar.registerUnshared((any C9).self, scope: scope) { r in S9(try r.require((any C8).self)) }
    registrar.registerUnshared((any C10).self, scope: scope) { r in S10(try r.require((any C9).self)) }
}

@inline(never) func makeChain() -> any C10 { S10(make9()) }
@inline(never) private func make9() -> any C9 { S9(make8()) }
@inline(never) private func make8() -> any C8 { S8(make7()) }
@inline(never) private func make7() -> any C7 { S7(make6()) }
@inline(never) private func make6() -> any C6 { S6(make5()) }
@inline(never) private func make5() -> any C5 { S5(make4()) }
@inline(never) private func make4() -> any C4 { S4(make3()) }
@inline(never) private func make3() -> any C3 { S3(make2()) }
@inline(never) private func make2() -> any C2 { S2(make1()) }
@inline(never) private func make1() -> any C1 { S1() }
