import DIAssembly
import DICore
import DITesting
import DIThreadSafe
import DIWrappers
import FeedModel
import FeedNetwork
import Foundation
import Testing

@Suite(
    "The HTTP fetcher",
    .timeLimit(.minutes(1)),
    .container(ThreadSafeContainer()) { container in
        try container.apply(assemblies: [NetworkAssembly()])
        container.register(FetchLimits.self, instance: FetchLimits(seconds: 30, bytes: 100_000))
    }
)
struct HTTPFetcherTests {
    /// The one that the app gets, over all kinds of sources.
    @Injected private var fetcher: any FeedFetcher

    @Test("is put together by its assembly, and needs nothing else")
    func wiring() throws {
        let container = try CurrentResolver.get(as: ThreadSafeContainer.self)
        expectValidWiring(of: container, roots: [ServiceKey((any FeedFetcher).self)])
        expectEverythingBuilds(from: container)
    }

    @Test("brings the bytes as they are, and says where they were found")
    func success() async throws {
        let body = Data((0...255).map { UInt8($0) })
        let server = try TestServer { _ in .reply(status: 200, body: body) }
        defer { server.stop() }
        let source = try FeedSource(server.url("/feed"))
        let outcome = try await fetcher.fetch(source, validators: nil)
        #expect(outcome == .fetched(FeedDocument(data: body, source: source, baseURL: source.url), nil))
    }

    @Test("says what it is and what it would like, and asks for no changes without validators")
    func requestHeaders() async throws {
        let server = try TestServer { _ in .reply(status: 200) }
        defer { server.stop() }
        _ = try await fetcher.fetch(FeedSource(server.url("/feed?a=b")), validators: nil)
        let request = try #require(await server.requests.first { _ in true })
        #expect(request.path == "/feed?a=b")
        #expect(request.headers["user-agent"] == "FeedReader (swift-di)")
        #expect(request.headers["accept"]?.contains("application/rss+xml") == true)
        #expect(request.headers["if-none-match"] == nil)
        #expect(request.headers["if-modified-since"] == nil)
    }

