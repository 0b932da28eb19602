// A tree of a hundred objects: a root, nine branches, ninety twigs. A branch needs ten twigs of its own and the ten of the
// next branch, so each twig is shared by two, and a graph answers half of the requests for twigs.

import DICore

final class Twig<Tens, Units> {}

/// Ten twigs, side by side in the branch that has them.
struct Twigs<Tens> {
    let t0: Twig<Tens, D0>
    let t1: Twig<Tens, D1>
    let t2: Twig<Tens, D2>
    let t3: Twig<Tens, D3>
    let t4: Twig<Tens, D4>
    let t5: Twig<Tens, D5>
    let t6: Twig<Tens, D6>
    let t7: Twig<Tens, D7>
    let t8: Twig<Tens, D8>
    let t9: Twig<Tens, D9>
}

final class Branch<Own, Other> {
    let own: Twigs<Own>
    let other: Twigs<Other>
    init(_ own: Twigs<Own>, _ other: Twigs<Other>) {
        self.own = own
        self.other = other
    }
}

final class Root {
    let b1: Branch<D1, D2>
    let b2: Branch<D2, D3>
    let b3: Branch<D3, D4>
    let b4: Branch<D4, D5>
    let b5: Branch<D5, D6>
    let b6: Branch<D6, D7>
    let b7: Branch<D7, D8>
    let b8: Branch<D8, D9>
    let b9: Branch<D9, D1>

    init(
        _ b1: Branch<D1, D2>,
        _ b2: Branch<D2, D3>,
        _ b3: Branch<D3, D4>,
        _ b4: Branch<D4, D5>,
        _ b5: Branch<D5, D6>,
        _ b6: Branch<D6, D7>,
        _ b7: Branch<D7, D8>,
        _ b8: Branch<D8, D9>,
        _ b9: Branch<D9, D1>
    ) {
        self.b1 = b1
        self.b2 = b2
        self.b3 = b3
        self.b4 = b4
        self.b5 = b5
        self.b6 = b6
        self.b7 = b7
        self.b8 = b8
        self.b9 = b9
    }
}

func registerTree(in registrar: any SendableRegistrar) {
    registerBranch(D1.self, D2.self, registrar)
    registerBranch(D2.self, D3.self, registrar)
    registerBranch(D3.self, D4.self, registrar)
    registerBranch(D4.self, D5.self, registrar)
    registerBranch(D5.self, D6.self, registrar)
    registerBranch(D6.self, D7.self, registrar)
    registerBranch(D7.self, D8.self, registrar)
    registerBranch(D8.self, D9.self, registrar)
    registerBranch(D9.self, D1.self, registrar)
    registrar.registerUnshared(Root.self) { r in
        Root(
            try r.require(Branch<D1, D2>.self),
            try r.require(Branch<D2, D3>.self),
            try r.require(Branch<D3, D4>.self),
            try r.require(Branch<D4, D5>.self),
            try r.require(Branch<D5, D6>.self),
            try r.require(Branch<D6, D7>.self),
            try r.require(Branch<D7, D8>.self),
            try r.require(Branch<D8, D9>.self),
            try r.require(Branch<D9, D1>.self)
        )
    }
}

/// Registers a branch and the twigs of its own.
@inline(__always)
private func registerBranch<Own: Digit, Other: Digit>(
    _: Own.Type,
    _: Other.Type,
    _ registrar: any SendableRegistrar
) {
    registrar.registerUnshared(Twig<Own, D0>.self) { _ in Twig<Own, D0>() }
    registrar.registerUnshared(Twig<Own, D1>.self) { _ in Twig<Own, D1>() }
    registrar.registerUnshared(Twig<Own, D2>.self) { _ in Twig<Own, D2>() }
    registrar.registerUnshared(Twig<Own, D3>.self) { _ in Twig<Own, D3>() }
    registrar.registerUnshared(Twig<Own, D4>.self) { _ in Twig<Own, D4>() }
    registrar.registerUnshared(Twig<Own, D5>.self) { _ in Twig<Own, D5>() }
    registrar.registerUnshared(Twig<Own, D6>.self) { _ in Twig<Own, D6>() }
    registrar.registerUnshared(Twig<Own, D7>.self) { _ in Twig<Own, D7>() }
    registrar.registerUnshared(Twig<Own, D8>.self) { _ in Twig<Own, D8>() }
    registrar.registerUnshared(Twig<Own, D9>.self) { _ in Twig<Own, D9>() }
    registrar.registerUnshared(Branch<Own, Other>.self) { r in
        Branch<Own, Other>(
            Twigs<Own>(
                t0: try r.require(Twig<Own, D0>.self),
                t1: try r.require(Twig<Own, D1>.self),
                t2: try r.require(Twig<Own, D2>.self),
                t3: try r.require(Twig<Own, D3>.self),
                t4: try r.require(Twig<Own, D4>.self),
                t5: try r.require(Twig<Own, D5>.self),
                t6: try r.require(Twig<Own, D6>.self),
                t7: try r.require(Twig<Own, D7>.self),
                t8: try r.require(Twig<Own, D8>.self),
                t9: try r.require(Twig<Own, D9>.self)
            ),
            Twigs<Other>(
                t0: try r.require(Twig<Other, D0>.self),
                t1: try r.require(Twig<Other, D1>.self),
                t2: try r.require(Twig<Other, D2>.self),
                t3: try r.require(Twig<Other, D3>.self),
                t4: try r.require(Twig<Other, D4>.self),
                t5: try r.require(Twig<Other, D5>.self),
                t6: try r.require(Twig<Other, D6>.self),
                t7: try r.require(Twig<Other, D7>.self),
                t8: try r.require(Twig<Other, D8>.self),
                t9: try r.require(Twig<Other, D9>.self)
            )
        )
    }
}

func makeTree() -> Root {
    let w1: Twigs<D1> = makeTwigs()
    let w2: Twigs<D2> = makeTwigs()
    let w3: Twigs<D3> = makeTwigs()
    let w4: Twigs<D4> = makeTwigs()
    let w5: Twigs<D5> = makeTwigs()
    let w6: Twigs<D6> = makeTwigs()
    let w7: Twigs<D7> = makeTwigs()
    let w8: Twigs<D8> = makeTwigs()
    let w9: Twigs<D9> = makeTwigs()
    return Root(
        makeBranch(w1, w2),
        makeBranch(w2, w3),
        makeBranch(w3, w4),
        makeBranch(w4, w5),
        makeBranch(w5, w6),
        makeBranch(w6, w7),
        makeBranch(w7, w8),
        makeBranch(w8, w9),
        makeBranch(w9, w1)
    )
}

@inline(__always)
private func makeTwigs<Tens>() -> Twigs<Tens> {
    Twigs(
        t0: makeTwig(),
        t1: makeTwig(),
        t2: makeTwig(),
        t3: makeTwig(),
        t4: makeTwig(),
        t5: makeTwig(),
        t6: makeTwig(),
        t7: makeTwig(),
        t8: makeTwig(),
        t9: makeTwig()
    )
}

@inline(never)
private func makeTwig<Tens, Units>() -> Twig<Tens, Units> { Twig() }

@inline(never)
private func makeBranch<Own, Other>(_ own: Twigs<Own>, _ other: Twigs<Other>) -> Branch<Own, Other> {
    Branch(own, other)
}
