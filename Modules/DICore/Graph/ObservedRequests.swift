/// The recorded requests, by the registrations that made them.
struct ObservedRequests {
    private var byRegistration: [Int: [ObservedWiring.Edge]] = [:]
    private var built: Set<Int> = []

    init(_ observed: ObservedWiring, in wiring: RegisteredWiring) {
        if observed.edges.isEmpty, observed.places.isEmpty { return }
        let edges = Dictionary(grouping: observed.edges, by: \.from)
        for (number, registration) in wiring.registrations.enumerated() {
            let key = registration.key
            if observed.places[key]?.contains(registration.location) == true { built.insert(number) }
            let own = edges[key, default: []].filter { edge in
                // Without a location the registration that a request finds first is meant.
                edge.fromLocation.map { $0 == registration.location } ?? (wiring.find(key, from: 0) == number)
            }
            if !own.isEmpty { byRegistration[number] = own }
        }
    }

    /// Whether the factory of a registration has run.
    func wasBuilt(_ registration: Int) -> Bool { built.contains(registration) }

    /// Returns the recorded requests of a registration's factory and callbacks.
    func requests(of registration: Int) -> [ObservedWiring.Edge] { byRegistration[registration] ?? [] }

    /// Returns the answer to a recorded request of a registration that a container builds, and the level that is asked.
    ///
    /// Where the recorded answer is one that only the parent of the registration's container gives, the factory has asked
    /// that parent, as a decorator does.
    func answer(
        _ seen: ObservedWiring.Edge,
        to registration: RegisteredWiring.Registration,
        builtBy builder: Int,
        in wiring: RegisteredWiring
    ) -> (answer: RegisteredWiring.Answer, level: Int) {
        func found(from level: Int) -> Bool {
            let registrations: [Int] =
                switch wiring.answer(seen.to, from: level).found {
                case .registration(let registration): [registration]
                case .contributions(let contributions): contributions
                case .missing, .nothing: []
                }
            return registrations.contains { wiring.registrations[$0].location == seen.toLocation }
        }
        let parent = registration.parentOfOwner
        let isFromParent =
            seen.toLocation != nil && !found(from: builder) && !(0..<parent).contains(where: found)
            && found(from: parent)
        let level = isFromParent ? parent : builder
        var answer = wiring.answer(seen.to, from: level)
        if seen.isDeferred { answer.traits.insert(.defersConstruction) }
        return (answer, level)
    }
}
