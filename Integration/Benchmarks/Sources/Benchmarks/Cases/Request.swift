import DICore
import DIWrappers

/// What is asked of a container, again and again.
///
/// The compiler makes one function of several in a file that differ in a few constants, and gives it those as parameters.
/// Of small functions with a loop each it would make one that calls through pointers what it resolves. Nobody's code is
/// like that, so all loops are in one function, and that is inlined in two files, one for each kind of container.
enum Request {
    case leaf, requireLeaf, namedLeaf, openLeaf, absent, requireAbsent
    case argument, twoArguments, fourArguments
    case chain, links, tree, screen
    case optional, lazy, all

    @inline(__always)
    func loop<Box: MeasuredContainer>(_ count: Int, in box: Box) {
        switch self {
        case .leaf:
            for _ in 0..<count { use(box.resolve((any Leaf).self)) }
        case .requireLeaf:
            for _ in 0..<count { use(try? box.require((any Leaf).self)) }
        case .namedLeaf:
            for _ in 0..<count { use(box.resolve((any Leaf).self, name: "oak")) }
        case .openLeaf:
            for _ in 0..<count { use(box.resolve((any OpenLeaf).self)?.number == 2 ? box : nil) }
        case .absent:
            for _ in 0..<count { use(box.resolve((any Absent).self)) }
        case .requireAbsent:
            for _ in 0..<count { use(try? box.require((any Absent).self)) }
        case .argument:
            for number in 0..<count { use(box.resolve((any Pair).self, argument: number)) }
        case .twoArguments:
            for number in 0..<count { use(box.resolve((any Pair).self, arguments: number, 2)) }
        case .fourArguments:
            for number in 0..<count { use(box.resolve((any Quad).self, arguments: number, 2, 3, 4)) }
        case .chain:
            for _ in 0..<count { use(box.resolve((any C10).self)) }
        case .links:
            for _ in 0..<count { use(box.resolve(LastLink.self)) }
        case .tree:
            for _ in 0..<count { use(box.resolve(Root.self)) }
        case .screen:
            for _ in 0..<count { use(box.resolve((any Screen).self)) }
        case .optional:
            for _ in 0..<count { use(box.resolve((any Leaf)?.self) ?? nil) }
        case .lazy:
            for _ in 0..<count { use(try? box.resolve(Lazy<any Leaf>.self)?.get()) }
        case .all:
            for _ in 0..<count { use(box.resolveAll((any Leaf).self).last) }
        }
    }
}
