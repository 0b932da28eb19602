import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Synchronization
import Testing

extension ThreadStressTests {
    /// Many random operations, each compared with a model of dictionaries. `DI_STRESS_SEED` repeats a run that has failed;
    /// where threads share a container each owns the keys of one type, so that what others do must make no difference.
    @Suite("Stress: random operations against a model")
    struct RandomStressTests {
        private enum First {}
        private enum Second {}
        private enum Third {}
        private enum Fourth {}

        private static let names = 8
        private static let scopes: [ObjectScope] = [.container, .graph, .transient, .perContainer]

        /// Does operations on a tree of containers whose root others may use too, and says where it differed.
        private static func run<Tag>(
            _ tag: Tag.Type,
            _ root: AnyBox,
            operations: Int,
            seed: UInt64,
            _ tracker: LifetimeTracker
        ) -> String? {
            var random = SeededRandom(seed: seed)
            var tree: [(box: AnyBox, level: Model<Tag>.Level)] = [(root, Model<Tag>.Level(parent: nil, isAlone: false))]
            var version = 0
            for operation in 0..<operations {
                let index = Int.random(in: 0..<tree.count, using: &random)
                let (box, level) = tree[index]
                let name = Int.random(in: 0..<names, using: &random)
                var isRight = true
                let choice = Int.random(in: 0..<100, using: &random)
                switch choice {
                case 0..<55:
                    let token = box.base.resolve(Token<Tag>.self, name: "\(name)")
                    isRight = Model<Tag>.agree(Model<Tag>.resolve(name, from: level), token)
                case 55..<80:
                    version += 1
                    let (number, isBroken) = (version, Int.random(in: 0..<10, using: &random) == 0)
                    let scope = scopes[Int.random(in: 0..<scopes.count, using: &random)]
                    box.register(name, scope) { r in
                        let parts = (1...2).map { r.resolve(Token<Tag>.self, name: "\(name - $0)") }
                        if isBroken { throw Broken() }
                        return Token<Tag>(number, parts, tracker)
                    }
                    let replaced = level.entries.updateValue(
                        .init(version: number, scope: scope, isBroken: isBroken),
                        forKey: name
                    )
                    if let replaced { level.kept[replaced.version] = nil }
                case 80..<86:
                    let removed = level.entries.removeValue(forKey: name)
                    if let removed { level.kept[removed.version] = nil }
                    isRight = box.base.remove(Token<Tag>.self, name: "\(name)") == (removed != nil)
                case 86..<90:
                    let scope = scopes[Int.random(in: 0..<scopes.count, using: &random)]
                    box.base.resetObjectScope(scope, serviceType: Token<Tag>.self)
                    level.reset(scope)
                case 90..<92:
                    isRight =
                        box.base.hasAnyRegistration(of: Token<Tag>.self, name: "\(name)") == (level.find(name) != nil)
                case 92..<96:
                    guard tree.count < 12 else { continue }
                    let isAlone = Int.random(in: 0..<4, using: &random) == 0
                    let isConfined = Bool.random(using: &random)
                    let child = box.child(isAlone ? .none : .all, isConfined: isConfined)
                    tree.append((child, Model<Tag>.Level(parent: level, isAlone: isAlone)))
                default:
                    // The parents of others stay, held by those.
                    if index != 0 { tree.remove(at: index) }
                }
                if !isRight { return "\(tag): operation \(operation) of kind \(choice) differs" }
            }
            return nil
        }

        @Test("K4, S1, H2: a plain container does what its model does")
        func plain() {
            let tracker = LifetimeTracker()
            print("Random operations on a plain container: DI_STRESS_SEED=\(Stress.seed)")
            let operations = Stress.times(30_000, long: 3_000_000)
            let wrong = RandomStressTests.run(
                First.self,
                .plain(Container()),
                operations: operations,
                seed: Stress.seed,
                tracker
            )
            #expect(wrong == nil, "DI_STRESS_SEED=\(Stress.seed)")
            #expect(tracker.made > 1_000)
            #expect(tracker.settles(at: 0))
        }

        @Test("T1, T4: one that four threads share does, for the keys of each, what a model of one thread does")
        func shared() {
            let tracker = LifetimeTracker()
            print("Random operations on four threads: DI_STRESS_SEED=\(Stress.seed)")
            let operations = Stress.times(20_000, long: 2_000_000)
            let wrong = Journal<String>()
            do {
                let root = ThreadSafeContainer()
                Threads.together(4) { number in
                    func run<Tag>(_ tag: Tag.Type) {
                        let seed = Stress.seed &+ UInt64(number)
                        let difference = RandomStressTests.run(
                            tag,
                            .shared(root),
                            operations: operations,
                            seed: seed,
                            tracker
                        )
                        if let difference { wrong.add(difference) }
                    }
                    switch number {
                    case 0: run(First.self)
                    case 1: run(Second.self)
                    case 2: run(Third.self)
                    default: run(Fourth.self)
                    }
                }
            }
            #expect(wrong.entries == [], "DI_STRESS_SEED=\(Stress.seed)")
            #expect(tracker.made > 4_000)
            #expect(tracker.settles(at: 0))
        }
    }
}
