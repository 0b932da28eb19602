import DICore
import DIScopes
import DITestSupport
import Testing

// sample: scopes-own
final class SessionStorage: InstanceStorage {
    var instance: Any?
}

extension ObjectScopeProtocol where Self == ObjectScope {
    static var session: ObjectScope { .session }
}

extension ObjectScope {
    static let session = ObjectScope(
        storageFactory: SessionStorage.init,
        description: "session"
    )
}
// end sample

// sample: scopes-cell
final class FastSessionStorage: InstanceStorage {
    private let cell = InstanceCell()

    var instance: Any? {
        get { cell.instance }
        set { cell.instance = newValue }
    }

    var sharedCell: InstanceCell? { cell }
}
// end sample

// sample: scopes-composite
extension ObjectScope {
    static let screen = ObjectScope(
        storageFactory: WeakStorage.init,
        description: "screen",
        parent: ObjectScope.session
    )
}
// end sample

@Suite("Guide: scopes")
struct ScopesGuideTests {
    final class Database {}
    final class ImageCache {}
    final class Basket {}
    struct Settings: Equatable { var language = "en" }

    @Test("The scope is said at the registration")
    func standard() throws {
        let container = Container()
        // sample: scopes-standard
        container.register(Database.self, scope: .container) { _ in Database() }
        container.register(ImageCache.self, scope: .weak) { _ in ImageCache() }
        container.register(Settings.self, scope: .expiring(after: .seconds(600))) { _ in Settings() }
        container.register(Basket.self, scope: .transient) { _ in Basket() }
        // end sample
        #expect(try container.require(Database.self) === container.require(Database.self))
        #expect(try container.require(Basket.self) !== container.require(Basket.self))
        var cache: ImageCache? = try container.require(ImageCache.self)
        #expect(container.resolve(ImageCache.self) === cache)
        weak let observed = cache
        cache = nil
        #expect(observed == nil)
        #expect(try container.require(Settings.self) == Settings())
    }

    @Test("A scope of one's own keeps, and is reset apart from others")
    func own() throws {
        let container = Container()
        container.register(Database.self, scope: .container) { _ in Database() }
        // sample: scopes-reset
        container.register(Basket.self, scope: .session) { _ in Basket() }

        let basket = container.resolve(Basket.self)
        container.resetObjectScope(.session)
        let other = container.resolve(Basket.self)  // another one
        // end sample
        #expect(basket != nil && other != nil && basket !== other)
        let database = container.resolve(Database.self)
        container.resetObjectScope(.session)
        #expect(container.resolve(Database.self) === database)
    }

    @Test("A storage with a cell keeps, is set from outside and is reset")
    func cell() throws {
        let scope = ObjectScope(storageFactory: FastSessionStorage.init, description: "fast")
        let container = Container()
        container.register(Basket.self, scope: scope) { _ in Basket() }
        let basket = container.resolve(Basket.self)
        #expect(container.resolve(Basket.self) === basket)
        container.resetObjectScope(scope)
        #expect(container.resolve(Basket.self) !== basket)
    }

    @Test("A composite scope answers while one of its storages has the instance")
    func composite() throws {
        let container = Container()
        container.register(Basket.self, scope: ObjectScope.screen) { _ in Basket() }
        let first = container.resolve(Basket.self).map(ObjectIdentifier.init)
        #expect(container.resolve(Basket.self).map(ObjectIdentifier.init) == first)
    }

    @Test("A type that conforms to the scope protocol is a scope")
    func ownType() throws {
        // sample: scopes-own-type
        final class TenantScope: ObjectScopeProtocol {
            let residence = Residence.askingContainer
            let lifetimeRank = LifetimeRank.perContainer

            func makeStorage() -> any InstanceStorage { PermanentStorage() }
        }
        let tenantScope = TenantScope()
        let root = Container()
        root.register(Database.self, scope: tenantScope) { _ in Database() }
        let north = root.createChild()
        let south = root.createChild()
        // end sample
        #expect(try north.require(Database.self) === north.require(Database.self))
        #expect(try north.require(Database.self) !== south.require(Database.self))
    }

    @Test("A scope that comes too late is an error that observers are told")
    func late() throws {
        let container = Container()
        let recorder = EventRecorder(.failures)
        container.addObserver(recorder)
        let entry = container.register(Basket.self) { _ in Basket() }
        _ = container.resolve(Basket.self)
        entry.inObjectScope(.container)
        #expect(recorder.failures.map(\.code) == [.scopeChanged])
    }
}
