public import Foundation

/// The bytes of a feed as they arrived, with what a parser has to know about where they came from.
public struct FeedDocument: Hashable, Sendable {
    /// The bytes, untouched.
    public var data: Data

    /// Where they were asked for: what an error names.
    public var source: FeedSource

    /// Where they were found after redirects: what relative links start from.
    public var baseURL: URL

    /// Without a base, relative links start from the source itself.
    public init(data: Data, source: FeedSource, baseURL: URL? = nil) {
        self.data = data
        self.source = source
        self.baseURL = baseURL ?? source.url
    }
}
