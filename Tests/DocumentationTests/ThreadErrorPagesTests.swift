import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Foundation
import Synchronization
import Testing

private final class Left: Sendable {
    init(right: Right?) {}
}
private final class Right: Sendable {
    init(left: Left) {}
}

/// Two threads meet; the one that asks for `Right` goes on a little later, so that it is the one that finds the loop.
private final class Meeting: Sendable {
    private let arrived = Counter()
    private let everybodyIsHere = Gate()

    func meet() {
        let isLate = Thread.current.name == "right"
        if arrived.add() == 2 { everybodyIsHere.open() }
        everybodyIsHere.pass()
        if isLate { Thread.sleep(forTimeInterval: 0.1) }
    }
}

@Suite("The pages of the errors of threads")
struct ThreadErrorPagesTests {
    @Test("crossThreadCycle")
    func crossThreadCycle() throws {
        let both = Meeting()
        // sample: error-cross-thread-cycle
        let container = ThreadSafeContainer()
        container.register(Left.self, scope: .container) { r in
            both.meet()
            return Left(right: try r.require(Right.self))
        }
        container.register(Right.self, scope: .container) { r in
            both.meet()
            return Right(left: try r.require(Left.self))
        }
        // One thread asks for Left and another one for Right; `meet` returns when both are in their factories.
        // end sample
        let errors = Journal<ResolutionError>()
        Threads.hammer(2) { number in
            Thread.current.name = number == 0 ? "left" : "right"
            do throws(ResolutionError) {
                if number == 0 { _ = try container.require(Left.self) } else { _ = try container.require(Right.self) }
            } catch {
                errors.add(error)
            }
        }
        #expect(errors.entries.map(\.code) == [.crossThreadCycle, .crossThreadCycle])
        // Each thread is told of its own wish.
        #expect(Set(errors.entries.map(\.key.description)) == ["Left", "Right"])
        let error = try #require(errors.entries.first { $0.key.description == "Left" })
        try Output.expect("error-cross-thread-cycle", Output.withoutPlaces(error))
    }

    @Test("waitLimitExceeded")
    func waitLimitExceeded() throws {
        let isBuilding = Gate()
        let canEnd = Gate()
        // sample: error-wait-limit-exceeded
        let container = ThreadSafeContainer(waitLimit: .milliseconds(50))
        container.register(Left.self, scope: .container) { _ in
            isBuilding.open()
            canEnd.pass()
            return Left(right: nil)
        }
        // One thread asks for Left; while that is in the factory, another one asks for it as well.
        // end sample
        let errors = Journal<ResolutionError>()
        let built = Counter()
        Threads.hammer(2) { number in
            if number == 0 {
                if container.resolve(Left.self) != nil { built.add() }
            } else {
                isBuilding.pass()
                do throws(ResolutionError) {
                    _ = try container.require(Left.self)
                } catch {
                    errors.add(error)
                }
                canEnd.open()
            }
        }
        #expect(built.value == 1)
        let error = try #require(errors.entries.first)
        try Output.expect("error-wait-limit-exceeded", Output.withoutPlaces(error))
        #expect(error.code == .waitLimitExceeded)
    }
}
