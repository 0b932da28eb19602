public import FeedModel
import Foundation

/// Reads the samples.
public struct SampleFetcher: FeedFetcher {
    /// There is nothing to set.
    public init() {}

    /// Yes for samples, whether there is one of that name or not.
    public func canFetch(_ source: FeedSource) -> Bool {
        source.kind == .sample
    }

    /// Hands out the sample. Throws `FeedError.unknownSample`.
    public func fetch(_ source: FeedSource, validators: CacheValidators?) async throws -> FetchOutcome {
        let name = source.url.absoluteString.dropFirst("sample:".count)
        guard let data = SampleFeeds.data(named: String(name)) else {
            throw FeedError.unknownSample(source, known: SampleFeeds.names)
        }
        return .fetched(FeedDocument(data: data, source: source), nil)
    }
}
