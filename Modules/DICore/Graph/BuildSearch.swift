/// A registration as one container builds it, with the requests that it then makes.
///
/// The resolution keeps the same pairs of registration and container apart: a repeat of one is a cycle. For a forwarded
/// type the container is the one that builds the entry which answers.
struct Build {
    let registration: Int
    /// The level of the container.
    let builder: Int
    /// Whether a request to the container of the graph leads to it directly.
    fileprivate(set) var isFound = false
    fileprivate(set) var requests: [Request] = []

    /// One request of a build.
    struct Request {
        enum Target: Hashable {
            case build(Int)
            case missing(ServiceKey)
        }

        let target: Target
        let source: DependencyGraph.Edge.Source
        let traits: WrapperTraits

        var isDeferred: Bool { traits.contains(.defersConstruction) }
    }
}

/// Finds all builds that requests to a container lead to.
struct BuildSearch {
    private let wiring: RegisteredWiring
    private let observed: ObservedRequests
    private var builds: [Build] = []
    private var places: [Int: Int] = [:]

    private init(in wiring: RegisteredWiring, _ observed: ObservedRequests) {
        self.wiring = wiring
        self.observed = observed
        builds.reserveCapacity(wiring.registrations.count)
        places.reserveCapacity(wiring.registrations.count)
    }

    /// Returns all builds that requests to the container lead to.
    static func builds(in wiring: RegisteredWiring, _ observed: ObservedRequests) -> [Build] {
        var search = BuildSearch(in: wiring, observed)
        for registration in wiring.registrations.indices where wiring.isFound(registration) {
            search.builds[search.build(of: registration, askedFrom: 0)].isFound = true
        }
        var next = 0
        while next < search.builds.count {
            search.builds[next].requests = search.requests(of: search.builds[next])
            next += 1
        }
        return search.builds
    }

    /// Returns the number of the build for a request that has found a registration.
    private mutating func build(of registration: Int, askedFrom level: Int) -> Int {
        let builder = wiring.builder(of: wiring.registrations[registration], askedFrom: level)
        let place = registration * (wiring.elsewhere + 1) + builder
        if let known = places[place] { return known }
        places[place] = builds.count
        builds.append(Build(registration: registration, builder: builder))
        return builds.count - 1
    }

    private mutating func requests(of build: Build) -> [Build.Request] {
        let registration = wiring.registrations[build.registration]
        if build.builder == wiring.elsewhere { return [] }
        if let target = registration.forwardsTo {
            let answering = self.build(of: target, askedFrom: build.builder)
            return [Build.Request(target: .build(answering), source: .forwarding, traits: [])]
        }
        var requests: [Build.Request] = []
        requests.reserveCapacity(registration.dependencies.count)
        for dependency in registration.dependencies {
            let source = DependencyGraph.Edge.Source(dependency.source)
            let level = source == .declaredOfParent ? registration.parentOfOwner : build.builder
            add(wiring.answer(dependency.key, from: level), from: level, source, to: &requests)
        }
        let seen = observed.requests(of: build.registration)
        if !seen.isEmpty { add(seen, of: build, registration, to: &requests) }
        return requests
    }

    /// Adds the recorded requests that are not declared. A request that is made at once covers one that is made later.
    private mutating func add(
        _ seen: [ObservedWiring.Edge],
        of build: Build,
        _ registration: RegisteredWiring.Registration,
        to requests: inout [Build.Request]
    ) {
        var immediate = Set(requests.filter { !$0.isDeferred }.map(\.target))
        var deferred = Set(requests.filter(\.isDeferred).map(\.target))
        for edge in seen {
            let (answer, level) = observed.answer(edge, to: registration, builtBy: build.builder, in: wiring)
            var found: [Build.Request] = []
            add(answer, from: level, .observed, to: &found)
            for request in found where !immediate.contains(request.target) {
                let isNew = request.isDeferred ? deferred.insert(request.target) : immediate.insert(request.target)
                if isNew.inserted { requests.append(request) }
            }
        }
    }

    private mutating func add(
        _ answer: RegisteredWiring.Answer,
        from level: Int,
        _ source: DependencyGraph.Edge.Source,
        to requests: inout [Build.Request]
    ) {
        func add(_ target: Build.Request.Target) {
            requests.append(Build.Request(target: target, source: source, traits: answer.traits))
        }
        switch answer.found {
        case .registration(let registration): add(.build(build(of: registration, askedFrom: level)))
        case .contributions(let contributions):
            for contribution in contributions { add(.build(build(of: contribution, askedFrom: level))) }
        case .missing(let key): add(.missing(key))
        case .nothing: break
        }
    }
}

extension DependencyGraph.Edge.Source {
    fileprivate init(_ source: Dependency.Source) {
        switch source {
        case .parameter(let index): self = .parameter(index)
        case .declared: self = .declared
        case .declaredOfParent: self = .declaredOfParent
        }
    }
}
