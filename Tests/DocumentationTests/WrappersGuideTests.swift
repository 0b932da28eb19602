import DICore
import DIScopes
import DIThreadSafe
import DIWrappers
import Testing

// sample: wrappers-own
struct Attempt<Wrapped>: InstanceWrapper {
    let result: Result<Wrapped, ResolutionError>

    static func makeWrapper(from source: InstanceSource<Wrapped>) -> Attempt {
        Attempt(result: Result { () throws(ResolutionError) in try source.resolve() })
    }
}
// end sample

@Suite("Guide: wrappers")
struct WrappersGuideTests {
    final class SpellChecker {}
    final class Document {}

    @Test("Lazy builds once, Provider at each use")
    func lazyAndProvider() throws {
        // sample: wrappers-lazy
        final class Editor {
            let checker: Lazy<SpellChecker>
            let documents: Provider<Document>

            init(checker: Lazy<SpellChecker>, documents: Provider<Document>) {
                self.checker = checker
                self.documents = documents
            }
        }

        let container = Container()
        container.register(SpellChecker.self) { _ in SpellChecker() }
        container.register(Document.self) { _ in Document() }
        container.autoregister(Editor.self, initializer: Editor.init)

        let editor = try container.require(Editor.self)
        let checker = try editor.checker.get()  // built here
        let same = try editor.checker.get()  // the same one
        let first = try editor.documents.get()
        let second = try editor.documents.get()  // another one
        // end sample
        #expect(checker === same)
        #expect(first !== second)
    }

    struct Index: Sendable, Equatable {}
    struct Report: Sendable {
        let day: String
    }

    @Test("SendableLazy is opened by several tasks")
    func sendable() async throws {
        // sample: wrappers-sendable
        final class Search: Sendable {
            let index: SendableLazy<Index>

            init(index: SendableLazy<Index>) {
                self.index = index
            }
        }

        let shared = ThreadSafeContainer()
        shared.autoregister(Index.self, scope: .container, initializer: Index.init)
        shared.autoregister(Search.self, scope: .container, initializer: Search.init)

        let search = try shared.require(Search.self)
        async let here = search.index.get()
        async let there = search.index.get()  // one builds, the other waits for it
        // end sample
        #expect(try await here == there)

        shared.register(Report.self) { (_, day: String) in Report(day: day) }
        // sample: wrappers-sendable-arguments
        let report = try shared.requireSendable(SendableLazy<Report>.self, argument: "today")
        // end sample
        #expect(report.instance.day == "today")
    }

    @Test("A wrapper carries the name and the arguments of its request")
    func arguments() throws {
        // sample: wrappers-arguments
        let container = Container()
        container.register(String.self, name: "greeting") { (_, name: String) in "hello, \(name)" }

        let greeting = try container.require(Lazy<String>.self, name: "greeting", argument: "Ada")
        try print(greeting.get())  // hello, Ada
        // end sample
        #expect(try greeting.get() == "hello, Ada")
        #expect(container.resolve(Lazy<String>.self) == nil)
        #expect(container.resolve(Lazy<String>.self, name: "greeting", argument: 3) == nil)
    }

    @Test("An Optional is nil where nothing is registered, and fails where something is broken")
    func optional() throws {
        // sample: wrappers-optional
        struct Log {}
        struct Player {
            let log: Log?
            let volume: Int?
        }

        let container = Container()
        container.register(Int.self) { _ in 7 }
        container.autoregister(Player.self, initializer: Player.init)

        let player = try container.require(Player.self)  // log is nil, volume is 7
        // end sample
        #expect(player.log == nil)
        #expect(player.volume == 7)
        #expect(try container.require([Log]?.self)?.isEmpty == true)
        struct Broken: Error {}
        container.register(Int.self) { _ in throw Broken() }
        let error = try #require(throws: ResolutionError.self) { try container.require(Player.self) }
        #expect(error.code == .factoryThrew)
    }

    @Test("A wrapper whose container is gone says so")
    func containerGone() throws {
        // sample: wrappers-gone
        final class Menu {
            let checker: Lazy<SpellChecker>
            init(_ checker: Lazy<SpellChecker>) { self.checker = checker }
        }

        var container: Container? = Container()
        container?.register(SpellChecker.self) { _ in SpellChecker() }
        container?.autoregister(Menu.self, scope: .container, initializer: Menu.init)
        let menu = try #require(container?.resolve(Menu.self))
        container = nil

        do {
            _ = try menu.checker.get()
        } catch {
            print(error.code)  // containerGone
        }
        // end sample
        let error = try #require(throws: ResolutionError.self) { try menu.checker.get() }
        #expect(error.code == .containerGone)
    }

    @Test("A wrapper outside of a kept instance holds the container")
    func containerHeld() throws {
        func make() throws -> Lazy<SpellChecker> {
            let container = Container()
            container.register(SpellChecker.self) { _ in SpellChecker() }
            return try container.require(Lazy<SpellChecker>.self)
        }
        _ = try make().get()
    }

    @Test("A wrapper of one's own is made from a source")
    func own() throws {
        let container = Container()
        container.register(Int.self) { _ in 7 }
        // sample: wrappers-own-use
        let attempt = try container.require(Attempt<Int>.self)
        // end sample
        #expect(try attempt.result.get() == 7)
        #expect(container.resolve(Attempt<String>.self) == nil)
    }
}
