// sample: readme-first-use
import DICore
import DIScopes
// end sample
import Testing

@Suite("README")
struct ReadmeTests {
    @Test("The first use gives what its comments say")
    func firstUse() throws {
        // sample: readme-first-use
        protocol Journal { func write(_ line: String) -> String }
        struct Diary: Journal { func write(_ line: String) -> String { "noted: \(line)" } }
        struct Greeter {
            let journal: any Journal
            let name: String
            func greet() -> String { journal.write("hello, \(name)") }
        }

        let container = Container()
        container.register((any Journal).self, scope: .container) { _ in Diary() }
        container.register(Greeter.self) { (r, name: String) in
            Greeter(journal: try r.require((any Journal).self), name: name)
        }
        let greeter = try container.require(Greeter.self, argument: "Ada")
        print(greeter.greet())  // noted: hello, Ada
        // end sample
        #expect(greeter.greet() == "noted: hello, Ada")
    }
}
