import DICore
import DIThreadSafe

/// What is done with the type of one service, which a program knows by number alone.
struct FuzzKind: Sendable {
    /// What was given: the items, or nil for none; a wrapper where one is to be kept.
    enum Answer {
        case items([FuzzItem])
        case nothing
        case wrapper(FuzzWrapper)
    }

    let ask: @Sendable (FuzzForm, any Resolver) throws -> Answer
    let register: @Sendable (FuzzBox, FuzzRound, Int) -> Void
    let remove: @Sendable (any ContainerProtocol) -> Void
    let reset: @Sendable (FuzzScope, any ContainerProtocol) -> Void

    static let all: [FuzzKind] = [
        kind(0, First.self), kind(1, Second.self), kind(2, Third.self), kind(3, Fourth.self), kind(4, Fifth.self),
        kind(5, Sixth.self),
    ]

    private enum First {}
    private enum Second {}
    private enum Third {}
    private enum Fourth {}
    private enum Fifth {}
    private enum Sixth {}

    private static func kind<Tag>(_ number: Int, _ tag: Tag.Type) -> FuzzKind {
        typealias Service = FuzzService<Tag>
        return FuzzKind(
            ask: { form, resolver in
                switch form {
                case .require: .items([try resolver.require(Service.self)])
                case .resolve: resolver.resolve(Service.self).map { .items([$0]) } ?? .nothing
                case .optional: try resolver.require(Service?.self).map { .items([$0]) } ?? .nothing
                case .array: .items(try resolver.require([Service].self))
                case .lazy: .items([try FuzzWrapper.openedAtOnce(Tag.self, from: resolver)])
                case .provider: .items([try FuzzWrapper.provided(Tag.self, from: resolver)])
                case .keptLazy: .wrapper(try FuzzWrapper.lazy(number, Tag.self, from: resolver))
                }
            },
            register: { box, round, entry in register(Tag.self, in: box, round, entry) },
            remove: { $0.remove(Service.self) },
            reset: { scope, box in box.resetObjectScope(scope.scope, serviceType: Service.self) }
        )
    }

    private static func register<Tag>(_ tag: Tag.Type, in box: FuzzBox, _ round: FuzzRound, _ number: Int) {
        let plan = round.program.entries[number]
        let make: @Sendable (any Resolver) throws -> FuzzService<Tag> = { resolver in
            try round.construct(number, with: resolver) { FuzzService<Tag>($0) }
        }
        let callbacks = plan.callbacks.indices.map { index in
            { @Sendable (resolver: any Resolver, item: FuzzService<Tag>) throws -> Void in
                try round.complete(item, number, callback: index, with: resolver)
            }
        }
        let option: (any ServiceKeyOption)? = nil
        switch box {
        case .shared(let box):
            let entry =
                plan.isContribution
                ? box.contribute(FuzzService<Tag>.self, scope: plan.scope.scope, factory: make)
                : box.register(FuzzService<Tag>.self, option: option, scope: plan.scope.scope, factory: make)
            for callback in callbacks { entry.initCompleted(callback) }
        case .plain(let box):
            let entry =
                plan.isContribution
                ? box.contribute(FuzzService<Tag>.self, scope: plan.scope.scope, factory: make)
                : box.register(FuzzService<Tag>.self, option: option, scope: plan.scope.scope, factory: make)
            for callback in callbacks { entry.initCompleted(callback) }
        }
    }
}

/// A container of either kind.
enum FuzzBox {
    case shared(ThreadSafeContainer)
    case plain(Container)

    var container: any ContainerProtocol {
        switch self {
        case .shared(let box): box
        case .plain(let box): box
        }
    }

    func child(_ plan: FuzzProgram.ContainerPlan) -> FuzzBox {
        let sharing: ParentSharing = plan.isAlone ? .none : .all
        return switch self {
        case .plain(let box): .plain(box.createChild(sharing: sharing))
        case .shared(let box) where plan.thread != nil: .plain(box.createConfinedChild(sharing: sharing))
        case .shared(let box): .shared(box.createChild(sharing: sharing))
        }
    }
}
