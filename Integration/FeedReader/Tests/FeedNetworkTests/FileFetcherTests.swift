import FeedModel
import FeedNetwork
import Foundation
import Testing

@Suite("The file fetcher")
struct FileFetcherTests {
    private let fetcher = FileFetcher(limits: FetchLimits(bytes: 10))
    private let directory = TemporaryDirectory()

    @Test("brings the bytes as they are")
    func success() async throws {
        let body = Data([0, 255, 10, 13])
        let source = try FeedSource(directory.file("a feed.xml", containing: body))
        #expect(
            try await fetcher.fetch(source, validators: nil) == .fetched(FeedDocument(data: body, source: source), nil)
        )
    }

    @Test("brings an empty file")
    func empty() async throws {
        let source = try FeedSource(directory.file("empty.xml", containing: Data()))
        guard case .fetched(let document, _) = try await fetcher.fetch(source, validators: nil) else {
            Issue.record("nothing was fetched")
            return
        }
        #expect(document.data.isEmpty)
    }

    @Test("says that there is no such file")
    func missing() async throws {
        let path = directory.path("nowhere.xml")
        let source = try FeedSource(path)
        await #expect(throws: FeedError.noSuchFile(path: path)) { try await fetcher.fetch(source, validators: nil) }
    }

    @Test("says that a directory is not a feed")
    func isDirectory() async throws {
        let source = try FeedSource(directory.path(""))
        let error = await #expect(throws: FeedError.self) { try await fetcher.fetch(source, validators: nil) }
        #expect(error?.description.hasSuffix("cannot be read: it is a directory.") == true)
    }

    @Test("stops at the limit of the size")
    func tooLarge() async throws {
        let fits = try FeedSource(directory.file("fits.xml", containing: Data(count: 10)))
        let source = try FeedSource(directory.file("large.xml", containing: Data(count: 11)))
        _ = try await fetcher.fetch(fits, validators: nil)
        await #expect(throws: FeedError.tooLarge(source, limit: 10)) {
            try await fetcher.fetch(source, validators: nil)
        }
    }
}

@Suite("The fetcher that picks by scheme")
struct SchemeFetcherTests {
    private let directory = TemporaryDirectory()

    @Test("gives each source to the fetcher for it")
    func picks() async throws {
        let server = try TestServer { _ in .reply(status: 200, body: Data("web".utf8)) }
        defer { server.stop() }
        let fetcher = SchemeFetcher([HTTPFetcher(), FileFetcher()])
        for (text, body) in [
            (server.url("/"), "web"), (try directory.file("a.xml", containing: Data("file".utf8)), "file"),
        ] {
            let source = try FeedSource(text)
            #expect(fetcher.canFetch(source))
            guard case .fetched(let document, _) = try await fetcher.fetch(source, validators: nil) else {
                Issue.record("nothing was fetched")
                return
            }
            #expect(document.data == Data(body.utf8))
        }
    }

    @Test("says that there is none")
    func none() async throws {
        let source = try FeedSource("sample:bakery")
        let fetcher = SchemeFetcher([HTTPFetcher(), FileFetcher()])
        #expect(!fetcher.canFetch(source))
        await #expect(throws: FeedError.noFetcher(source)) { try await fetcher.fetch(source, validators: nil) }
    }
}
