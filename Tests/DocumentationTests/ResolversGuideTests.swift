import DICore
import DIScopes
import Testing

@Suite("Guide: custom resolvers")
struct ResolversGuideTests {
    struct Port { let number: Int }
    struct Server { let port: Port }

    @Test("A decorating resolver sees the nested requests as well")
    func decorating() throws {
        // sample: resolvers-decorating
        final class CountingResolver: Resolver {
            let base: any Resolver
            private(set) var requests = 0

            init(_ base: any Resolver) { self.base = base }

            func locate(_ key: ServiceKey) -> LocatedEntry {
                requests += 1
                return base.locate(key)
            }

            func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] {
                base.contributions(to: serviceType)
            }

            var visibleEntries: [AnyServiceEntry] { base.visibleEntries }
        }

        let container = Container()
        container.register(Port.self) { _ in Port(number: 80) }
        container.autoregister(Server.self, initializer: Server.init)

        let counting = CountingResolver(container)
        _ = try counting.require(Server.self)
        print(counting.requests)  // 2: the server and its port
        // end sample
        #expect(counting.requests == 2)
    }

    @Test("A resolver with registrations of its own has everything that a container has")
    func registry() throws {
        // sample: resolvers-registry
        final class ModuleResolver: Resolver {
            private(set) lazy var context = ResolutionContext(for: self)

            func locate(_ key: ServiceKey) -> LocatedEntry { context.locate(key) }

            func add(_ entry: some ConfigurableEntry) { context.add(entry.anyEntry) }

            var visibleEntries: [AnyServiceEntry] { context.visibleEntries }
        }

        let module = ModuleResolver()
        module.add(ServiceEntry<Port>.make(scope: .container) { _ in Port(number: 80) })
        module.add(ServiceEntry<Server>.make(scope: .graph) { r in Server(port: try r.require(Port.self)) })

        let server = try module.require(Server.self)
        // end sample
        #expect(server.port.number == 80)
        let error = try #require(throws: ResolutionError.self) { try module.require(Int.self) }
        #expect(error.code == .notRegistered)
    }

    @Test("A resolver that only passes requests on may pass on what is not checked")
    func fast() throws {
        let container = Container()
        container.register(Port.self) { _ in Port(number: 80) }
        container.autoregister(Server.self, initializer: Server.init)
        // sample: resolvers-fast
        final class NamedResolver: Resolver {
            let name: String
            let base: any Resolver

            init(_ name: String, _ base: any Resolver) {
                self.name = name
                self.base = base
            }

            func locate(_ key: ServiceKey) -> LocatedEntry { base.locate(key) }

            func unsafeLocate(_ key: ServiceKey) -> UnsafeLocatedEntry { base.unsafeLocate(key) }

            func unsafeLocate(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry {
                base.unsafeLocate(unnamed: serviceType)
            }
        }

        let named = NamedResolver("ports", container)
        _ = try named.require(Server.self)
        // end sample
        #expect(try named.require(Server.self).port.number == 80)
    }
}
