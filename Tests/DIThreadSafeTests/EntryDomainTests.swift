import DICore
import DIScopes
import DITestSupport
import DIThreadSafe
import Testing

@Suite("Registrations and the containers that they belong to")
struct EntryDomainTests {
    final class Session {
        var number = 0
    }

    protocol Counting: Sendable {}
    final class Visits: Counting {}

    private static func failureText(_ content: [UInt8]) -> String { String(decoding: content, as: UTF8.self) }

    @Test(
        "T13: an entry that is in a shared container and is added to a plain one ends the program, with key and place"
    )
    func sharedIntoPlain() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let shared = ThreadSafeContainer()
            let entry = shared.register(Visits.self, name: "site", scope: .container) { _ in Visits() }
            Container().add(entry)
        }
        let text = Self.failureText(try #require(result).standardErrorContent)
        #expect(text.contains(#"Visits named "site" (DIThreadSafeTests"#))
        #expect(text.contains("EntryDomainTests.swift:"))
        #expect(text.contains("is registered in a ThreadSafeContainer and was added to a Container as well"))
    }

    @Test("T13: so does one that was found by looking around in the shared container")
    func foundInShared() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let shared = ThreadSafeContainer()
            shared.register(Visits.self, scope: .container) { _ in Visits() }
            let plain = Container()
            for entry in shared.visibleEntries { plain.add(entry) }
        }
        #expect(Self.failureText(try #require(result).standardErrorContent).contains("belongs to one container"))
    }

    @Test("T13: so does an entry of one plain container that is added to another one")
    func plainIntoPlain() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let entry = Container().register(Visits.self) { _ in Visits() }
            Container().add(entry)
        }
        #expect(
            Self.failureText(try #require(result).standardErrorContent)
                .contains("is registered in a container that has ended and was added to a Container as well")
        )
    }

    @Test(
        "T13: a type that threads share and that is forwarded to a plain container ends the program, with both places"
    )
    func forwardedElsewhere() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let plain = Container()
            let entry = plain.registrar.register(Visits.self) { _ in Visits() }
            ThreadSafeContainer().forward((any Counting).self, to: entry)
            withExtendedLifetime(plain) {}
        }
        let text = Self.failureText(try #require(result).standardErrorContent)
        #expect(text.contains("cannot be forwarded in a ThreadSafeContainer to EntryDomainTests.Visits ("))
        #expect(text.contains("which is registered in a Container"))
        #expect(text.components("EntryDomainTests.swift:") == 2)
    }

    @Test("T13: so does a type of a plain container that is forwarded to a container which threads share")
    func forwardedToShared() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let shared = ThreadSafeContainer()
            let plain = Container()
            plain.registrar.forward((any Counting).self, to: shared.register(Visits.self) { _ in Visits() })
        }
        let text = Self.failureText(try #require(result).standardErrorContent)
        #expect(text.contains("cannot be forwarded in a Container to EntryDomainTests.Visits ("))
        #expect(text.contains("several threads use one of them and not the other"))
    }

    @Test("A container may take back an entry of its own, and forward a type to one of a parent")
    func ownAgain() throws {
        let shared = ThreadSafeContainer()
        let entry = shared.register(Visits.self, scope: .container) { _ in Visits() }
        let child = shared.createChild()
        child.forward((any Counting).self, to: entry)
        #expect(try child.require((any Counting).self) as? Visits === shared.require(Visits.self))

        let plain = Container()
        let own = plain.register(Session.self, scope: .container) { _ in Session() }
        plain.remove(Session.self)
        #expect(plain.resolve(Session.self) == nil)
        plain.add(own)
        #expect(plain.resolve(Session.self) != nil)
    }

    @Test("T13: an unshared service stays in its graph under each type that it is forwarded to")
    func forwardedUnshared() throws {
        let shared = ThreadSafeContainer()
        let session = shared.registerUnshared(Session.self) { _ in Session() }
        shared.forward(AnyObject.self, to: session).inObjectScope(.transient)
        #expect(try shared.require(AnyObject.self) !== shared.require(AnyObject.self))
        session.inObjectScope(.graph)
        let id = GraphIdentifier()
        shared.withObjectGraph(id) { r in
            #expect(r.resolve(AnyObject.self) === r.resolve(Session.self))
        }
    }

    @Test("T13: a shared service keeps the scopes that share it under a type that says nothing of threads")
    func forwardedShared() throws {
        let shared = ThreadSafeContainer()
        shared.forward(AnyObject.self, to: shared.register(Visits.self) { _ in Visits() }).inObjectScope(.container)
        #expect(try shared.require(AnyObject.self) === shared.require(Visits.self))
    }
}

extension String {
    /// How often a text is in this one.
    fileprivate func components(_ text: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
