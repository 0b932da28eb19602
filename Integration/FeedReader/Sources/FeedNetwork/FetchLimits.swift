/// How much of time and memory one feed may take.
public struct FetchLimits: Hashable, Sendable {
    /// For the whole of one fetch, redirects included.
    public var seconds: Double

    /// For the document after decompression.
    public var bytes: Int

    /// The defaults suit a person who waits, and feeds with their full texts.
    public init(seconds: Double = 20, bytes: Int = 8 * 1024 * 1024) {
        self.seconds = seconds
        self.bytes = bytes
    }
}
