/// Reads the zone at the end of a date.
enum TimeZoneOffset {
    /// Minutes east of Greenwich for `Z`, `GMT`, `EST`, `+0100`, `+01:00`, `+01`, `GMT+1`; zero for no zone at all.
    ///
    /// Nil for a name that is not known: a time that may be off by half a day is worse than none.
    static func minutes(_ text: some StringProtocol) -> Int? {
        var zone = Substring(text.uppercased().filter { !$0.isWhitespace })
        for prefix in ["GMT", "UTC"] where zone.count > 3 && zone.hasPrefix(prefix) {
            zone = zone.dropFirst(3)
        }
        guard let sign = zone.first else { return 0 }
        guard sign == "+" || sign == "-" else { return named[String(zone)] }
        guard let minutes = distance(zone.dropFirst()) else { return nil }
        return sign == "-" ? -minutes : minutes
    }

    private static func distance(_ text: Substring) -> Int? {
        let digits = text.filter { $0 != ":" }
        guard let number = DateNumber.parse(digits) else { return nil }
        switch digits.count {
        case 1, 2: return number * 60
        case 3, 4: return number / 100 * 60 + number % 100
        default: return nil
        }
    }

    /// The names of RFC 822 and a few that are unambiguous in practice.
    private static let named: [String: Int] = [
        "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "WET": 0,
        "EST": -300, "EDT": -240, "CST": -360, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420,
        "AKST": -540, "AKDT": -480, "HST": -600,
        "BST": 60, "WEST": 60, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180, "MSK": 180,
        "JST": 540, "KST": 540, "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780,
    ]
}
