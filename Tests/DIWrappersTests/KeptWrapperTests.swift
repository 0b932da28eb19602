import DICore
import DIScopes
import DITestSupport
import DIWrappers
import Testing

@Suite("Wrappers inside what a container keeps")
struct KeptWrapperTests {
    @Test("S9: of 20 000 requests whose service holds wrappers nothing is left", arguments: RequestKind.allCases)
    func manyRequests(_ kind: RequestKind) throws {
        let tracker = LifetimeTracker()
        let makeRequest = kind.requests(tracker)
        var contexts: [ContainerRemains] = []
        for number in 0..<20_000 {
            let request = makeRequest()
            contexts.append(ContainerRemains(of: request))
            let screen = try request.require(RequestScreen.self)
            #expect(try request.require(RequestScreen.self) === screen)
            if number % 2 == 0 { _ = try screen.lazy.get() }
            if number % 3 == 0 { _ = try screen.provider.get() }
        }
        #expect(tracker.alive == 0)
        #expect(contexts.count(where: \.hasContext) == 0)
    }

    @Test("S9: a wrapper that outlives its container holds nothing of it, and says that it is gone")
    func outlived() throws {
        let tracker = LifetimeTracker()
        let root = Container()
        root.register(RequestLeaf.self) { _ in RequestLeaf(tracker) }
        root.register(RequestScreen.self, scope: .perContainer) { r in try RequestScreen(tracker, r) }
        weak var context: ResolutionContext?
        let screen: RequestScreen
        do {
            let request = root.createChild()
            context = request.context
            screen = try request.require(RequestScreen.self)
        }
        #expect(context == nil)
        for open in [screen.lazy.get, screen.provider.get] {
            let error = try #require(throws: ResolutionError.self) { try open() }
            #expect(error.code == .containerGone)
        }
    }

    @Test("S9: observers that children inherit are told of a use after the end of the child")
    func inheritedObservers() throws {
        let tracker = LifetimeTracker()
        let root = Container()
        root.register(RequestLeaf.self) { _ in RequestLeaf(tracker) }
        root.register(RequestScreen.self, scope: .perContainer) { r in try RequestScreen(tracker, r) }
        let inherited = EventRecorder(.failures)
        root.addObserver(inherited)
        let own = OwnFailures()
        root.addObserver(own)
        let screen = try root.createChild().createChild().require(RequestScreen.self)
        #expect(throws: ResolutionError.self) { try screen.lazy.get() }
        #expect(inherited.failures.map(\.code) == [.containerGone])
        #expect(own.count == 0)
    }

    /// Wants to know of the failures of one container alone.
    private final class OwnFailures: ResolutionObserver {
        var count = 0
        let interests: ResolutionInterests = .failures
        let isInheritedByChildren = false

        func observe(_ event: ResolutionEvent) { count += 1 }
    }

    @Test("S9: the observers of a container that has ended are told while its context is there")
    func observersOfTheContext() throws {
        let tracker = LifetimeTracker()
        let recorder = EventRecorder(.failures)
        var root: Container? = Container()
        root?.register(RequestLeaf.self) { _ in RequestLeaf(tracker) }
        root?.register(RequestScreen.self, scope: .container) { r in try RequestScreen(tracker, r) }
        root?.addObserver(recorder)
        let context = root?.context
        let screen = try root?.require(RequestScreen.self)
        root = nil
        #expect(throws: ResolutionError.self) { try screen?.lazy.get() }
        #expect(recorder.failures.map(\.code) == [.containerGone])
        withExtendedLifetime(context) {}
    }
}
