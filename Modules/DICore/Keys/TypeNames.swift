/// Names the types of one text: short where that is clear, in full where two types of the text would read the same.
struct TypeNames {
    private var colliding: Set<String> = []
    private let alwaysFull: Bool

    /// Names the types of some keys.
    init(of keys: some Sequence<ServiceKey>, alwaysFull: Bool = false) {
        self.alwaysFull = alwaysFull
        var known: [String: ObjectIdentifier] = [:]
        for key in keys {
            let name = TypeName.short(key.serviceType)
            let type = ObjectIdentifier(key.serviceType)
            if let other = known.updateValue(type, forKey: name), other != type { colliding.insert(name) }
        }
    }

    /// The name of a type.
    func name(of type: Any.Type) -> String {
        let short = TypeName.short(type)
        return alwaysFull || colliding.contains(short) ? TypeName.full(type) : short
    }

    /// A key as a reader would say it.
    func text(_ key: ServiceKey) -> String {
        var text = name(of: key.serviceType)
        let arguments = TypeName.arguments(of: key.argumentsType)
        if !arguments.isEmpty { text += "(\(arguments.joined(separator: ", ")))" }
        if let name = key.name { text += " named \"\(name)\"" }
        if let option = key.option { text += " [\(option)]" }
        return text
    }
}
