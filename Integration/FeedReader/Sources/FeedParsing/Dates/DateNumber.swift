/// Reads the numbers dates are made of: digits only, where `Int` would take a sign as well.
enum DateNumber {
    /// Nil for anything but one to nine ASCII digits.
    static func parse(_ text: some StringProtocol) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
