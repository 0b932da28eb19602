public import FeedModel

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Reads feeds from web servers.
///
///     let fetcher = HTTPFetcher()
///     let patient = HTTPFetcher(configuration: .ephemeral, limits: FetchLimits(seconds: 60))
///
/// Follows redirects; relative links then start from where the document was found. Transfers nothing if the
/// server says that the feed is what it was. Has one `URLSession` of its own, because it takes a delegate of
/// the session to see the bytes as they come and to stop at the limit; what the session does is decided by the
/// configuration that is passed in. Foundation on Linux holds no server back: what arrives until the session
/// has stopped a download is in memory as well.
public final class HTTPFetcher: FeedFetcher {
    private let limits: FetchLimits
    private let downloads: DownloadDelegate
    private let session: URLSession

    /// The default configuration keeps neither cookies nor a cache: the store remembers what is needed.
    public init(configuration: URLSessionConfiguration = .ephemeral, limits: FetchLimits = FetchLimits()) {
        self.limits = limits
        downloads = DownloadDelegate(byteLimit: limits.bytes)
        session = URLSession(configuration: configuration, delegate: downloads, delegateQueue: nil)
    }

    deinit {
        // A session keeps itself and its delegate alive until it is told to stop.
        session.finishTasksAndInvalidate()
    }

    /// Yes for web addresses.
    public func canFetch(_ source: FeedSource) -> Bool {
        source.kind == .web
    }

    /// Asks the server. Throws `FeedError.httpStatus`, `timedOut`, `connectionFailed` or `tooLarge`, or
    /// `CancellationError`.
    public func fetch(_ source: FeedSource, validators: CacheValidators?) async throws -> FetchOutcome {
        let (data, response) = try await download(request(for: source, validators: validators), of: source)
        switch response.statusCode {
        case 200..<300:
            let document = FeedDocument(data: data, source: source, baseURL: response.url)
            return .fetched(document, Self.validators(of: response))
        case 304 where validators != nil:
            return .unchanged
        default:
            throw FeedError.httpStatus(source, code: response.statusCode)
        }
    }

    private func request(for source: FeedSource, validators: CacheValidators?) -> URLRequest {
        var request = URLRequest(url: source.url, cachePolicy: .reloadIgnoringLocalCacheData)
        // Later than the clock in `download`, and in whole seconds: Linux cuts off the rest, and of 0.5 leaves
        // nothing.
        request.timeoutInterval = limits.seconds.rounded(.up) + 1
        request.setValue("FeedReader (swift-di)", forHTTPHeaderField: "User-Agent")
        request.setValue(
            "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, */*;q=0.1",
            forHTTPHeaderField: "Accept"
        )
        if let entityTag = validators?.entityTag {
            request.setValue(entityTag, forHTTPHeaderField: "If-None-Match")
        }
        if let lastModified = validators?.lastModified {
            request.setValue(lastModified, forHTTPHeaderField: "If-Modified-Since")
        }
        return request
    }

    /// The session's own timeout starts anew with every byte, so a server that dribbles would hold a refresh
    /// for hours: the download races against a clock.
    private func download(_ request: URLRequest, of source: FeedSource) async throws -> (Data, HTTPURLResponse) {
        try await withThrowingTaskGroup { [downloads, session, limits] group in
            group.addTask {
                try await downloads.run(session.dataTask(with: request), of: source)
            }
            group.addTask {
                try await Task.sleep(for: .seconds(limits.seconds))
                throw FeedError.timedOut(source, seconds: limits.seconds)
            }
            defer { group.cancelAll() }
            do {
                guard let first = try await group.next() else { throw CancellationError() }
                return first
            } catch let error as URLError where error.code == .timedOut {
                throw FeedError.timedOut(source, seconds: limits.seconds)
            } catch let error as URLError {
                throw FeedError.connectionFailed(source, reason: ConnectionFailure.words(for: error))
            }
        }
    }

    private static func validators(of response: HTTPURLResponse) -> CacheValidators? {
        CacheValidators(
            entityTag: response.value(forHTTPHeaderField: "ETag"),
            lastModified: response.value(forHTTPHeaderField: "Last-Modified")
        )
    }
}
