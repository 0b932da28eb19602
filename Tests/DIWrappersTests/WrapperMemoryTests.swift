import DICore
import DIScopes
import DITestSupport
import DIWrappers
import Testing

/// S6 for wrappers. Run alone, see `Memory.isMeasured`.
@Suite(
    "Memory of wrappers",
    .serialized,
    .enabled(if: Memory.isMeasured, "DI_MEMORY_TESTS=1 swift test --no-parallel --filter Memory")
)
struct WrapperMemoryTests {
    private final class Leaf: Tracked {}

    private final class Top: Tracked {
        let leaf: Lazy<Leaf>

        init(_ tracker: LifetimeTracker, _ leaf: Lazy<Leaf>) {
            self.leaf = leaf
            super.init(tracker)
        }
    }

    private static func expectFlat(
        _ title: String,
        sourceLocation: Testing.SourceLocation = #_sourceLocation,
        _ body: (Int) throws -> Void
    ) throws {
        let measured = try Memory.growth(over: Memory.manyTimes / 2, of: body)
        let growth = try #require(measured)
        print("\(title): \(growth)")
        #expect(growth.bytesPerRepetition < 16, sourceLocation: sourceLocation)
    }

    static let scopes: [ObjectScope] = [.graph, .transient, .container, .weak]

    private static func container(_ scope: ObjectScope, _ tracker: LifetimeTracker) -> Container {
        let box = Container()
        box.register(Leaf.self, scope: scope) { _ in Leaf(tracker) }
        box.register(Top.self, scope: .transient) { r in Top(tracker, try r.require(Lazy<Leaf>.self)) }
        return box
    }

    @Test("S6: a provider that is made and opened many times leaves memory flat", arguments: scopes)
    func providers(scope: ObjectScope) throws {
        let tracker = LifetimeTracker()
        let box = Self.container(scope, tracker)
        let kept = try box.require(Provider<Leaf>.self)
        try Self.expectFlat("providers, \(scope)") { _ in
            _ = try box.require(Provider<Leaf>.self).get()
            _ = try kept.get()
        }
        #expect(tracker.alive == (scope === ObjectScope.container ? 1 : 0))
        withExtendedLifetime(box) {}
    }

    @Test("S6: lazies that are made and opened, or dropped unopened, leave memory flat", arguments: scopes)
    func lazies(scope: ObjectScope) throws {
        let tracker = LifetimeTracker()
        let box = Self.container(scope, tracker)
        try Self.expectFlat("lazies, \(scope)") { number in
            let top = try box.require(Top.self)
            if number % 2 == 0 { _ = try top.leaf.get() }
        }
        #expect(tracker.alive == (scope === ObjectScope.container ? 1 : 0))
        withExtendedLifetime(box) {}
    }

    @Test("S6: wrappers of children that end leave memory flat", arguments: scopes)
    func children(scope: ObjectScope) throws {
        let tracker = LifetimeTracker()
        let box = Self.container(scope, tracker)
        try Self.expectFlat("wrappers of children, \(scope)") { _ in
            let lazy = try box.createChild().require(Lazy<Leaf>.self)
            _ = try lazy.get()
        }
        #expect(tracker.alive == (scope === ObjectScope.container ? 1 : 0))
        withExtendedLifetime(box) {}
    }

    @Test("S9: 240 000 requests whose service holds wrappers leave memory flat", arguments: RequestKind.allCases)
    func requests(_ kind: RequestKind) throws {
        let tracker = LifetimeTracker()
        let makeRequest = kind.requests(tracker)
        let measured = try Memory.growth(over: 240_000) { number in
            let request = makeRequest()
            let screen = try request.require(RequestScreen.self)
            if number % 2 == 0 { _ = try screen.provider.get() }
            withExtendedLifetime(request) {}
        }
        let growth = try #require(measured)
        print("requests, \(kind): \(growth)")
        #expect(growth.bytesPerRepetition < 16)
        #expect(tracker.alive == 0)
    }
}
