/// How types are written in messages.
enum TypeName {
    /// The name with the types that it is nested in and without modules, as it is written in source: `Feed.Item`,
    /// `[Feed.Item]`. What a type is local to, such as a function, has no name and is left out.
    static func short(_ type: Any.Type) -> String {
        asInSource(TypeNameReader.read(String(reflecting: type)))
    }

    /// The name with the modules, for places where short names would collide.
    static func full(_ type: Any.Type) -> String {
        asInSource(TypeNameReader.read(String(reflecting: type), withModules: true))
    }

    /// The name without modules and without the types that it is nested in, for comparing names.
    static func unqualified(_ type: Any.Type) -> String {
        asInSource(String(describing: type))
    }

    /// The runtime arguments in an arguments type, that is without the resolver in front, each by its short name.
    static func arguments(of argumentsType: Any.Type) -> [String] {
        if argumentsType == (any Resolver).self { return [] }
        let text = TypeNameReader.read(String(reflecting: argumentsType))
        guard text.first == "(", text.last == ")" else { return [asInSource(text)] }
        return topLevelParts(of: text.dropFirst().dropLast()).dropFirst().map { asInSource($0) }
    }

    /// `[X]` and `X?` in place of the generic types, and no outermost `any`.
    private static func asInSource(_ name: String) -> String {
        if let element = argument(of: "Array", in: name) { return "[\(asInSource(element))]" }
        if let wrapped = argument(of: "Optional", in: name) { return "\(asInSource(wrapped))?" }
        return name.hasPrefix("any ") && !name.contains("&") ? String(name.dropFirst(4)) : name
    }

    /// What stands between the angle brackets, when the whole name is the generic type with one argument.
    private static func argument(of generic: String, in name: String) -> String? {
        let full = name.hasPrefix("Swift.\(generic)<") ? "Swift.\(generic)<" : "\(generic)<"
        guard name.hasPrefix(full), name.hasSuffix(">") else { return nil }
        let argument = name.dropFirst(full.count).dropLast()
        // More than one part when a type that is nested in the generic one is generic itself: `Array<X>.Window<Y>`.
        return isClosed(argument) ? String(argument) : nil
    }

    /// Whether every bracket in a text is closed after it was opened.
    private static func isClosed(_ text: Substring) -> Bool {
        var depth = 0
        var previous: Character = " "
        for character in text {
            depth += nesting(character, after: previous)
            if depth < 0 { return false }
            previous = character
        }
        return depth == 0
    }

    /// How a character changes the depth of brackets. An arrow closes nothing.
    private static func nesting(_ character: Character, after previous: Character) -> Int {
        switch character {
        case "(", "[", "<": 1
        case ")", "]": -1
        case ">" where previous != "-": -1
        default: 0
        }
    }

    /// Splits the text of a tuple at the commas that belong to it and not to a tuple, generic or function inside it.
    private static func topLevelParts(of text: Substring) -> [String] {
        var parts: [String] = []
        var current = ""
        var depth = 0
        var previous: Character = " "
        for character in text {
            depth += nesting(character, after: previous)
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
