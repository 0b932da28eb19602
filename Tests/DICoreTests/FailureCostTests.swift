import DICore
import DIScopes
import DITestSupport
import Testing

/// Each test runs in a process of its own, where nobody else listens to failures: with a listener a miss is reported.
@Suite("The cost of a miss")
struct FailureCostTests {
    /// Counts what a request asks of its resolver.
    final class CountingResolver: Resolver {
        let base: any Resolver
        private(set) var looks = 0
        private(set) var reports = 0

        init(_ base: any Resolver) { self.base = base }

        func locate(_ key: ServiceKey) -> LocatedEntry {
            looks += 1
            return base.locate(key)
        }

        func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] { base.contributions(to: serviceType) }

        var visibleEntries: [AnyServiceEntry] {
            reports += 1
            return base.visibleEntries
        }

        func reset() {
            looks = 0
            reports = 0
        }
    }

    struct Missing {}
    struct Unregistered: Equatable {}

    final class Middle {
        init(_ r: any Resolver) throws { _ = try r.require(Missing.self) }
    }

    final class Root {
        init(_ r: any Resolver) throws { _ = try r.require(Middle.self) }
    }

    static func container(registrations: Int) -> Container {
        let box = Container()
        for number in 0..<registrations {
            box.register(Int.self, name: "number \(number)") { _ in number }
        }
        box.register(Middle.self) { r in try Middle(r) }
        box.register(Root.self) { r in try Root(r) }
        return box
    }

    @Test("E5: when nobody listens a miss never looks through the registrations, be they 10 or 8 000")
    func unreported() async {
        await #expect(processExitsWith: .success) {
            var looks: [[Int]] = []
            for registrations in [10, 8_000] {
                let resolver = CountingResolver(Self.container(registrations: registrations))
                var counts: [Int] = []
                func measure(_ miss: () -> Bool) {
                    // The first miss of a type finds out that it is no wrapper.
                    for _ in 0..<3 {
                        resolver.reset()
                        #expect(miss())
                    }
                    counts.append(resolver.looks)
                    #expect(resolver.reports == 0)
                }
                measure { resolver.resolve(Missing.self) == nil }
                measure { resolver.resolve(Missing.self, name: "number 5000x") == nil }
                measure { resolver.resolve(Int.self, name: "number 9000") == nil }
                measure { resolver.resolve(Missing.self, argument: 1) == nil }
                measure { resolver.resolve(Missing.self, arguments: 1, 2) == nil }
                measure { resolver.resolve(Unregistered?.self) == .some(.none) }
                measure { (try? resolver.require(Unregistered?.self)) == .some(.none) }
                measure { (try? resolver.require(Int?.self, name: "number 9000")) == .some(.none) }
                looks.append(counts)
            }
            #expect(looks[0] == looks[1])
            #expect(looks[0].allSatisfy { $0 <= 3 })
        }
    }

    @Test("E5: a require computes its suggestions once, where the failure starts, however deep")
    func reportedOnce() async {
        await #expect(processExitsWith: .success) {
            for registrations in [10, 8_000] {
                let resolver = CountingResolver(Self.container(registrations: registrations))
                #expect(throws: ResolutionError.self) { try resolver.require(Missing.self) }
                #expect(resolver.reports == 1)
                resolver.reset()
                #expect(throws: ResolutionError.self) { try resolver.require(Root.self) }
                #expect(resolver.reports == 1)
                resolver.reset()
                #expect(resolver.resolve(Root.self) == nil)
                #expect(resolver.reports == 1, "the factory's require failed, not the outer resolve")
            }
        }
    }

    @Test("E5: a listener gets one report of each miss, made for it alone")
    func reportedOnDemand() async {
        await #expect(processExitsWith: .success) {
            let box = Self.container(registrations: 10)
            let resolver = CountingResolver(box)
            let recorder = EventRecorder(.failures)
            box.addObserver(recorder)
            #expect(resolver.resolve(Missing.self) == nil)
            #expect(resolver.resolve(Missing.self) == nil)
            #expect(resolver.reports == 2)
            #expect(recorder.failures.map(\.code) == [.notRegistered, .notRegistered])
            box.removeObserver(recorder)
            #expect(resolver.resolve(Missing.self) == nil)
            #expect(resolver.reports == 2)
            let token = FailureObservers.add { _ in }
            #expect(resolver.resolve(Missing.self) == nil)
            #expect(resolver.reports == 3)
            FailureObservers.remove(token)
            #expect(resolver.resolve(Missing.self) == nil)
            #expect(resolver.reports == 3)
        }
    }

    @Test("E5: an absent optional is no failure, also when somebody listens")
    func absentIsNotReported() async {
        await #expect(processExitsWith: .success) {
            let box = Self.container(registrations: 10)
            let resolver = CountingResolver(box)
            let recorder = EventRecorder(.failures)
            box.addObserver(recorder)
            #expect(resolver.resolve(Unregistered?.self) == .some(.none))
            #expect((try? resolver.require(Unregistered?.self)) == .some(.none))
            #expect(resolver.reports == 0)
            #expect(recorder.events.isEmpty)
        }
    }
}
