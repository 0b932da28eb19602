package import FeedModel
package import Foundation

/// Dates as a person reads them, in one place and language.
package struct DateText: Sendable {
    private let clock: any DateProvider
    private let locale: Locale
    private let timeZone: TimeZone

    /// Takes the time, which decides what is this year, and where and how dates are written.
    package init(clock: any DateProvider, locale: Locale, timeZone: TimeZone) {
        self.clock = clock
        self.locale = locale
        self.timeZone = timeZone
    }

    /// At most eight characters: the day of a date of this year, the month of any other.
    package func short(_ date: Date) -> String {
        isThisYear(date)
            ? formatted(date, "\(day: .defaultDigits) \(month: .abbreviated)")
            : formatted(date, "\(month: .abbreviated) \(year: .padded(4))")
    }

    /// The day and the time.
    package func long(_ date: Date) -> String {
        formatted(
            date,
            """
            \(day: .defaultDigits) \(month: .abbreviated) \(year: .padded(4)), \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)
            """
        )
    }

    private func isThisYear(_ date: Date) -> Bool {
        calendar.isDate(date, equalTo: clock.now, toGranularity: .year)
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar
    }

    private func formatted(_ date: Date, _ format: Date.FormatString) -> String {
        date.formatted(Date.VerbatimFormatStyle(format: format, locale: locale, timeZone: timeZone, calendar: calendar))
    }
}
