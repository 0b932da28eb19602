import DICore
import DIScopes
import DIThreadSafe
import Testing

@Suite("Views of a confined container")
struct ConfinedViewTests {
    @Test("A container over one that several threads use has no view, and the program says so")
    func confined() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ThreadSafeContainer().createConfinedChild().synchronize()
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("a container over one that several threads use has no views"))
    }

    @Test("Neither has a child of it")
    func childOfConfined() async {
        await #expect(processExitsWith: .failure) {
            _ = ThreadSafeContainer().createConfinedChild().createChild().synchronize()
        }
    }

    @Test("All views of a tree of plain containers pass one gate")
    func oneGate() throws {
        let root = Container()
        _ = root.synchronize()
        let gate = try #require(root.context.gate)
        let child = root.createChild()
        _ = child.synchronize()
        #expect(child.context.gate === gate)
        #expect(root.context.gate === gate)
    }
}
