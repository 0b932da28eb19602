import FeedModel
import Foundation
import Testing

@Suite("The date of an item")
struct DateTests {
    private func parse(_ text: String) throws -> Date? {
        try Documents.parseRSS("<item><guid>1</guid><pubDate>\(text)</pubDate></item>").items.first?.published
    }

    /// Seconds since 1970 of 1 March 2026, 12:30:05 UTC.
    private static let moment = 1_772_368_205.0

    @Test(
        "is read in each dialect of RFC 822",
        arguments: [
            "Sun, 01 Mar 2026 12:30:05 GMT", "Sun, 1 Mar 2026 12:30:05 +0000", "1 Mar 2026 12:30:05 UT",
            "Sunday, 01 March 2026 12:30:05 Z", "Sun 01 Mar 2026 12:30:05 UTC", "01 Mar 26 12:30:05 GMT",
            "Sun, 01 Mar 2026 07:30:05 EST", "Sun, 01 Mar 2026 08:30:05 EDT", "Sun, 01 Mar 2026 04:30:05 PST",
            "Sun, 01 Mar 2026 13:30:05 +0100", "Sun, 01 Mar 2026 13:30:05 +01:00", "Sun, 01 Mar 2026 13:30:05 CET",
            "Sun, 01 Mar 2026 09:00:05 -0330", "Sun, 01 Mar 2026 13:30:05 GMT+1", "Fri, 01 Mar 2026 12:30:05 GMT",
            "Sun,01 Mar 2026 12:30:05", "01-Mar-2026 12:30:05 GMT", "\n Sun, 01  Mar 2026 12:30:05  GMT \n",
            "sun, 01 mar 2026 12:30:05 gmt",
        ]
    )
    func rfc822(text: String) throws {
        #expect(try parse(text)?.timeIntervalSince1970 == Self.moment)
    }

    @Test(
        "is read in each form of RFC 3339 and ISO 8601",
        arguments: [
            "2026-03-01T12:30:05Z", "2026-03-01t12:30:05z", "2026-03-01 12:30:05Z", "2026-03-01T12:30:05",
            "2026-03-01T13:30:05+01:00", "2026-03-01T13:30:05+0100", "2026-03-01T13:30:05+01",
            "2026-03-01T12:30:05.000Z", "2026-02-28T22:30:05-14:00", "2026-03-01T12:30:05 GMT",
        ]
    )
    func rfc3339(text: String) throws {
        #expect(try parse(text)?.timeIntervalSince1970 == Self.moment)
    }

    @Test(
        "may leave out what is not known",
        arguments: [
            ("Sun, 01 Mar 2026 12:30 GMT", 1_772_368_200.0), ("2026-03-01T12:30Z", 1_772_368_200),
            ("01 Mar 2026", 1_772_323_200), ("2026-03-01", 1_772_323_200), ("2026-03", 1_772_323_200),
            ("2026", 1_767_225_600), ("2026-03-01T12:30:05.25Z", 1_772_368_205.25),
            ("2026-03-01T24:00:00Z", 1_772_409_600), ("01 Jan 70 00:00 GMT", 0), ("31 Dec 99 00:00 GMT", 946_598_400),
            ("2024-02-29", 1_709_164_800), ("1969-12-31T23:59:59Z", -1), ("2016-12-31T23:59:60Z", 1_483_228_800),
        ]
    )
    func partial(text: String, seconds: Double) throws {
        #expect(try parse(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "is left open where it makes no sense",
        arguments: [
            "", "yesterday", "Sun, 32 Mar 2026 12:30:05 GMT", "2026-02-29", "2100-02-29", "2026-13-01",
            "2026-03-01T25:00:00Z", "2026-03-01T12:60:00Z", "2026-03-01T12:30:05 Mars", "01 Foo 2026 12:30 GMT",
            "01 Mar 2026 noon", "01 Mar 2026 12:30:05 XYZ", "2026-+3-01", "2026-03-01T", "-1 Mar 2026",
            "99999999999999999999", "2026-03-01T12:30:nanZ", "2026-03-01T12:30:05+99999",
        ]
    )
    func nonsense(text: String) throws {
        #expect(try parse(text) == nil)
    }
}
