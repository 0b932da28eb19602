import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Testing

private final class Screen {}

@Suite("Views and actors")
struct ViewIsolationTests {
    @MainActor
    private static func view() -> any Resolver & Sendable {
        let box = Container()
        box.register(Screen.self, scope: .container) { _ in Screen() }
        return box.synchronize()
    }

    @Test("T8: a view builds what was registered on the main actor there")
    @MainActor
    func onTheActor() throws {
        let view = ViewIsolationTests.view()
        #expect(try view.require(Screen.self) === view.require(Screen.self))
    }

    @Test(
        "T8: a view that is asked off the main actor for what was registered on it ends the program, and names the key"
    )
    func offTheActor() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let view = await ViewIsolationTests.view()
            await Task.detached { _ = view.resolve(Screen.self) }.value
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Screen was registered on an actor (DIThreadSafeTests/ViewIsolationTests.swift:"))
        #expect(text.contains("and can be built there alone"))
    }
}
