import DICore
import DIScopes
import DIThreadSafe
import DIWrappers

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

func exit(withStatus status: Int32) -> Never { exit(status) }

/// Keeps a result alive and unknown to the optimizer.
@inline(never)
@_optimize(none)
func use(_ object: AnyObject?) {}

@inline(never)
func makeLeaf() -> any Leaf { LeafService() }

@inline(never)
func makeOpenLeaf() -> any OpenLeaf { OpenLeafService() }

@inline(never)
func makePair(_ left: Int, _ right: Int) -> any Pair { PairService(left, right) }

@inline(never)
func makeChain() -> any C10 {
    S10(make9())
}
@inline(never) func make9() -> any C9 { S9(make8()) }
@inline(never) func make8() -> any C8 { S8(make7()) }
@inline(never) func make7() -> any C7 { S7(make6()) }
@inline(never) func make6() -> any C6 { S6(make5()) }
@inline(never) func make5() -> any C5 { S5(make4()) }
@inline(never) func make4() -> any C4 { S4(make3()) }
@inline(never) func make3() -> any C3 { S3(make2()) }
@inline(never) func make2() -> any C2 { S2(make1()) }
@inline(never) func make1() -> any C1 { S1() }

func container(_ registrations: Int, _ register: (Container) -> Void) -> Container {
    let container = Container()
    register(container)
    fill(container, to: registrations - 10)
    return container
}

func sharedContainer(_ registrations: Int, _ register: (ThreadSafeContainer) -> Void) -> ThreadSafeContainer {
    let container = ThreadSafeContainer()
    register(container)
    fill(container, to: registrations - 10)
    return container
}

typealias Case = @Sendable (_ count: Int, _ registrations: Int) -> Void

