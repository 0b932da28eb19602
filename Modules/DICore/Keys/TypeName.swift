/// How types are written in messages.
enum TypeName {
    /// The name without modules, and without the outermost `any`: `Animal`, `Array<Animal>`.
    static func short(_ type: Any.Type) -> String {
        withoutAny(String(describing: type))
    }

    /// The name with the modules, for places where short names would collide.
    static func full(_ type: Any.Type) -> String {
        withoutAny(String(reflecting: type))
    }

    /// The runtime arguments in an arguments type, that is without the resolver in front, each by its short name.
    static func arguments(of argumentsType: Any.Type) -> [String] {
        if argumentsType == (any Resolver).self { return [] }
        let text = String(describing: argumentsType)
        guard text.first == "(", text.last == ")" else { return [short(argumentsType)] }
        return topLevelParts(of: text.dropFirst().dropLast()).dropFirst().map { withoutAny($0) }
    }

    /// As it is written in source: `[X]` and `X?` in place of the generic types, and without the outermost `any`.
    private static func withoutAny(_ name: String) -> String {
        if let element = argument(of: "Array", in: name) { return "[\(withoutAny(element))]" }
        if let wrapped = argument(of: "Optional", in: name) { return "\(withoutAny(wrapped))?" }
        return name.hasPrefix("any ") && !name.contains("&") ? String(name.dropFirst(4)) : name
    }

    /// What stands between the angle brackets, when the whole name is the generic type with one argument.
    private static func argument(of generic: String, in name: String) -> String? {
        let full = name.hasPrefix("Swift.\(generic)<") ? "Swift.\(generic)<" : "\(generic)<"
        guard name.hasPrefix(full), name.hasSuffix(">") else { return nil }
        return String(name.dropFirst(full.count).dropLast())
    }

    /// Splits the text of a tuple at the commas that belong to it and not to a tuple, generic or function inside it.
    private static func topLevelParts(of text: Substring) -> [String] {
        var parts: [String] = []
        var current = ""
        var depth = 0
        var previous: Character = " "
        for character in text {
            switch character {
            case "(", "[", "<": depth += 1
            case ")", "]": depth -= 1
            case ">" where previous != "-": depth -= 1
            default: break
            }
            if character == ",", depth == 0 {
                parts.append(current)
                current = ""
            } else if !(current.isEmpty && character == " ") {
                current.append(character)
            }
            previous = character
        }
        parts.append(current)
        return parts
    }
}
