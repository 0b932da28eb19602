/// The registrations of a container and its parents as values, from which a graph is made.
///
/// This file alone looks into contexts, registries and entries. All other steps work on the values.
struct RegisteredWiring: Sendable {
    /// The containers, from the one that is looked at upwards.
    let levels: [Level]

    /// The registrations, those of the outermost parent first, each container's in the order of registration.
    let registrations: [Registration]

    /// The contributions to each type, in the same order.
    let contributions: [ObjectIdentifier: [Int]]

    /// One container.
    struct Level: Sendable {
        /// Whether it builds its parents' kept services again and keeps them for itself.
        let keepsForItself: Bool
        /// Its registrations by key.
        let places: [ServiceKey: Int]
    }

    /// One registration. Of a forwarded type, scope, owner and dependencies are those of the entry that answers.
    struct Registration: Sendable {
        let key: ServiceKey
        let location: SourceLocation
        /// How many parents up from the container it is registered.
        let level: Int

        let scope: String
        let lifetimeRank: LifetimeRank
        let residence: Residence
        /// The level of the container that owns the instances; nil for one that is no parent.
        let owner: Int?
        let dependencies: [Dependency]
        let isAnalysable: Bool

        /// The registration that answers in place of this one. Nil also for a forwarded type whose entry is no longer
        /// registered; this registration then stands for the entry.
        let forwardsTo: Int?
        let captiveReason: String?
        let replaced: Replaced?

        /// The level that a decorator asks: that of the parent of the container that owns the instances.
        var parentOfOwner: Int { (owner ?? level) + 1 }
    }

    /// The registration that another one has replaced.
    struct Replaced: Sendable {
        let location: SourceLocation
        /// Whether one of the two forwards a type.
        let isForwarding: Bool
    }
}

extension RegisteredWiring {
    /// Creates the values of a container and its parents.
    init(of container: ResolutionContext) {
        let contexts = Array(sequence(first: container) { $0.parent })
        let entries = contexts.map(\.registry.entries)
        var owners: [ObjectIdentifier: Int] = [:]
        for (level, context) in contexts.enumerated() { owners[ObjectIdentifier(context)] = level }
        var ids: [UInt: Int] = [:]
        var places = contexts.map { _ in [ServiceKey: Int]() }
        var contributions: [ObjectIdentifier: [Int]] = [:]
        for level in contexts.indices.reversed() {
            for entry in entries[level] {
                let id = ids.count
                ids[entry.id] = id
                places[level][entry.key] = id
                if entry.isContribution { contributions[ObjectIdentifier(entry.serviceType), default: []].append(id) }
            }
        }
        registrations = contexts.indices.reversed().flatMap { level in
            entries[level].map { entry in
                let answering = entry.forwardTarget ?? entry
                return Registration(
                    entry,
                    level: level,
                    owner: answering.owner.map { owners[ObjectIdentifier($0)] } ?? level,
                    forwardsTo: entry.forwardTarget.flatMap { ids[$0.id] }
                )
            }
        }
        levels = contexts.indices.map { level in
            Level(keepsForItself: contexts[level].sharing == .none, places: places[level])
        }
        self.contributions = contributions
    }
}

extension RegisteredWiring.Registration {
    fileprivate init(_ entry: AnyServiceEntry, level: Int, owner: Int?, forwardsTo: Int?) {
        let answering = entry.forwardTarget ?? entry
        let scope = answering.scope
        self.init(
            key: entry.key,
            location: entry.location,
            level: level,
            scope: "\(scope)",
            lifetimeRank: scope.lifetimeRank,
            residence: scope.residence,
            owner: owner,
            dependencies: answering.dependencies,
            isAnalysable: forwardsTo != nil || answering.isAnalysable,
            forwardsTo: forwardsTo,
            captiveReason: entry.captiveReason,
            replaced: entry.wiringState?.replaced.map { .init(location: $0.location, isForwarding: $0.isForwarding) }
        )
    }
}
