import Foundation

/// A date and a time of day as a calendar and a clock show them, with the distance of that clock from UTC.
struct CivilTime {
    var year: Int
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0.0
    /// East of Greenwich is positive.
    var offsetInMinutes = 0

    /// The moment; nil if there is no such day or time. A leap second counts as the start of the next minute.
    var date: Date? {
        guard (1...9999).contains(year), (1...12).contains(month), (1...daysInMonth).contains(day),
            (0...24).contains(hour), (0...59).contains(minute), (0..<61).contains(second),
            hour < 24 || (minute == 0 && second == 0), abs(offsetInMinutes) <= 24 * 60
        else { return nil }
        let minutes = (daysSince1970 * 24 + hour) * 60 + minute - offsetInMinutes
        return Date(timeIntervalSince1970: Double(minutes) * 60 + second)
    }

    private var isLeapYear: Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    private var daysInMonth: Int {
        switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts in years that begin in March, so that the leap day is the last of a year.
    private var daysSince1970: Int {
        let marchYear = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        let daysFromMarchOfYear0To1970 = 719_468
        return marchYear * 365 + leapDays + dayOfYear - daysFromMarchOfYear0To1970
    }
}
