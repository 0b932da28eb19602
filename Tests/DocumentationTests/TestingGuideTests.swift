import DICore
import DIScopes
import DITesting
import DIThreadSafe
import DIWrappers
import Testing
import XCTest

extension TestingGuideTests {
    protocol Clock: AnyObject, Sendable {
        var hour: Int { get }
    }

    final class StoppedClock: Clock {
        let hour: Int
        init(hour: Int) { self.hour = hour }
    }

    final class Diary: Sendable {
        let clock: any Clock
        init(clock: any Clock) { self.clock = clock }
    }

    struct Title: Sendable {
        let text: String
    }

    enum AppWiring {
        static func container() -> ThreadSafeContainer {
            let container = ThreadSafeContainer()
            container.register((any Clock).self, scope: .container) { _ in StoppedClock(hour: 8) }
            container.autoregister(Diary.self, initializer: Diary.init)
            container.register(Title.self) { (_, text: String) in Title(text: text) }
            return container
        }
    }
}

extension TestingGuideTests {
    // sample: testing-container
    @Suite(
        .container(ThreadSafeContainer()) { container in
            container.register((any Clock).self, scope: .container) { _ in StoppedClock(hour: 8) }
            container.register(Diary.self) { r in Diary(clock: try r.require((any Clock).self)) }
        }
    )
    struct DiaryTests {
        @Injected var clock: any Clock

        @Test func entryHasTheHour() throws {
            let diary = try CurrentResolver.get().require(Diary.self)
            #expect(diary.clock === clock)
        }
    }
    // end sample

    // sample: testing-plain
    @MainActor
    @Suite(
        .resolver { @MainActor in
            let container = Container()
            container.register(Title.self) { _ in Title(text: "Today") }
            return ConfinedResolver(container)
        }
    )
    struct TitleTests {
        @Test func text() throws {
            let title = try CurrentResolver.get().require(Title.self)
            #expect(title.text == "Today")
        }
    }
    // end sample
}

// For the test case, which is not inside of the suite.
private typealias Clock = TestingGuideTests.Clock
private typealias StoppedClock = TestingGuideTests.StoppedClock
private typealias Diary = TestingGuideTests.Diary
private typealias AppWiring = TestingGuideTests.AppWiring

// sample: testing-xctest
final class DiaryTestCase: XCTestCase {
    func testEntryHasTheHour() async {
        await withResolver(AppWiring.container()) { container in
            await withOverrides(of: container) { overrides in
                overrides.register((any Clock).self) { _ in StoppedClock(hour: 23) }
            } operation: { container in
                await Task.yield()
                XCTAssertEqual(container.resolve(Diary.self)?.clock.hour, 23)
            }
        }
    }
}
// end sample

@Suite("Guide: testing")
struct TestingGuideTests {
    @Test("Overrides are seen in the operation")
    func overrides() {
        // sample: testing-overrides
        let container = AppWiring.container()
        let hour = withOverrides(of: container) { overrides in
            overrides.register((any Clock).self) { _ in StoppedClock(hour: 23) }
        } operation: { container in
            container.resolve(Diary.self)?.clock.hour
        }
        // end sample
        #expect(hour == 23)
        #expect(container.resolve(Diary.self)?.clock.hour == 8)
        // sample: testing-strict
        withOverrides(of: container, originals: .only([ServiceKey(Diary.self)])) { overrides in
            overrides.register((any Clock).self) { _ in StoppedClock(hour: 23) }
        } operation: { container in
            _ = container.resolve(Diary.self)
        }
        // end sample
    }

    @Test("The assertions hold")
    func assertions() throws {
        // sample: testing-assertions
        let container = AppWiring.container()
        expectResolves(Diary.self, from: container)
        expectResolves(from: container) { r in try r.require(Title.self, argument: "Today") }
        expectDoesNotResolve(Int.self, from: container, because: .notRegistered)
        expectSameInstance((any Clock).self, from: container)
        expectNewInstance(Diary.self, from: container)
        expectValidWiring(of: container)
        expectEverythingBuilds(from: container, arguments: [SuppliedArguments(Title.self, "Today")])
        try expectReleased { try container.require(Diary.self) }
        expectConstructed(Diary.self, times: 2, in: container) {
            _ = container.resolve(Diary.self)
            _ = container.resolve(Diary.self)
        }
        // end sample
    }

    @Test("The recorder shows what was resolved")
    func recorder() throws {
        let container = AppWiring.container()
        var printed = ""
        func print(_ recorder: ResolutionRecorder) { printed = "\(recorder)" }
        // sample: testing-recorder
        let recorder = ResolutionRecorder()
        recorder.record(container) {
            _ = container.resolve(Diary.self)
        }
        recorder.expectRequested((any Clock).self, by: Diary.self)
        recorder.expectCreated((any Clock).self, before: Diary.self)
        recorder.expectNotRequested(Title.self)
        print(recorder)
        // end sample
        try Output.expect("testing-recorder", printed.replacing("TestingGuideTests.", with: ""))
    }

    @Test("The suites pass")
    func conformance() {
        // sample: testing-conformance
        StorageConformance { SessionStorage() }.check()
        ScopeConformance(.session).check()
        ScopeConformance(.session) { ThreadSafeContainer() }.check()
        ResolverConformance.sharedByThreads { register in
            let container = ThreadSafeContainer()
            register(container)
            return container
        }
        .check()
        // end sample
    }
}
