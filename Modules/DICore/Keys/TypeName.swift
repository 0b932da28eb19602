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

    private static func withoutAny(_ name: String) -> String {
        name.hasPrefix("any ") && !name.contains("&") ? String(name.dropFirst(4)) : name
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
