public import Foundation

/// Where a feed is read from: a web address, a file, or a sample that ships with the reader.
///
///     let blog = try FeedSource("https://example.org/feed.xml")
///     let saved = try FeedSource("Downloads/feed.xml")
///
/// A source is checked when it is made, so whoever holds one never meets an address nobody can fetch.
/// Two spellings of one address that differ only in the case of the host or in a fragment are equal.
public struct FeedSource: Hashable, Sendable {
    /// What has to be done to read a source.
    public enum Kind: Hashable, Sendable {
        /// Ask a web server, over `http` or `https`.
        case web
        /// Read a file of this machine.
        case file
        /// Read a feed that is part of the reader itself, such as `sample:bakery`.
        case sample
    }

    /// The absolute address, in a normal form: it is the identity of the feed in a store.
    public let url: URL

    /// How the address has to be read.
    public let kind: Kind

    /// Takes an absolute address.
    ///
    /// Throws `FeedError.unsupportedAddress` unless it is a web address with a host, a `file:` or a `sample:`
    /// address.
    public init(url: URL) throws {
        switch url.scheme?.lowercased() {
        case "http", "https":
            guard let normal = Self.normalWebURL(url) else {
                throw FeedError.unsupportedAddress(url.absoluteString)
            }
            self.url = normal
            kind = .web
        case "file":
            self.url = url.standardizedFileURL.absoluteURL
            kind = .file
        case "sample":
            self.url = url
            kind = .sample
        default:
            throw FeedError.unsupportedAddress(url.absoluteString)
        }
    }

    /// Takes what a person typed: an address with its scheme, or else the path of a file.
    ///
    /// A relative path starts at the current directory. Throws `FeedError.unsupportedAddress`.
    public init(_ text: String) throws {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let hasScheme = text.contains("://") || text.hasPrefix("file:") || text.hasPrefix("sample:")
        if !hasScheme, !text.isEmpty {
            try self.init(url: URL(fileURLWithPath: text))
        } else if let url = URL(string: text) {
            try self.init(url: url)
        } else {
            throw FeedError.unsupportedAddress(text)
        }
    }

    private static func normalWebURL(_ url: URL) -> URL? {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = parts.encodedHost, !host.isEmpty
        else { return nil }
        parts.scheme = parts.scheme?.lowercased()
        parts.encodedHost = host.lowercased()
        parts.fragment = nil
        return parts.url
    }
}

extension FeedSource: CustomStringConvertible {
    /// What a person would type: the path of a file, the address of anything else.
    public var description: String {
        switch kind {
        case .file: url.path(percentEncoded: false)
        case .web, .sample: url.absoluteString
        }
    }
}
