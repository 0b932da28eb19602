// The rules of resolving, on values: the registration that a request finds, the wrappers on the way, and the container that
// builds the instance.

extension RegisteredWiring {
    /// The level that stands for all containers that are no parents. Their registrations are not known.
    var elsewhere: Int { levels.count }

    /// Returns the registration that a request for a key finds, from a level upwards.
    func find(_ key: ServiceKey, from level: Int) -> Int? {
        for level in levels.dropFirst(level) {
            if let found = level.places[key] { return found }
        }
        return nil
    }

    /// Returns the level of the container that builds a registration for a request from a level: that level itself, or the
    /// owner's, unless a container on the way keeps its parents' services for itself.
    func builder(of registration: Registration, askedFrom level: Int) -> Int {
        guard registration.residence == .owner else { return level }
        let owner = registration.owner.flatMap { $0 < level ? nil : $0 }
        return (level..<max(level, owner ?? levels.count)).first { levels[$0].keepsForItself && $0 < levels.count - 1 }
            ?? registration.owner ?? elsewhere
    }

    /// Whether a request to the container of the graph finds a registration.
    func isFound(_ registration: Int) -> Bool {
        let key = registrations[registration].key
        return levels.prefix(registrations[registration].level).allSatisfy { $0.places[key] == nil }
    }

    /// The answer to a request.
    struct Answer {
        enum Found {
            case registration(Int)
            case contributions([Int])
            /// A key that nobody has registered.
            case missing(ServiceKey)
            /// Nothing is needed.
            case nothing
        }

        var found = Found.nothing
        /// The traits of the wrappers on the way.
        var traits: WrapperTraits = []
    }

    /// Follows a request through wrappers to a registration.
    func answer(_ requested: ServiceKey, from level: Int) -> Answer {
        var key = requested
        var traits: WrapperTraits = []
        while true {
            if let registration = find(key, from: level) {
                return Answer(found: .registration(registration), traits: traits)
            }
            guard let wrapper = WrappedType(of: key.serviceType) else { break }
            traits.formUnion(wrapper.traits)
            if wrapper.traits.contains(.gathersContributions) { return gather(wrapper.type, key, from: level, traits) }
            key = key.with(serviceType: wrapper.type)
        }
        return Answer(found: key.serviceType == GraphIdentifier.self ? .nothing : .missing(key), traits: traits)
    }

    /// Returns the contributions to a collection, those of the outermost parent first. Without a name there may be none; with
    /// a name, none is a missing collection.
    private func gather(
        _ element: Any.Type,
        _ key: ServiceKey,
        from level: Int,
        _ traitsBefore: WrapperTraits
    ) -> Answer {
        var type = element
        var traits = traitsBefore
        while true {
            let gathered = contributions[ObjectIdentifier(type), default: []].filter {
                registrations[$0].level >= level && (key.name == nil || registrations[$0].key.name == key.name)
            }
            if !gathered.isEmpty { return Answer(found: .contributions(gathered), traits: traits) }
            // A collection of wrappers has a wrapper of each contribution to the wrapped type.
            guard let wrapper = WrappedType(of: type) else { break }
            traits.formUnion(wrapper.traits)
            type = wrapper.type
        }
        if key.name == nil { return Answer(found: .nothing, traits: traits) }
        let missing = key.with(serviceType: collection(of: key.serviceType))
        return Answer(found: .missing(missing), traits: traits.subtracting(.toleratesAbsence))
    }

    /// Returns the array type of a wrapper's wrapped type.
    private func collection(of wrapper: Any.Type) -> Any.Type {
        func open<Wrapper: InstanceWrapper>(_ type: Wrapper.Type) -> Any.Type { [Wrapper.Wrapped].self }
        return (wrapper as? any InstanceWrapper.Type).map { open($0) } ?? wrapper
    }
}
