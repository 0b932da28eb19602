// The objects that the cases build. All are classes behind protocols, as services mostly are; what a case is compared
// with constructs the same objects.

protocol Leaf: AnyObject, Sendable { var number: Int { get } }
final class LeafService: Leaf { let number = 1 }

/// A protocol that structs could conform to: its existential has another layout.
protocol OpenLeaf: Sendable { var number: Int { get } }
final class OpenLeafService: OpenLeaf { let number = 1 }

/// What nobody registers.
protocol Absent: AnyObject {}

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

/// What is registered by an initializer with two parameters.
protocol Top: AnyObject, Sendable {}
final class TopService: Top {
    let leaf: any Leaf
    let other: any OpenLeaf
    init(_ leaf: any Leaf, _ other: any OpenLeaf) {
        self.leaf = leaf
        self.other = other
    }
}

protocol Quad: AnyObject { var sum: Int { get } }
final class QuadService: Quad {
    let first: Int
    let second: Int
    let third: Int
    let fourth: Int
    init(_ first: Int, _ second: Int, _ third: Int, _ fourth: Int) {
        self.first = first
        self.second = second
        self.third = third
        self.fourth = fourth
    }
    var sum: Int { first + second + third + fourth }
}

/// One half of a circular pair; it is made of the other half, which is told of it afterwards.
protocol Screen: AnyObject {}
protocol Presenter: AnyObject { var screen: (any Screen)? { get set } }
final class ScreenService: Screen {
    let presenter: any Presenter
    init(_ presenter: any Presenter) { self.presenter = presenter }
}
final class PresenterService: Presenter { weak var screen: (any Screen)? }
