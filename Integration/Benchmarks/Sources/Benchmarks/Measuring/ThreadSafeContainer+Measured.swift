import DICore
import DIThreadSafe

extension ThreadSafeContainer: MeasuredContainer {
    static func make() -> ThreadSafeContainer { ThreadSafeContainer() }
    func child() -> ThreadSafeContainer { createChild() }
    var registering: any SendableRegistrar { self }

    @inline(never)
    func run(_ request: Request, _ count: Int) { request.loop(count, in: self) }

    func register(_ kind: Registration, _ names: [String]) {
        switch kind {
        case .register:
            for name in names { register((any Leaf).self, name: name) { _ in LeafService() } }
        case .autoregister:
            for name in names { autoregister((any Top).self, name: name, initializer: TopService.init) }
        case .forward:
            let original = register(LeafService.self) { _ in LeafService() }
            for name in names { forward((any Leaf).self, name: name, to: original) }
        }
    }
}
