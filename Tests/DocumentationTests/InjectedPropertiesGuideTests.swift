import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import DIWrappers
import Testing

extension InjectedPropertiesGuideTests {
    protocol Store: AnyObject, Sendable {
        var name: String { get }
    }

    final class FileStore: Store {
        let name: String
        init(_ name: String = "files") { self.name = name }
    }

    protocol Tracker: AnyObject, Sendable {}
    final class Search: Sendable {}
    final class Draft: Sendable {}
    final class Coordinator: Sendable {}

    struct Page: Sendable, Equatable {
        let title: String
        var number = 1
    }

    final class Reader {
        @Injected var store: any Store
    }

    // sample: injected-kinds
    final class FeedScreen {
        @Injected var store: any Store
        @Injected(name: "images") var images: any Store
        @Injected var tracker: (any Tracker)?  // nil where none is registered
        @LazyInjected var search: Search
        @ProvidedInjected var draft: Draft
        @WeakInjected var coordinator: Coordinator?
    }
    // end sample

    // sample: injected-forms
    final class Editor {
        @Injected(argument: "notes") var page: Page
        @LazyInjected(arguments: "notes", 7) var later: Page
        @Injected var store: any Store

        init(resolver: any Resolver) {
            _store = Injected(from: resolver)
        }
    }
    // end sample

    // sample: injected-by-hand
    final class Printer {
        @LazyInjected var search: Search
        let store: any Store

        init(resolver: any Resolver) throws {
            _search = LazyInjected(from: resolver)
            store = try resolver.require((any Store).self)
        }
    }
    // end sample
}

@Suite("Guide: injected properties")
struct InjectedPropertiesGuideTests {
    private static func container() -> ThreadSafeContainer {
        let container = ThreadSafeContainer()
        container.register((any Store).self, scope: .container) { _ in FileStore() }
        container.register((any Store).self, name: "images") { _ in FileStore("images") }
        container.register(Search.self) { _ in Search() }
        container.register(Draft.self) { _ in Draft() }
        container.register(Coordinator.self, scope: .weak) { _ in Coordinator() }
        container.register(Page.self) { (_, title: String) in Page(title: title) }
        container.register(Page.self) { (_, title: String, number: Int) in Page(title: title, number: number) }
        return container
    }

    @Test("Each kind of property is filled")
    func kinds() {
        let container = Self.container()
        CurrentResolver.withValue(container) {
            let screen = FeedScreen()
            #expect(screen.store === container.resolve((any Store).self))
            #expect(screen.images.name == "images")
            #expect(screen.tracker == nil)
            #expect(screen.search === screen.search)
            #expect(screen.draft !== screen.draft)
            #expect(screen.coordinator == nil)
            let other = Self.container()
            let editor = Editor(resolver: other)
            #expect(editor.page == Page(title: "notes"))
            #expect(editor.later == Page(title: "notes", number: 7))
            #expect(editor.store === other.resolve((any Store).self))
        }
    }

    @Test("An initializer that is given a resolver builds once what it keeps")
    func byHand() throws {
        let container = Self.container()
        let built = Counter()
        container.register((any Store).self) { _ in
            built.add()
            return FileStore()
        }
        container.register(Search.self) { _ in
            built.add()
            return Search()
        }
        try CurrentResolver.withValue(container) {
            let printer = try Printer(resolver: container)
            #expect(printer.store.name == "files")
            #expect(printer.search === printer.search)
        }
        #expect(built.value == 2)
    }

    @Test("The default of the process is set once")
    func bootstrap() async {
        await #expect(processExitsWith: .success) {
            // sample: injected-bootstrap
            let container = ThreadSafeContainer()
            container.register((any Store).self, scope: .container) { _ in FileStore() }
            try CurrentResolver.bootstrap(container)
            // end sample
            precondition(Reader().store.name == "files")
        }
        await #expect(processExitsWith: .success) { @MainActor in
            // sample: injected-confined
            let container = Container()
            container.register((any Store).self) { _ in FileStore() }
            try CurrentResolver.bootstrap(ConfinedResolver(container))
            // end sample
            precondition(Reader().store.name == "files")
        }
    }

    @Test("A task may have another")
    func value() {
        let container = Self.container()
        // sample: injected-value
        let name = CurrentResolver.withValue(container) {
            Reader().store.name
        }
        // end sample
        #expect(name == "files")
    }

    @Test("An instance is replaced")
    func replace() {
        let stub = FileStore("stub")
        CurrentResolver.withValue(Self.container()) {
            // sample: injected-replace
            let reader = Reader()
            reader.$store.replace(with: stub)
            // end sample
            #expect(reader.store === stub)
        }
    }
}
