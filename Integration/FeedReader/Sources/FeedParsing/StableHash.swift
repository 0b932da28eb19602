/// A hash that is the same in every run, unlike that of the standard library: it ends up in a database.
///
/// FNV-1a with 64 bits. It tells the entries of one feed apart; it does not keep anybody from making two alike.
enum StableHash {
    /// Sixteen hexadecimal digits. Each part is followed by a byte no text contains, so parts cannot flow together.
    static func text(of parts: [String]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for part in parts {
            for byte in Array(part.utf8) + [0xFF] {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
            }
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
