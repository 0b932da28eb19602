import Foundation

/// Reads the dates of Atom and JSON Feed, and the shorter forms of ISO 8601 that feeds use as well.
///
/// From `2026` over `2026-03-01` to `2026-03-01T12:30:05.25+01:00`; the `T` may be a space, the zone may lack
/// its colon, and without a zone the time is UTC.
enum RFC3339Date {
    /// Nil if the text is of another form or names a day or time there is not.
    static func parse(_ text: some StringProtocol) -> Date? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let separator = text.firstIndex { $0 == "T" || $0 == "t" || $0 == " " }
        guard var civil = day(text[..<(separator ?? text.endIndex)]) else { return nil }
        if let separator {
            guard read(time: text[text.index(after: separator)...], into: &civil) else { return nil }
        }
        return civil.date
    }

    private static func day(_ text: Substring) -> CivilTime? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts[0].count == 4, let year = DateNumber.parse(parts[0]) else {
            return nil
        }
        var civil = CivilTime(year: year)
        if parts.count > 1 {
            guard let month = DateNumber.parse(parts[1]) else { return nil }
            civil.month = month
        }
        if parts.count > 2 {
            guard let day = DateNumber.parse(parts[2]) else { return nil }
            civil.day = day
        }
        return civil
    }

    private static func read(time text: Substring, into civil: inout CivilTime) -> Bool {
        let zoneStart = text.firstIndex { !$0.isNumber && $0 != ":" && $0 != "." && $0 != "," } ?? text.endIndex
        let parts = text[..<zoneStart].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hour = DateNumber.parse(parts[0]),
            let minute = DateNumber.parse(parts[1]), let offset = TimeZoneOffset.minutes(text[zoneStart...])
        else { return false }
        civil.hour = hour
        civil.minute = minute
        civil.offsetInMinutes = offset
        if parts.count == 3 {
            guard let second = Double(parts[2].replacingOccurrences(of: ",", with: ".")) else { return false }
            civil.second = second
        }
        return true
    }
}
