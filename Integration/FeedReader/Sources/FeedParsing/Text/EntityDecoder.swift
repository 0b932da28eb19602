/// Replaces the character references of HTML by the characters.
enum EntityDecoder {
    /// Decodes once: `&amp;lt;` becomes `&lt;`.
    ///
    /// What is not a complete, known reference stays as it is, so `AT&T` and `?a=1&copy=2` survive.
    static func decode(_ text: some StringProtocol) -> String {
        var result = ""
        var rest = Substring(text)
        while let ampersand = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<ampersand]
            rest = rest[ampersand...]
            if let reference = reference(atStartOf: rest) {
                result.unicodeScalars.append(reference.scalar)
                rest = rest[reference.end...]
            } else {
                result += "&"
                rest = rest[rest.utf8.index(after: ampersand)...]
            }
        }
        return result + rest
    }

    /// The longest name has eight letters, the largest number ten characters; no reference is longer than this.
    private static let longest = 12

    private static func reference(
        atStartOf text: Substring
    ) -> (scalar: Unicode.Scalar, end: Substring.Index)? {
        let window = text.utf8.prefix(longest)
        guard let semicolon = window.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = text[text.utf8.index(after: text.startIndex)..<semicolon]
        let end = text.utf8.index(after: semicolon)
        guard name.utf8.first == UInt8(ascii: "#") else {
            return HTMLEntities.scalar(named: name).map { ($0, end) }
        }
        return number(name.dropFirst()).map { (HTMLEntities.scalar(numbered: $0), end) }
    }

    private static func number(_ digits: Substring) -> UInt32? {
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let digits = isHexadecimal ? digits.dropFirst() : digits
        guard let first = digits.first, first != "+", first != "-" else { return nil }
        return UInt32(digits, radix: isHexadecimal ? 16 : 10)
    }
}
