import Foundation

/// Reads a date of a feed in whichever form it comes: RSS feeds have ISO dates, and the other way round.
enum FeedDate {
    /// Nil if the text is of no known form.
    static func parse(_ text: String?) -> Date? {
        guard let text else { return nil }
        return RFC3339Date.parse(text) ?? RFC822Date.parse(text)
    }
}