    @Test("makes an error of any status but success", arguments: [400, 401, 404, 410, 429, 500, 503, 304])
    func status(code: Int) async throws {
        let server = try TestServer { _ in .reply(status: code, body: Data("<rss/>".utf8)) }
        defer { server.stop() }
        let source = try FeedSource(server.url("/feed"))
        await #expect(throws: FeedError.httpStatus(source, code: code)) {
            try await fetcher.fetch(source, validators: nil)
        }
    }

    @Test("hands out the server's validators, and learns by them that nothing changed")
    func conditional() async throws {
        let server = try TestServer { request in
            if request.headers["if-none-match"] == "\"v1\"",
                request.headers["if-modified-since"] == "Sun, 01 Mar 2026 12:30:05 GMT"
            {
                return .reply(status: 304)
            }
            let headers = ["ETag": "\"v1\"", "Last-Modified": "Sun, 01 Mar 2026 12:30:05 GMT"]
            return .reply(status: 200, headers: headers, body: Data("x".utf8))
        }
        defer { server.stop() }
        let source = try FeedSource(server.url("/feed"))
        guard case .fetched(_, let validators?) = try await fetcher.fetch(source, validators: nil) else {
            Issue.record("nothing was fetched")
            return
        }
        #expect(validators.entityTag == "\"v1\"")
        #expect(validators.lastModified == "Sun, 01 Mar 2026 12:30:05 GMT")
        #expect(try await fetcher.fetch(source, validators: validators) == .unchanged)
    }

    @Test("follows redirects, and relative links then start at the end of them", arguments: [301, 302, 307, 308])
    func redirect(code: Int) async throws {
        let server = try TestServer { request in
            request.path == "/old"
                ? .reply(status: code, headers: ["Location": "/new/feed"])
                : .reply(status: 200, body: Data("x".utf8))
        }
        defer { server.stop() }
        let source = try FeedSource(server.url("/old"))
        guard case .fetched(let document, _) = try await fetcher.fetch(source, validators: nil) else {
            Issue.record("nothing was fetched")
            return
        }
        #expect(document.source == source)
        #expect(document.baseURL.absoluteString == server.url("/new/feed"))
        #expect(document.data == Data("x".utf8))
    }

    @Test("says that an answer broke off")
    func truncated() async throws {
        let server = try TestServer { _ in .truncated(promised: 1000, body: Data("<rss>".utf8)) }
        defer { server.stop() }
        let source = try FeedSource(server.url("/feed"))
        let reason = "it broke before the answer was complete"
        await #expect(throws: FeedError.connectionFailed(source, reason: reason)) {
            try await fetcher.fetch(source, validators: nil)
        }
    }

    @Test("says that an answer is not HTTP", arguments: ["", "SSH-2.0-OpenSSH\r\n", "hello"])
    func notHTTP(answer: String) async throws {
        let server = try TestServer { _ in .raw(answer) }
        defer { server.stop() }
        let source = try FeedSource(server.url("/feed"))
        await #expect(throws: FeedError.connectionFailed(source, reason: "the answer is not HTTP")) {
            try await fetcher.fetch(source, validators: nil)
        }
    }

    @Test("does not follow a redirect out of the web, nor one in circles", arguments: ["file:///etc/hosts", "/feed"])
    func badRedirect(location: String) async throws {
        let server = try TestServer { _ in .reply(status: 302, headers: ["Location": location]) }
        defer { server.stop() }
        let source = try FeedSource(server.url("/feed"))
        await #expect(throws: FeedError.self) { try await fetcher.fetch(source, validators: nil) }
    }

    @Test("says that nothing answers")
    func refused() async throws {
        let closed = try LocalSocket()
        defer { withExtendedLifetime(closed) {} }
        let source = try FeedSource("http://127.0.0.1:\(closed.port)/feed")
        await #expect(throws: FeedError.connectionFailed(source, reason: "nothing answers there")) {
            try await fetcher.fetch(source, validators: nil)
        }
    }

    @Test("says that there is no such host")
    func unknownHost() async throws {
        let source = try FeedSource("http://no-such-host.invalid/feed")
        let reason = "there is no host of this name, or no network"
        await #expect(throws: FeedError.connectionFailed(source, reason: reason)) {
            try await fetcher.fetch(source, validators: nil)
        }
    }

    @Test("does not wait for a server that is silent, nor for one that dribbles")
    func timeout() async throws {
        let server = try TestServer { $0.path == "/silent" ? .silence : .dribble }
        defer { server.stop() }
        let impatient = HTTPFetcher(limits: FetchLimits(seconds: 0.3))
        for path in ["/silent", "/dribble"] {
            let source = try FeedSource(server.url(path))
            await #expect(throws: FeedError.timedOut(source, seconds: 0.3)) {
                try await impatient.fetch(source, validators: nil)
            }
        }
    }

    @Test("stops at the limit of the size, even if there would be no end")
    func tooLarge() async throws {
        let server = try TestServer { request in
            request.path == "/flood" ? .flood : .reply(status: 200, body: Data(count: 100_001))
        }
        defer { server.stop() }
        for path in ["/flood", "/large"] {
            let source = try FeedSource(server.url(path))
            await #expect(throws: FeedError.tooLarge(source, limit: 100_000)) {
                try await fetcher.fetch(source, validators: nil)
            }
        }
    }

    @Test("takes what just fits")
    func justFits() async throws {
        let server = try TestServer { _ in .reply(status: 200, body: Data(count: 100_000)) }
        defer { server.stop() }
        let source = try FeedSource(server.url("/feed"))
        guard case .fetched(let document, _) = try await fetcher.fetch(source, validators: nil) else {
            Issue.record("nothing was fetched")
            return
        }
        #expect(document.data.count == 100_000)
    }

    @Test("stops when its task is cancelled")
    func cancellation() async throws {
        let server = try TestServer { _ in .silence }
        defer { server.stop() }
        let source = try FeedSource(server.url("/feed"))
        let task = Task { [fetcher] in try await fetcher.fetch(source, validators: nil) }
        _ = await server.requests.first { _ in true }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("does not start when its task is cancelled already")
    func cancelledBefore() async throws {
        let server = try TestServer { _ in .silence }
        defer { server.stop() }
        let source = try FeedSource(server.url("/feed"))
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let task = Task { [fetcher] in
            // Ends when the task is cancelled.
            for await _ in gate {}
            return try await fetcher.fetch(source, validators: nil)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        opener.finish()
    }

    @Test("serves many callers at once, each with its own answer")
    func parallel() async throws {
        let server = try TestServer { .reply(status: 200, body: Data($0.path.utf8)) }
        defer { server.stop() }
        let sources = try (0..<40).map { try FeedSource(server.url("/\($0)")) }
        let bodies = try await withThrowingTaskGroup(of: (String, String).self) { group in
            for source in sources {
                group.addTask { [fetcher] in
                    guard case .fetched(let document, _) = try await fetcher.fetch(source, validators: nil) else {
                        return (source.url.path, "nothing")
                    }
                    return (source.url.path, String(decoding: document.data, as: UTF8.self))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies.count == 40)
        #expect(bodies.allSatisfy { $0 == $1 })
    }

    @Test("is for web addresses")
    func kinds() throws {
        let fetcher = HTTPFetcher(limits: FetchLimits())
        #expect(try fetcher.canFetch(FeedSource("https://example.org/")))
        #expect(try !fetcher.canFetch(FeedSource("/tmp/feed.xml")))
    }
}
