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
        let counts = Dictionary(grouping: visible) { $0.owner.map { ObjectIdentifier($0) } }
        let levels = sequence(first: context) { $0.parent }
        searched = levels.enumerated().map { level, context in
            .init(level: level, registrations: counts[ObjectIdentifier(context)]?.count ?? 0)
        }
        // A contribution never answers for its type, so it is no near miss of a name or of arguments.
        let entries = visible.filter { !($0.key.option is Contribution) }
        sameType = entries.filter { $0.serviceType == key.serviceType }
        otherContainers = SuggestionSearch.elsewhere(key, from: context)
        wrappers = entries.filter { entry in
            WrappedType(of: entry.serviceType)?.type == key.serviceType && entry.key.name == key.name
                || WrappedType(of: key.serviceType)?.type == entry.serviceType && entry.key.name == key.name
        }
        contributions = Array(resolver.contributions(to: key.serviceType).prefix(1))
        similarTypes = SimilarTypes(entries.map(\.serviceType)).places(of: key.serviceType).map { entries[$0] }
    }

    /// Whether the type is there under this name, and only the arguments are others.
    var isArgumentsMismatch: Bool { sameType.contains { $0.key.name == key.name } }

    /// Which arguments were given and which are wanted.
    var argumentsDetail: String? {
        guard let near = sameType.first(where: { $0.key.name == key.name }) else { return nil }
        let (asked, registered) = (arguments(key, beside: near.key), arguments(near.key, beside: key))
        return "asked \(asked), registered \(registered)"
    }

    /// At most three suggestions: by kind, and within a kind the nearest first.
    var best: [ResolutionError.Suggestion] {
        let names = sameType.filter { $0.key.name != key.name }
            .map { (entry: $0, distance: EditDistance.between($0.key.name ?? "", key.name ?? "")) }
            .sorted { ($0.distance, $0.entry.id) < ($1.distance, $1.entry.id) }
        let all =
            names.map { suggestion(.otherName, $0.entry, nameEdit(to: $0.entry)) }
            + sameType.filter { $0.key.name == key.name }.map {
                suggestion(.otherArguments, $0, argumentsEdit(to: $0))
            }
            + otherContainers.map { suggestion(.otherContainer, $0.entry, containerEdit(isBelow: $0.isBelow)) }
            + wrappers.map { suggestion(.wrapper, $0, "ask for \(typeName($0)), as it is registered") }
            + contributions.map {
                suggestion(
                    .wrapper,
                    $0,
                    "ask for [\(typeName($0))]: it has contributions, and no registration of its own"
                )
            }
            + similarTypes.map { suggestion(.similarType, $0, "ask for \(typeName($0)), if that was meant") }
        // Many children may have the same registration, and a wrapper has a similar name.
        var seen: Set<Place> = []
        return Array(all.filter { seen.insert(Place(key: $0.key, location: $0.location)).inserted }.prefix(3))
    }

    private struct Place: Hashable {
        let key: ServiceKey
        let location: SourceLocation
    }

    // MARK: Edits

    private func suggestion(
        _ kind: ResolutionError.Suggestion.Kind,
        _ entry: AnyServiceEntry,
        _ text: String
    ) -> ResolutionError.Suggestion {
        .init(kind: kind, key: entry.key, location: entry.location, text: text)
    }

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
        var root = context
        while let parent = root.parent { root = parent }
        let found = root.descendants.compactMap { other -> (entry: AnyServiceEntry, isBelow: Bool)? in
            // A plain container below one for several threads may be in use on another thread.
            guard other !== context, other.isForThreads || !other.isOverThreads,
                let entry = other.resolver?.registration(of: key), entry.owner === other
            else {
                return nil
            }
            return (entry, sequence(first: other) { $0.parent }.contains { $0 === context })
        }
        return found.filter(\.isBelow) + found.filter { !$0.isBelow }
    }
}
