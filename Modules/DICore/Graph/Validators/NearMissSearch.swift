/// Looks for what may have been meant by a key that is missing, as far as a graph tells.
struct NearMissSearch {
    private let nodes: [DependencyGraph.Node]
    private let byType: [ObjectIdentifier: [DependencyGraph.Node]]
    private let byTypeAndName: [TypeAndName: [DependencyGraph.Node]]
    private lazy var wrappers = wrappersByType()
    private lazy var ownTypes = nodes.filter { !($0.key.option is Contribution) }
    private lazy var similarTypes = SimilarTypes(ownTypes.map(\.key.serviceType))
    // Each search for similar types looks at all of them, and the work is to grow with the registrations alone.
    private var similarSearches = 20

    init(in graph: DependencyGraph) {
        nodes = Array(graph.registered)
        byType = Dictionary(grouping: nodes) { ObjectIdentifier($0.key.serviceType) }
        byTypeAndName = Dictionary(grouping: nodes) { TypeAndName($0.key.serviceType, $0.key.name) }
    }

    /// The registrations of the type and name, seen from a level, that are for other runtime arguments.
    func otherArguments(than key: ServiceKey, from level: Int) -> [DependencyGraph.Node] {
        byTypeAndName[TypeAndName(key.serviceType, key.name), default: []].filter {
            $0.key.option == nil && $0.key.argumentsType != key.argumentsType && $0.level >= level
        }
    }

    /// What else may have been meant, the likeliest first: the type under another name or where it is not seen, a wrapper
    /// of it, a type with a similar name.
    mutating func nearMisses(of key: ServiceKey) -> [DependencyGraph.Node] {
        let sameType = nearest(byType[ObjectIdentifier(key.serviceType), default: []], to: key)
        let found = sameType + wrappers[TypeAndName(key.serviceType, key.name), default: []] + wrapped(by: key)
        if found.count >= 3 || similarSearches == 0 { return found }
        similarSearches -= 1
        // A wrapper has a similar name.
        let known = Set(found.map(\.id))
        return found + similarTypes.places(of: key.serviceType).map { ownTypes[$0] }.filter { !known.contains($0.id) }
    }

    /// Returns the near misses of a missing wrapper or collection: the registrations of its wrapped type with the name, and
    /// the contributions to that type.
    private func wrapped(by key: ServiceKey) -> [DependencyGraph.Node] {
        guard let wrapped = WrappedType(of: key.serviceType) else { return [] }
        let contributions = byType[ObjectIdentifier(wrapped.type), default: []].filter { $0.key.option is Contribution }
        return byTypeAndName[TypeAndName(wrapped.type, key.name), default: []] + nearest(contributions, to: key)
            + self.wrapped(by: key.with(serviceType: wrapped.type))
    }

    /// The registrations of a type whose names are nearest. Where there are very many, the first of them must do: all
    /// the missing ones of such a type would otherwise look at all the others.
    private func nearest(_ nodes: [DependencyGraph.Node], to key: ServiceKey) -> [DependencyGraph.Node] {
        nodes.prefix(100)
            .map { EditDistance.between($0.key.name ?? "", key.name ?? "") }
            .placesInOrder.map { nodes[$0] }
    }

    private func wrappersByType() -> [TypeAndName: [DependencyGraph.Node]] {
        var wrappers: [TypeAndName: [DependencyGraph.Node]] = [:]
        for node in nodes {
            guard let wrapped = WrappedType(of: node.key.serviceType) else { continue }
            wrappers[TypeAndName(wrapped.type, node.key.name), default: []].append(node)
        }
        return wrappers
    }
}

private struct TypeAndName: Hashable {
    private let type: ObjectIdentifier
    private let name: String?

    init(_ type: Any.Type, _ name: String?) {
        self.type = ObjectIdentifier(type)
        self.name = name
    }
}
