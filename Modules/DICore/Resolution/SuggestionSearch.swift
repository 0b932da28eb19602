internal import Synchronization

/// Looks for what may have been meant by a key that nobody has. Done once, where a `require` fails.
struct SuggestionSearch {
    /// The containers that were searched in vain.
    let searched: [ResolutionError.SearchedContainer]

    private let key: ServiceKey
    private let sameType: [AnyServiceEntry]
    private let otherContainers: [(entry: AnyServiceEntry, isBelow: Bool)]
    private let wrappers: [AnyServiceEntry]
    private let contributions: [AnyServiceEntry]
    private let similarTypes: [AnyServiceEntry]

    init(_ key: ServiceKey, from resolver: any Resolver, in context: ResolutionContext) {
        self.key = key
        let visible = resolver.visibleEntries
        let counts = Dictionary(grouping: visible) { $0.ownerID }
        let levels = sequence(first: context) { $0.parent }
        searched = levels.enumerated().map { level, context in
            .init(level: level, registrations: counts[context.ownReference.bits.load(ordering: .relaxed)]?.count ?? 0)
        }
        // A contribution is no near miss of a name or of arguments.
        let entries = visible.filter { !$0.isContribution }
        sameType = entries.filter { $0.serviceType == key.serviceType }
        otherContainers = SuggestionSearch.elsewhere(key, from: context)
        let wrapped = WrappedType(of: key.serviceType)?.type
        wrappers = entries.filter { entry in
            entry.name == key.name
                && (wrapped == entry.serviceType || WrappedType(of: entry.serviceType)?.type == key.serviceType)
        }
        contributions = Array(resolver.contributions(to: key.serviceType).prefix(1))
        similarTypes = SimilarTypes(entries.map(\.serviceType)).places(of: key.serviceType).map { entries[$0] }
    }

    /// Whether the type is there under this name, and only the arguments are others.
    var isArgumentsMismatch: Bool { !otherArguments.isEmpty }

    /// Which arguments were given and which are wanted.
    var argumentsDetail: String? {
        guard let near = otherArguments.first else { return nil }
        let (asked, registered) = (arguments(key, beside: near.key), arguments(near.key, beside: key))
        return "asked \(asked), registered \(registered)"
    }

    /// The registrations of the type and the name with other arguments.
    private var otherArguments: [AnyServiceEntry] {
        sameType.filter { $0.name == key.name && $0.argumentsType != key.argumentsType }
    }

    /// At most three suggestions: by kind, and within a kind the nearest first.
    var best: [ResolutionError.Suggestion] {
        let otherNames = sameType.filter { $0.key.name != key.name }
        let names = otherNames.map { EditDistance.between($0.key.name ?? "", key.name ?? "") }
            .placesInOrder.map { otherNames[$0] }
        var all: [ResolutionError.Suggestion] = []
        func add(_ kind: ResolutionError.Suggestion.Kind, _ entry: AnyServiceEntry, _ text: String) {
            all.append(.init(kind: kind, key: entry.key, location: entry.location, text: text))
        }
        for entry in names { add(.otherName, entry, nameEdit(to: entry)) }
        for entry in otherArguments { add(.otherArguments, entry, argumentsEdit(to: entry)) }
        for other in otherContainers { add(.otherContainer, other.entry, containerEdit(isBelow: other.isBelow)) }
        for entry in wrappers { add(.wrapper, entry, "ask for \(typeName(entry)), as it is registered") }
        for entry in contributions {
            add(.wrapper, entry, "ask for [\(typeName(entry))]: it has contributions, and no registration of its own")
        }
        for entry in similarTypes { add(.similarType, entry, "ask for \(typeName(entry)), if that was meant") }
        // Many children may have the same registration, and a wrapper has a similar name.
        var best: [ResolutionError.Suggestion] = []
        for suggestion in all where best.count < 3 {
            if !best.contains(where: { $0.key == suggestion.key && $0.location == suggestion.location }) {
                best.append(suggestion)
            }
        }
        return best
    }

    // MARK: Edits

    private func nameEdit(to entry: AnyServiceEntry) -> String {
        let edit = entry.key.name.map { "ask for the name \"\($0)\"" } ?? "ask without a name"
        if entry.argumentsType == key.argumentsType { return edit }
        return "\(edit), and pass "
            + (entry.key.takesNoArguments ? "no arguments" : "(\(argumentList(entry.key, beside: key)))")
    }

    private func argumentsEdit(to entry: AnyServiceEntry) -> String {
        entry.key.takesNoArguments
            ? "pass no arguments" : "pass (\(argumentList(entry.key, beside: key))), exactly these static types"
    }

    private func containerEdit(isBelow: Bool) -> String {
        isBelow
            ? "register it in the parent, or ask the child that has it: a parent never sees a child's registrations"
            : "ask the container that has it, or register it in a parent of both"
    }

    /// The type of an entry, in full where it would read like the one that is missing.
    private func typeName(_ entry: AnyServiceEntry) -> String {
        TypeNames(of: [key, entry.key]).name(of: entry.serviceType)
    }

    private func arguments(_ key: ServiceKey, beside other: ServiceKey) -> String {
        key.takesNoArguments ? "without arguments" : "with (\(argumentList(key, beside: other)))"
    }

    /// The arguments by their short names, in full where they would read like the other ones.
    private func argumentList(_ key: ServiceKey, beside other: ServiceKey) -> String {
        let list = TypeName.arguments(of: key.argumentsType)
        guard key.argumentsType != other.argumentsType, list == TypeName.arguments(of: other.argumentsType) else {
            return list.joined(separator: ", ")
        }
        // The tuple without the resolver, which is its first element.
        let tuple = TypeName.full(key.argumentsType).dropFirst().dropLast()
        return String(tuple.dropFirst("\(String(reflecting: (any Resolver).self)), ".count))
    }

    // MARK: Looking around

    /// Registrations of the key below the container that was asked, and beside it.
    private static func elsewhere(
        _ key: ServiceKey,
        from context: ResolutionContext
    ) -> [(entry: AnyServiceEntry, isBelow: Bool)] {
        // Where there are views, another thread may be ending a container meanwhile.
        if context.gate != nil { return [] }
        var root = context
        while let parent = root.parent { root = parent }
        let found = root.descendants.compactMap { other -> (entry: AnyServiceEntry, isBelow: Bool)? in
            // A plain container below one for several threads may be in use on another thread.
            guard other !== context, other.isForThreads || !other.isOverThreads,
                let entry = other.resolver?.registration(of: key), entry.belongs(to: other)
            else {
                return nil
            }
            return (entry, sequence(first: other) { $0.parent }.contains { $0 === context })
        }
        return found.filter(\.isBelow) + found.filter { !$0.isBelow }
    }
}
