/// Reads what the runtime calls a type, and leaves out what nobody would write: contexts without a name, the modules of
/// extensions, the marks around a pack of types and, unless they are wanted, the modules of types.
struct TypeNameReader {
    private let withModules: Bool
    private var rest: Substring
    private var written = ""
    /// The names with dots between them that are being read.
    private var path = ""
    private var contexts = 0
    private var isQuoted = false

    static func read(_ name: String, withModules: Bool = false) -> String {
        var reader = TypeNameReader(withModules: withModules, rest: name[...])
        while let character = reader.rest.first { reader.read(character) }
        reader.endPath()
        return reader.written
    }

    private init(withModules: Bool, rest: Substring) {
        self.withModules = withModules
        self.rest = rest
    }

    private mutating func read(_ character: Character) {
        if !isQuoted, character == "(", readNote() { return }
        rest.removeFirst()
        contexts = 0
        if character == "`" { isQuoted.toggle() }
        if isQuoted || !" <>(),[]{}:&=@-".contains(character) {
            path.append(character)
            return
        }
        endPath()
        if character != "{", character != "}" { written.append(character) }
    }

    /// Reads parentheses in which the runtime says something of a name; false when they are those of the type.
    private mutating func readNote() -> Bool {
        guard let end = rest.firstIndex(of: ")") else { return false }
        let note = rest[..<end].dropFirst()
        let words = note.split(separator: " ", maxSplits: 2)
        if note.hasPrefix("unknown context at ") {
            rest = rest[end...].dropFirst(2)
            contexts += 1
            // One is that of a private type; two are a function, whose types are known by their own names.
            if contexts == 2 { path = String(module) }
        } else if note.hasPrefix("extension in ") {
            rest = rest[end...].dropFirst(2)
        } else if words.count == 3, words[1] == "in", words[2].hasPrefix("_") {
            // The name of a private protocol and, in place of its file, a number.
            rest = rest[end...].dropFirst()
            path += words[0]
        } else {
            return false
        }
        return true
    }

    private mutating func endPath() {
        defer { path = "" }
        // The mark before the types of a pack, which no type is called without its module.
        if path == "Pack" { return }
        if withModules {
            written += path
        } else if path.hasPrefix("Self."), let dot = path.lastIndex(of: ".") {
            // An associated type, `Self.Swift.Sequence.Element`.
            written += path[dot...].dropFirst()
        } else {
            written += path.dropFirst(module.count)
        }
    }

    /// What stands before the names of types, with the dot. What goes on after a generic type begins with a dot; it has none.
    private var module: Substring {
        guard path.first != ".", let dot = path.firstIndex(of: ".") else { return "" }
        return path[...dot]
    }
}
