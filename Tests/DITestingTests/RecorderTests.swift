import DICore
import DIScopes
import DITestSupport
import DITesting
import DIThreadSafe
import DIWrappers
import Testing

@Suite("Recorder")
struct RecorderTests {
    private static func container() -> ThreadSafeContainer {
        let box = ThreadSafeContainer()
        box.register((any Clock).self, scope: .container) { _ in WallClock() }
        box.register(Watch.self) { r in Watch(try r.require((any Clock).self)) }
        box.register(Drawer.self) { r in Drawer(try r.require(Watch.self)) }
            .initCompleted { r, _ in _ = r.resolve((any Clock).self) }
        box.register(Knot.self) { r in
            _ = try r.require(Lazy<Watch>.self)
            return Knot()
        }
        return box
    }

    @Test("It records what was resolved and created, in order and by whom")
    func record() throws {
        let box = Self.container()
        let recorder = ResolutionRecorder()
        try recorder.record(box) {
            _ = try box.require(Drawer.self)
            _ = try box.require(Knot.self)
            _ = box.resolve((any Alarm).self)
        }
        _ = box.resolve(Watch.self)
        #expect(
            recorder.description == """
                Clock created for Watch
                Watch created for Drawer
                Clock reused for a callback of Drawer
                Drawer created
                Watch asked for later for Knot
                Knot created
                Alarm failed (notRegistered)
                """
        )
        #expect(
            recorder.created == [
                ServiceKey((any Clock).self), ServiceKey(Watch.self), ServiceKey(Drawer.self), ServiceKey(Knot.self),
            ]
        )
        recorder.reset()
        #expect(recorder.requests.isEmpty)
        #expect(recorder.description == "nothing was requested")
    }

    @Test("What is asserted by intent passes")
    func intent() throws {
        let box = Self.container()
        let recorder = ResolutionRecorder()
        try recorder.record(box) { _ = try box.require(Drawer.self) }
        recorder.expectRequested(Watch.self)
        recorder.expectRequested((any Clock).self, by: Watch.self)
        recorder.expectRequested((any Clock).self, by: Drawer.self)
        recorder.expectNotRequested((any Alarm).self)
        recorder.expectNotRequested((any Clock).self, name: "sand")
        recorder.expectCreated((any Clock).self)
        recorder.expectCreated(Knot.self, times: 0)
        recorder.expectCreated((any Clock).self, before: Drawer.self)
        recorder.expectNoFailures()
    }

    @Test("What was not so fails with the whole record")
    func intentFails() async {
        let box = Self.container()
        let recorder = ResolutionRecorder()
        await recorder.record(box) { () async in _ = box.resolve(Watch.self) }
        let record = """
            recorded:
              Clock created for Watch
              Watch created
            """
        let line = #line + 2
        let found = failures {
            recorder.expectRequested((any Alarm).self)
            recorder.expectRequested((any Clock).self, by: Drawer.self)
            recorder.expectNotRequested((any Clock).self)
            recorder.expectCreated((any Clock).self, name: "sand")
            recorder.expectCreated(Watch.self, times: 0)
            recorder.expectCreated(Watch.self, before: (any Clock).self)
            recorder.expectCreated(Drawer.self, before: Watch.self)
            recorder.expectCreated(Watch.self, before: Drawer.self)
        }
        #expect(
            found.map(\.text) == [
                "Alarm was not requested; \(record)",
                "Clock was not requested by Drawer; \(record)",
                "Clock was requested; \(record)",
                "Clock named \"sand\" was created never, not once; \(record)",
                "Watch was created once, not never; \(record)",
                "Watch was not created before Clock; \(record)",
                "Drawer was not created; \(record)",
                "Drawer was not created; \(record)",
            ]
        )
        #expect(found.map(\.line) == Array(line..<line + 8))
    }

    @Test("A request that has failed fails with its error, unless its code is excepted")
    func noFailures() {
        let box = Self.container()
        let recorder = ResolutionRecorder()
        recorder.record(box) { _ = box.resolve((any Alarm).self) }
        #expect(
            failures { recorder.expectNoFailures() }.map(\.text) == [
                """
                requests have failed:
                [notRegistered] Alarm is not registered
                  asked for directly
                  → register Alarm in the container that was asked, or in a parent of it
                  → or ask for the type that it is registered as: a protocol and its implementation are two keys
                """
            ]
        )
        recorder.expectNoFailures(except: [.notRegistered])
    }

    @Test("It is told from several threads at a time")
    func threads() {
        let box = Self.container()
        let recorder = ResolutionRecorder()
        recorder.record(box) {
            Threads.hammer(8) { _ in
                for _ in 0..<100 { _ = box.resolve(Watch.self) }
            }
        }
        recorder.expectCreated(Watch.self, times: 800)
        recorder.expectCreated((any Clock).self, times: 1)
        #expect(recorder.requests.count == 1600)
    }
}
