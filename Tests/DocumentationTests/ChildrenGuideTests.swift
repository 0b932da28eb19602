import DICore
import DIScopes
import DITestSupport
import Testing

@Suite("Guide: child containers")
struct ChildrenGuideTests {
    struct Style: Equatable { let name: String }
    struct Page: Equatable { let style: Style }
    struct Library: Equatable { let style: Style }
    final class Transaction {}

    @Test("An override in a child applies to what is built for the resolve, not to what the parent keeps")
    func overrides() throws {
        // sample: children-overrides
        let app = Container()
        app.register(Style.self) { _ in Style(name: "light") }
        app.autoregister(Page.self, initializer: Page.init)
        app.autoregister(Library.self, scope: .container, initializer: Library.init)

        let night = app.createChild()
        night.register(Style.self) { _ in Style(name: "dark") }

        let page = try night.require(Page.self)  // dark: built for the child that asks
        let library = try night.require(Library.self)  // light: kept by the parent, for everybody
        // end sample
        #expect(page.style.name == "dark")
        #expect(library.style.name == "light")
        #expect(try app.require(Page.self).style.name == "light")
    }

    @Test("A unit of work has instances of its own that end with it")
    func unitOfWork() throws {
        // sample: children-unit-of-work
        final class Repository {
            let transaction: Transaction
            init(transaction: Transaction) { self.transaction = transaction }
        }

        let app = Container()
        app.register(Transaction.self, scope: .perContainer) { _ in Transaction() }
        app.autoregister(Repository.self, initializer: Repository.init)

        func handleRequest() throws -> (Repository, Repository) {
            let request = app.createChild()
            return try (request.require(Repository.self), request.require(Repository.self))
        }

        let (orders, bills) = try handleRequest()  // two repositories in one transaction
        let (others, _) = try handleRequest()  // in another one
        // end sample
        #expect(orders !== bills)
        #expect(orders.transaction === bills.transaction)
        #expect(orders.transaction !== others.transaction)
    }

    @Test("Without sharing, an override applies to everything")
    func preview() throws {
        // sample: children-preview
        let app = Container()
        app.register(Style.self) { _ in Style(name: "light") }
        app.autoregister(Library.self, scope: .container, initializer: Library.init)

        let preview = app.createChild(sharing: .none)
        preview.register(Style.self) { _ in Style(name: "test") }

        let changed = try preview.require(Library.self)  // test: built and kept for the preview
        let original = try app.require(Library.self)  // light: the parent has noticed nothing
        // end sample
        #expect(changed.style.name == "test")
        #expect(original.style.name == "light")
    }

    @Test("An override that a kept service passes over is told to observers")
    func passedOver() throws {
        let app = Container()
        app.register(Style.self) { _ in Style(name: "light") }
        app.autoregister(Library.self, scope: .container, initializer: Library.init)
        let night = app.createChild()
        night.register(Style.self) { _ in Style(name: "dark") }
        let recorder = EventRecorder(.resolutions)
        night.addObserver(recorder)
        _ = try night.require(Library.self)
        let passedOver = recorder.events.filter { if case .overridePassedOver = $0.kind { true } else { false } }
        #expect(passedOver.map(\.key) == [ServiceKey(Style.self)])
    }
}
