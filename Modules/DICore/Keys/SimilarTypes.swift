/// Finds types whose names differ from a wanted one in a few letters, or by a word at one end, as in `Client` and
/// `ClientImpl`.
struct SimilarTypes {
    private var candidates: [(place: Int, type: ObjectIdentifier, name: String)] = []

    /// - Parameter types: where to look; a type that is there again counts for its first place.
    init(_ types: some Sequence<Any.Type>) {
        var seen: Set<ObjectIdentifier> = []
        for (place, type) in types.enumerated() where seen.insert(ObjectIdentifier(type)).inserted {
            candidates.append((place, ObjectIdentifier(type), TypeName.unqualified(type)))
        }
    }

    /// The places of the similar types, the nearest first.
    func places(of type: Any.Type) -> [Int] {
        let wanted = TypeName.unqualified(type)
        let limit = max(1, wanted.count / 4)
        var found: [(place: Int, distance: Int)] = []
        for candidate in candidates where candidate.type != ObjectIdentifier(type) {
            let name = candidate.name
            let isExtended = extends(name, wanted) || extends(wanted, name)
            guard isExtended || abs(name.count - wanted.count) <= limit else { continue }
            let distance = EditDistance.between(name, wanted)
            if isExtended || distance <= limit { found.append((candidate.place, distance)) }
        }
        return found.map(\.distance).placesInOrder.map { found[$0].place }
    }

    /// Whether a name is a shorter one with something before or after it.
    private func extends(_ name: String, _ shorter: String) -> Bool {
        shorter.utf8.count >= 4 && name.utf8.count > shorter.utf8.count
            && (name.hasPrefix(shorter) || name.hasSuffix(shorter))
    }
}
