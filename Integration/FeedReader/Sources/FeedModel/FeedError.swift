/// What can go wrong in the reader, each case with what a person needs to know about it.
///
/// `description` is one line in plain words. Lower-level errors are put into words where they are met, so a value is
/// `Sendable` and comparable.
public enum FeedError: Error, Hashable, Sendable {
    // MARK: Sources

    /// The text is no address of a kind that can be read.
    case unsupportedAddress(String)
    /// No fetcher takes sources of this kind.
    case noFetcher(FeedSource)
    /// There is no sample of this name; the others are listed.
    case unknownSample(FeedSource, known: [String])
    /// There is no such file.
    case noSuchFile(path: String)
    /// The file is there and cannot be read.
    case unreadableFile(path: String, reason: String)

    // MARK: Network

    /// The server answered with a status other than success.
    case httpStatus(FeedSource, code: Int)
    /// The whole answer did not arrive in time.
    case timedOut(FeedSource, seconds: Double)
    /// There was no connection, or it broke.
    case connectionFailed(FeedSource, reason: String)
    /// The feed is larger than the reader accepts.
    case tooLarge(FeedSource, limit: Int)

    // MARK: Parsing

    /// No parser knows the document; `found` says what it looks like.
    case notAFeed(FeedSource, found: String)
    /// The XML breaks off or breaks the rules.
    case malformedXML(FeedSource, line: Int, reason: String)
    /// The JSON breaks off or breaks the rules; the line where it is known.
    case malformedJSON(FeedSource, line: Int?, reason: String)
    /// The document is of the format and lacks something no feed of it can be without.
    case incompleteFeed(FeedSource, reason: String)

    // MARK: Storage

    /// The SQLite library was found under none of its names.
    case sqliteMissing(names: [String], reason: String)
    /// The file is not a database.
    case notADatabase(path: String)
    /// The file is a database of another program.
    case foreignDatabase(path: String)
    /// The database was written by a newer version of the reader.
    case databaseTooNew(path: String, version: Int, supported: Int)
    /// SQLite refused to do something.
    case databaseFailed(path: String, reason: String)

    // MARK: Lookups

    /// There is no item of this number.
    case unknownItem(String)
    /// Nobody subscribed to this feed.
    case unknownFeed(FeedSource)
}