let cases: [String: Case] = [
    "direct-leaf": { count, _ in
        for _ in 0..<count { use(makeLeaf()) }
    },
    "direct-open-leaf": { count, _ in
        for _ in 0..<count { use(makeOpenLeaf().number == 1 ? nil : nil) }
    },
    "direct-pair": { count, _ in
        for number in 0..<count { use(makePair(number, 2)) }
    },
    "direct-chain": { count, _ in
        for _ in 0..<count { use(makeChain()) }
    },
    "transient-leaf": { count, registrations in
        let box = container(registrations) { $0.register((any Leaf).self, scope: .transient) { _ in LeafService() } }
        for _ in 0..<count { use(box.resolve((any Leaf).self)) }
    },
    "graph-leaf": { count, registrations in
        let box = container(registrations) { $0.register((any Leaf).self) { _ in LeafService() } }
        for _ in 0..<count { use(box.resolve((any Leaf).self)) }
    },
    "require-leaf": { count, registrations in
        let box = container(registrations) { $0.register((any Leaf).self, scope: .transient) { _ in LeafService() } }
        for _ in 0..<count { use(try? box.require((any Leaf).self)) }
    },
    "named-leaf": { count, registrations in
        let box = container(registrations) {
            $0.register((any Leaf).self, name: "oak", scope: .transient) { _ in LeafService() }
        }
        for _ in 0..<count { use(box.resolve((any Leaf).self, name: "oak")) }
    },
    "container-hit": { count, registrations in
        let box = container(registrations) { $0.register((any Leaf).self, scope: .container) { _ in LeafService() } }
        for _ in 0..<count { use(box.resolve((any Leaf).self)) }
    },
    "container-hit-open": { count, registrations in
        let box = container(registrations) {
            $0.register((any OpenLeaf).self, scope: .container) { _ in OpenLeafService() }
        }
        for _ in 0..<count { use(box.resolve((any OpenLeaf).self)?.number == 2 ? box : nil) }
    },
    "hit-five-parents": { count, registrations in
        var box = container(registrations) { $0.register((any Leaf).self, scope: .container) { _ in LeafService() } }
        for _ in 0..<5 { box = box.createChild() }
        for _ in 0..<count { use(box.resolve((any Leaf).self)) }
    },
    "miss": { count, registrations in
        let box = container(registrations) { $0.register((any Leaf).self) { _ in LeafService() } }
        for _ in 0..<count { use(box.resolve((any Absent).self)) }
    },
    "two-arguments": { count, registrations in
        let box = container(registrations) {
            $0.register((any Pair).self, scope: .transient) { (_, left: Int, right: Int) in PairService(left, right) }
        }
        for number in 0..<count { use(box.resolve((any Pair).self, arguments: number, 2)) }
    },
    "one-argument": { count, registrations in
        let box = container(registrations) {
            $0.register((any Pair).self, scope: .transient) { (_, left: Int) in PairService(left, 2) }
        }
        for number in 0..<count { use(box.resolve((any Pair).self, argument: number)) }
    },
    "chain-transient": { count, registrations in
        let box = container(registrations) { registerChain(in: $0, scope: .transient) }
        for _ in 0..<count { use(box.resolve((any C10).self)) }
    },
    "chain-graph": { count, registrations in
        let box = container(registrations) { registerChain(in: $0, scope: .graph) }
        for _ in 0..<count { use(box.resolve((any C10).self)) }
    },
    "graph-leaf-callback": { count, registrations in
        let box = container(registrations) {
            $0.register((any Leaf).self) { _ in LeafService() }.initCompleted { _, leaf in use(leaf) }
        }
        for _ in 0..<count { use(box.resolve((any Leaf).self)) }
    },
    "per-container-hit": { count, registrations in
        let box = container(registrations) { $0.register((any Leaf).self, scope: .perContainer) { _ in LeafService() } }
        for _ in 0..<count { use(box.resolve((any Leaf).self)) }
    },
    "weak-hit": { count, registrations in
        let box = container(registrations) { $0.register((any Leaf).self, scope: .weak) { _ in LeafService() } }
        let held = box.resolve((any Leaf).self)
        for _ in 0..<count { use(box.resolve((any Leaf).self)) }
        use(held)
    },
    "forwarded-hit": { count, registrations in
        let box = container(registrations) {
            $0.register(LeafService.self, scope: .container) { _ in LeafService() }.implements((any Leaf).self) { $0 }
        }
        for _ in 0..<count { use(box.resolve((any Leaf).self)) }
    },
    "optional-hit": { count, registrations in
        let box = container(registrations) { $0.register((any Leaf).self, scope: .container) { _ in LeafService() } }
        for _ in 0..<count { use(box.resolve((any Leaf)?.self) ?? nil) }
    },
    "lazy": { count, registrations in
        let box = container(registrations) { $0.register((any Leaf).self, scope: .container) { _ in LeafService() } }
        for _ in 0..<count { use(try? box.resolve(Lazy<any Leaf>.self)?.get()) }
    },
    "provider": { count, registrations in
        let box = container(registrations) { $0.register((any Leaf).self, scope: .transient) { _ in LeafService() } }
        let provider = box.resolve(Provider<any Leaf>.self)
        for _ in 0..<count { use(try? provider?.get()) }
    },
    "shared-transient-leaf": { count, registrations in
        let box = sharedContainer(registrations) {
            $0.registerUnshared((any Leaf).self, scope: .transient) { _ in LeafService() }
        }
        for _ in 0..<count { use(box.resolve((any Leaf).self)) }
    },
    "shared-graph-leaf": { count, registrations in
        let box = sharedContainer(registrations) { $0.registerUnshared((any Leaf).self) { _ in LeafService() } }
        for _ in 0..<count { use(box.resolve((any Leaf).self)) }
    },
    "shared-container-hit": { count, registrations in
        let box = sharedContainer(registrations) {
            $0.register((any SharedLeaf).self, scope: .container) { _ in SharedLeafService() }
        }
        for _ in 0..<count { use(box.resolve((any SharedLeaf).self)) }
    },
    "current-default": { count, registrations in
        try? CurrentResolver.bootstrap(sharedContainer(registrations) { _ in })
        for _ in 0..<count { use(CurrentResolver.resolver) }
    },
    "current-override": { count, registrations in
        CurrentResolver.withValue(sharedContainer(registrations) { _ in }) {
            for _ in 0..<count { use(CurrentResolver.resolver) }
        }
    },
    "injected-default": { count, registrations in
        try? CurrentResolver.bootstrap(injectedContainer(registrations))
        for _ in 0..<count { use(InjectedHolder().leaf) }
    },
    "injected-override": { count, registrations in
        CurrentResolver.withValue(injectedContainer(registrations)) {
            for _ in 0..<count { use(InjectedHolder().leaf) }
        }
    },
    "lazy-injected": { count, registrations in
        CurrentResolver.withValue(injectedContainer(registrations)) {
            for _ in 0..<count { use(LazyHolder().leaf) }
        }
    },
    "lazy-injected-use": { count, registrations in
        CurrentResolver.withValue(injectedContainer(registrations)) {
            let holder = LazyHolder()
            for _ in 0..<count { use(holder.leaf) }
        }
    },
    "provided-injected-use": { count, registrations in
        CurrentResolver.withValue(injectedContainer(registrations)) {
            let holder = ProvidedHolder()
            for _ in 0..<count { use(holder.leaf) }
        }
    },
    "shared-miss": { count, registrations in
        let box = sharedContainer(registrations) { _ in }
        for _ in 0..<count { use(box.resolve((any Absent).self)) }
    },
    "shared-chain-transient": { count, registrations in
        let box = sharedContainer(registrations) { registerChain(in: $0, scope: .transient) }
        for _ in 0..<count { use(box.resolve((any C10).self)) }
    },
    "shared-chain-graph": { count, registrations in
        let box = sharedContainer(registrations) { registerChain(in: $0, scope: .graph) }
        for _ in 0..<count { use(box.resolve((any C10).self)) }
    },
    "register": { count, registrations in
        let box = container(registrations) { _ in }
        for number in 0..<count { box.register(Int.self, name: "case-\(number)") { _ in number } }
    },
    "register-only": { count, _ in
        let box = Container()
        for number in 0..<count { box.register(Int.self, name: "case-\(number)") { _ in number } }
    },
]

struct InjectedHolder {
    @Injected var leaf: any SharedLeaf
}

struct LazyHolder {
    @LazyInjected var leaf: any SharedLeaf
}

struct ProvidedHolder {
    @ProvidedInjected var leaf: any SharedLeaf
}

func injectedContainer(_ registrations: Int) -> ThreadSafeContainer {
    sharedContainer(registrations) {
        $0.register((any SharedLeaf).self, scope: .container) { _ in SharedLeafService() }
    }
}
