import FeedModel
import Foundation

/// A day that does not pass: 16 March 2026, noon in Greenwich.
struct FixedDateProvider: DateProvider {
    let now = Date(timeIntervalSince1970: 1_773_662_400)
}
