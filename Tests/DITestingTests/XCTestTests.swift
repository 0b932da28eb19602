import DICore
import DIScopes
import DITesting
import DIThreadSafe
import XCTest

/// A test of XCTest that looks at its own failures before the runner does.
class WatchedTestCase: XCTestCase {
    nonisolated(unsafe) private var watched: [(text: String, file: String, line: Int)]?  // Used by one test at a time.

    /// The failures that the runner would be told of while something is done.
    func failures(of body: () throws -> some Any) rethrows -> [(text: String, file: String, line: Int)] {
        watched = []
        defer { watched = nil }
        _ = try body()
        return watched ?? []
    }

    /// The failures that the runner would be told of while something asynchronous is done.
    func failures(of body: () async throws -> some Any) async rethrows -> [(text: String, file: String, line: Int)] {
        watched = []
        defer { watched = nil }
        _ = try await body()
        return watched ?? []
    }

    #if canImport(Darwin)
    override func record(_ issue: XCTIssue) {
        let place = issue.sourceCodeContext.location
        guard watched != nil else { return super.record(issue) }
        watched?.append((issue.compactDescription, place?.fileURL.path ?? "", place?.lineNumber ?? 0))
    }
    #else
    override func recordFailure(
        withDescription description: String,
        inFile filePath: String,
        atLine lineNumber: Int,
        expected: Bool
    ) {
        guard watched != nil else {
            return super.recordFailure(
                withDescription: description,
                inFile: filePath,
                atLine: lineNumber,
                expected: expected
            )
        }
        watched?.append((description, filePath, lineNumber))
    }
    #endif
}

final class XCTestTests: WatchedTestCase {
    private func container() -> ThreadSafeContainer {
        let box = ThreadSafeContainer()
        box.register((any Clock).self, scope: .container) { _ in WallClock() }
        box.register(Watch.self, scope: .container) { r in Watch(try r.require((any Clock).self)) }
        return box
    }

    func testAFailingAssertionFailsTheTestAtItsLine() {
        let line = #line + 1
        let found = failures { expectNewInstance(Watch.self, from: container()) }
        XCTAssertEqual(found.map(\.line), [line])
        XCTAssertEqual(found.map(\.file), [#filePath])
        XCTAssertTrue(found[0].text.hasSuffix("two requests for Watch gave the same instance of Watch"), found[0].text)
    }

    func testEachAssertionFails() throws {
        let box = container()
        let recorder = ResolutionRecorder()
        let found = try failures {
            expectResolves((any Alarm).self, from: box)
            expectDoesNotResolve(Watch.self, from: box)
            expectSameInstance(Watch.self, from: box, and: container())
            expectNewInstance(Watch.self, from: box)
            expectValidWiring(of: box, roots: [ServiceKey((any Alarm).self)])
            expectEverythingBuilds(from: box, arguments: [SuppliedArguments((any Alarm).self, 1)])
            try expectReleased { try box.require(Watch.self) }
            expectConstructed(Watch.self, times: 1, in: box) {}
            recorder.expectRequested(Watch.self)
            withOverrides(of: box) {
                $0.register(Knot.self) { _ in Knot() }
            } operation: { _ in
            }
        }
        XCTAssertEqual(found.count, 10)
    }

    func testAFailureInAnotherTaskIsSeenAsWell() async {
        let found = await failures {
            await Task.detached { _ = expectResolves((any Alarm).self, from: ThreadSafeContainer()) }.value
        }
        XCTAssertEqual(found.count, 1)
    }

    func testWhatIsRightPasses() throws {
        let box = container()
        let found = try failures {
            expectResolves(Watch.self, from: box)
            expectSameInstance(Watch.self, from: box)
            expectEverythingBuilds(from: box)
            try expectReleased { Watch(try box.require((any Clock).self)) }
        }
        XCTAssertEqual(found.count, 0)
    }

    func testAResolverOfItsOwnIsCurrentAndDropped() async throws {
        nonisolated(unsafe) var kept: ThreadSafeContainer?  // Written by this test alone.
        let found = try await failures {
            try await withResolver(container()) { box in
                await Task.yield()
                XCTAssertTrue(try CurrentResolver.get(as: ThreadSafeContainer.self) === box)
            }
            withResolver(container()) { kept = $0 }
        }
        XCTAssertEqual(found.count, 1)
        XCTAssertTrue(
            found[0].text.hasSuffix(
                "ThreadSafeContainer of the test lives on after it: an object or a task still holds it"
            )
        )
        XCTAssertNotNil(kept)
        XCTAssertNil(CurrentResolver.resolver)
    }

    // MARK: Tests that cannot see each other

    func testManyInParallelDoNotSeeEachOthersOverrides() async {
        let shared = container()
        for _ in 0..<20 {
            await withTaskGroup(of: [String].self) { group in
                for number in 0..<200 {
                    group.addTask { await Isolation.namesSeen(by: "\(number)", over: shared) }
                }
                for await wrong in group { XCTAssertEqual(wrong, []) }
            }
        }
        XCTAssertEqual(shared.resolve(Watch.self)?.clock.name, "wall")
    }
}
