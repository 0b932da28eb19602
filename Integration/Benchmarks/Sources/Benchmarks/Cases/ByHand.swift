// Construction by hand, behind a function that is not inlined: a program that wires itself has its services made in other
// modules.

@inline(never)
private func makeLeaf() -> any Leaf { LeafService() }

@inline(never)
private func makeOpenLeaf() -> any OpenLeaf { OpenLeafService() }

@inline(never)
func makePair(_ left: Int, _ right: Int) -> any Pair { PairService(left, right) }

@inline(never)
private func makeQuad(_ first: Int, _ second: Int, _ third: Int, _ fourth: Int) -> any Quad {
    QuadService(first, second, third, fourth)
}

@inline(never)
private func makePresenter() -> any Presenter { PresenterService() }

@inline(never)
private func makeScreen() -> any Screen {
    let presenter = makePresenter()
    let screen = ScreenService(presenter)
    presenter.screen = screen
    return screen
}

@inline(never)
private func makeTen() -> [any Leaf] {
    [
        makeLeaf(), makeLeaf(), makeLeaf(), makeLeaf(), makeLeaf(),
        makeLeaf(), makeLeaf(), makeLeaf(), makeLeaf(), makeLeaf(),
    ]
}

/// What is constructed again and again. All loops are in one function, as those of `Request` are.
private enum Construction {
    case leaf, openLeaf, pair, quad, screen, ten, chain, links, tree

    @inline(never)
    func run(_ count: Int) {
        switch self {
        case .leaf:
            for _ in 0..<count { use(makeLeaf()) }
        case .openLeaf:
            for _ in 0..<count { use(makeOpenLeaf().number == 2 ? kept : nil) }
        case .pair:
            for number in 0..<count { use(makePair(number, 2)) }
        case .quad:
            for number in 0..<count { use(makeQuad(number, 2, 3, 4)) }
        case .screen:
            for _ in 0..<count { use(makeScreen()) }
        case .ten:
            for _ in 0..<count { use(makeTen().last) }
        case .chain:
            for _ in 0..<count { use(makeChain()) }
        case .links:
            for _ in 0..<count { use(makeLinks()) }
        case .tree:
            for _ in 0..<count { use(makeTree()) }
        }
    }
}

private let kept: any Leaf = LeafService()

extension Case {
    static var byHand: [Case] {
        func test(_ name: String, _ construction: Construction, count: Int = 400) -> Case {
            // Containers are of no matter here.
            Case(name, sizes: [0, 0], role: .reference) { measurement in
                measurement.loop(count: count) { construction.run($0) }
            }
        }
        return [
            test("direct-leaf", .leaf),
            test("direct-open-leaf", .openLeaf),
            test("direct-pair", .pair),
            test("direct-quad", .quad),
            test("direct-circular-pair", .screen),
            test("direct-ten", .ten),
            test("direct-chain", .chain),
            test("direct-chain-100", .links, count: 50),
            test("direct-tree-100", .tree, count: 50),
        ]
    }
}
