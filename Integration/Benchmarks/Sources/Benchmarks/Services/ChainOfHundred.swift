// A chain of a hundred, each made of the one before.

import DICore

final class Link<Tens, Units> {
    let before: AnyObject?
    init(_ before: AnyObject?) { self.before = before }
}

typealias LastLink = Link<D9, D9>

/// Registers the first links of the chain, ten for each of the tens.
func registerLinks(in registrar: any SendableRegistrar, scope: UnsharedScope, tens: Int = 10) {
    registrar.registerUnshared(Link<D0, D0>.self, scope: scope) { _ in Link<D0, D0>(nil) }
    registerNine(D0.self, registrar, scope)
    if tens > 1 { registerTen(D1.self, after: D0.self, registrar, scope) }
    if tens > 2 { registerTen(D2.self, after: D1.self, registrar, scope) }
    if tens > 3 { registerTen(D3.self, after: D2.self, registrar, scope) }
    if tens > 4 { registerTen(D4.self, after: D3.self, registrar, scope) }
    if tens > 5 { registerTen(D5.self, after: D4.self, registrar, scope) }
    if tens > 6 { registerTen(D6.self, after: D5.self, registrar, scope) }
    if tens > 7 { registerTen(D7.self, after: D6.self, registrar, scope) }
    if tens > 8 { registerTen(D8.self, after: D7.self, registrar, scope) }
    if tens > 9 { registerTen(D9.self, after: D8.self, registrar, scope) }
}

@inline(__always)
private func registerTen<Tens: Digit, Before: Digit>(
    _ tens: Tens.Type,
    after: Before.Type,
    _ registrar: any SendableRegistrar,
    _ scope: UnsharedScope
) {
    register(Link<Tens, D0>.self, after: Link<Before, D9>.self, registrar, scope)
    registerNine(tens, registrar, scope)
}

@inline(__always)
private func registerNine<Tens: Digit>(
    _: Tens.Type,
    _ registrar: any SendableRegistrar,
    _ scope: UnsharedScope
) {
    register(Link<Tens, D1>.self, after: Link<Tens, D0>.self, registrar, scope)
    register(Link<Tens, D2>.self, after: Link<Tens, D1>.self, registrar, scope)
    register(Link<Tens, D3>.self, after: Link<Tens, D2>.self, registrar, scope)
    register(Link<Tens, D4>.self, after: Link<Tens, D3>.self, registrar, scope)
    register(Link<Tens, D5>.self, after: Link<Tens, D4>.self, registrar, scope)
    register(Link<Tens, D6>.self, after: Link<Tens, D5>.self, registrar, scope)
    register(Link<Tens, D7>.self, after: Link<Tens, D6>.self, registrar, scope)
    register(Link<Tens, D8>.self, after: Link<Tens, D7>.self, registrar, scope)
    register(Link<Tens, D9>.self, after: Link<Tens, D8>.self, registrar, scope)
}

@inline(__always)
private func register<Tens: Digit, Units: Digit, TensBefore: Digit, UnitsBefore: Digit>(
    _: Link<Tens, Units>.Type,
    after _: Link<TensBefore, UnitsBefore>.Type,
    _ registrar: any SendableRegistrar,
    _ scope: UnsharedScope
) {
    registrar.registerUnshared(Link<Tens, Units>.self, scope: scope) { r in
        Link<Tens, Units>(try r.require(Link<TensBefore, UnitsBefore>.self))
    }
}

func makeLinks() -> LastLink {
    let first: Link<D0, D0> = makeLink(nil)
    let second: Link<D1, D0> = makeLink(makeNine(first))
    let third: Link<D2, D0> = makeLink(makeNine(second))
    let fourth: Link<D3, D0> = makeLink(makeNine(third))
    let fifth: Link<D4, D0> = makeLink(makeNine(fourth))
    let sixth: Link<D5, D0> = makeLink(makeNine(fifth))
    let seventh: Link<D6, D0> = makeLink(makeNine(sixth))
    let eighth: Link<D7, D0> = makeLink(makeNine(seventh))
    let ninth: Link<D8, D0> = makeLink(makeNine(eighth))
    return makeNine(makeLink(makeNine(ninth)))
}

@inline(__always)
private func makeNine<Tens>(_ first: Link<Tens, D0>) -> Link<Tens, D9> {
    let second: Link<Tens, D1> = makeLink(first)
    let third: Link<Tens, D2> = makeLink(second)
    let fourth: Link<Tens, D3> = makeLink(third)
    let fifth: Link<Tens, D4> = makeLink(fourth)
    let sixth: Link<Tens, D5> = makeLink(fifth)
    let seventh: Link<Tens, D6> = makeLink(sixth)
    let eighth: Link<Tens, D7> = makeLink(seventh)
    let ninth: Link<Tens, D8> = makeLink(eighth)
    return makeLink(ninth)
}

@inline(never)
private func makeLink<Tens, Units>(_ before: AnyObject?) -> Link<Tens, Units> { Link(before) }
