package import FeedModel

/// Makes the readings of feeds, each when its feed is known.
package struct FeedReadings {
    /// Makes the reading of a feed.
    package let make: (Feed) throws -> FeedReading

    /// Takes how it is made.
    package init(make: @escaping (Feed) throws -> FeedReading) {
        self.make = make
    }
}
