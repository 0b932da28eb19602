/// There is no key of this text in the wiring.
struct UnknownKey: Error, CustomStringConvertible {
    /// What was asked for.
    let text: String

    /// The keys that may have been meant.
    let near: [String]

    /// One line: what is wrong, then the way out.
    var description: String {
        let wayOut = near.isEmpty ? "feeds graph shows all keys" : "near it: \(near.joined(separator: ", "))"
        return "there is no key '\(text)' in the wiring; \(wayOut)."
    }
}
