import Foundation

/// Reads the dates of RSS in the dialects that are out there.
///
/// `Sun, 01 Mar 2026 12:30:05 GMT` is the full form. The weekday and its comma, the seconds and the zone may be
/// missing, the year may have two digits, the month may be written out, and the zone is a name or a number.
enum RFC822Date {
    /// Nil if the text is of another form or names a day or time there is not. A wrong weekday is overlooked.
    static func parse(_ text: some StringProtocol) -> Date? {
        var words = text.replacingOccurrences(of: ",", with: " ").split(whereSeparator: \.isWhitespace)[...]
        if let first = words.first, first.first?.isLetter == true { words = words.dropFirst() }
        // Some write the three parts of the day with hyphens.
        if let first = words.first, first.contains("-") {
            words = (first.split(separator: "-", omittingEmptySubsequences: false) + words.dropFirst())[...]
        }
        guard let day = words.popFirst().flatMap({ DateNumber.parse($0) }),
            let month = words.popFirst().flatMap(month),
            let year = words.popFirst().flatMap(year)
        else { return nil }
        var civil = CivilTime(year: year, month: month, day: day)
        if let time = words.popFirst() {
            guard read(time: time, into: &civil) else { return nil }
        }
        // A zone in words, such as "Eastern Time", has more than one; none of them is known anyway.
        guard let offset = TimeZoneOffset.minutes(words.popFirst() ?? "") else { return nil }
        civil.offsetInMinutes = offset
        return civil.date
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func month(_ word: Substring) -> Int? {
        months.firstIndex(of: word.prefix(3).lowercased()).map { $0 + 1 }
    }

    /// Two digits mean 1970 to 2069: there were no feeds before.
    private static func year(_ word: Substring) -> Int? {
        guard let year = DateNumber.parse(word) else { return nil }
        guard word.count == 2 else { return year }
        return year < 70 ? 2000 + year : 1900 + year
    }

    private static func read(time: Substring, into civil: inout CivilTime) -> Bool {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hour = DateNumber.parse(parts[0]),
            let minute = DateNumber.parse(parts[1])
        else { return false }
        civil.hour = hour
        civil.minute = minute
        if parts.count == 3 {
            guard let second = Double(parts[2]) else { return false }
            civil.second = second
        }
        return true
    }
}
