/// What a server gave out to recognise a version of a feed by, to be shown to it at the next fetch.
///
/// The values are the server's own text and are sent back as they came.
public struct CacheValidators: Hashable, Sendable {
    /// The value of the `ETag` header.
    public let entityTag: String?

    /// The value of the `Last-Modified` header.
    public let lastModified: String?

    /// Nil if there is neither value: such a server cannot be asked for changes only.
    public init?(entityTag: String?, lastModified: String?) {
        guard entityTag != nil || lastModified != nil else { return nil }
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}
