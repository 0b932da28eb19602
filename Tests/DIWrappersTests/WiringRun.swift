import DICore
import DITestSupport

/// Makes the containers of a ``RandomWiring``, resolves everything in each of them, and records the outcome.
final class WiringRun {
    /// A registration as one container builds it.
    struct Build: Hashable {
        let registration: Int
        /// The container, counted from the root.
        let level: Int
    }

    /// A build that another one has led to.
    struct Link: Hashable {
        let target: Build
        /// Whether it was built or found only when a wrapper was opened.
        let isLater: Bool
    }

    struct Failure: Hashable {
        let code: String
        let key: ServiceKey
    }

    /// The outcome of the request for a registration.
    struct Outcome {
        let registration: Int
        /// The build that answered or failed; nil where nothing began to be built.
        let build: Build?
        let hasFailed: Bool
    }

    private(set) var links: [Build: Set<Link>] = [:]
    /// The missing keys, by the build that asked for them.
    private(set) var missing: [Build: Set<Failure>] = [:]
    /// The registrations at which requests came to a cycle, by the build that asked.
    private(set) var cycles: [Build: Set<Int>] = [:]
    private(set) var failed: Set<Build> = []
    /// The builds of which a wrapper has failed to open.
    private(set) var failedLater: Set<Build> = []
    /// Of each container, in the order from the root.
    private(set) var outcomes: [[Outcome]] = []
    /// Whether some builds that had failed were not tried again.
    private(set) var isCutShort = false
    /// Errors that no request should end with.
    private(set) var surprises: [String] = []

    private let wiring: RandomWiring
    private let services: WiringServices
    private var containers: [Container]
    private var levels: [ObjectIdentifier: Int] = [:]
    private var keys: [Int: ServiceKey] = [:]
    private var registrations: [Int: (registration: RandomWiring.Registration, level: Int)] = [:]
    private var running: [(build: Build, isLater: Bool)] = []
    private var calls = 0
    private var errors: [Build: any Error] = [:]
    private var isFromFactory = false
    private var lastBegun: Build?
    private var parts: [WiringPart] = []
    private var later: [Later] = []
    private var opened: Set<[Int]> = []

    /// A wrapper that a build was given, to be opened when the request is over.
    private struct Later {
        let build: Build
        let dependency: RandomWiring.Dependency
        let asked: any Resolver
        let open: () throws -> WiringServices.Asked
    }

    /// Creates the containers of a wiring, whose factories call a closure.
    static func containers(
        of wiring: RandomWiring,
        _ services: WiringServices,
        initializers: Bool = false,
        keys: inout [Int: ServiceKey],
        build: @escaping (RandomWiring.Registration, any Resolver) throws -> WiringPart
    ) -> [Container] {
        var containers: [Container] = []
        var entries: [Int: any WiringEntry] = [:]
        for level in wiring.levels {
            containers.append(Container(parent: containers.last, sharing: level.sharing))
        }
        // Forwarded types need their entries, which may be of a parent.
        for (registration, level) in wiring.all.sorted(by: { $0.registration.number < $1.registration.number }) {
            let service = services.all[registration.service]
            if let target = registration.forwardsTo {
                if let base = entries[target] {
                    entries[registration.number] = service.forward(registration, to: base, in: containers[level])
                }
                continue
            }
            if initializers, registration.isInitializer {
                entries[registration.number] = service.registerInitializer(
                    registration,
                    services,
                    in: containers[level]
                )
                continue
            }
            let entry = service.register(registration, in: containers[level]) { r in try build(registration, r) }
            for dependency in registration.dependencies {
                entry.declare(services.all[dependency.service].key(dependency), ofParent: dependency.isOfParent)
            }
            entries[registration.number] = entry
        }
        for (number, entry) in entries { keys[number] = entry.key }
        return containers
    }

    init(_ wiring: RandomWiring, _ services: WiringServices) {
        self.wiring = wiring
        self.services = services
        containers = []
        for (registration, level) in wiring.all { registrations[registration.number] = (registration, level) }
        containers = WiringRun.containers(of: wiring, services, keys: &keys) { [unowned self] registration, r in
            try self.build(registration, r)
        }
        for (level, container) in containers.enumerated() { levels[ObjectIdentifier(container)] = level }
        for level in containers.indices.reversed() { resolveEverything(in: level) }
        outcomes.reverse()
        parts = []
        later = []
        containers = []
    }

    /// The registrations that requests to a container find.
    private func visible(from level: Int) -> [RandomWiring.Registration] {
        var seen: Set<ServiceKey> = []
        return wiring.levels[...level].reversed().flatMap(\.registrations).filter { registration in
            keys[registration.number].map { seen.insert($0).inserted } ?? false
        }
    }

    /// The registration that builds the instance of one.
    func answering(_ number: Int) -> Int {
        var number = number
        while let target = registrations[number]?.registration.forwardsTo { number = target }
        return number
    }

    func rank(_ number: Int) -> LifetimeRank {
        registrations[number].map { RandomWiring.scopes[$0.registration.scope].lifetimeRank } ?? .transient
    }

    private func resolveEverything(in level: Int) {
        outcomes.append([])
        for registration in visible(from: level) {
            guard let key = keys[registration.number] else { continue }
            lastBegun = nil
            isFromFactory = false
            var asked: WiringServices.Asked?
            do {
                asked = try services.all[registration.service].ask(registration, key, containers[level])
            } catch {
                if !isFromFactory { surprises.append("\(registration) from \(level): \(error)") }
            }
            let part = asked?.parts.first
            parts += asked?.parts ?? []
            outcomes[outcomes.count - 1].append(
                Outcome(registration: registration.number, build: part?.build ?? lastBegun, hasFailed: part == nil)
            )
            while let next = later.popLast() { open(next) }
        }
    }

    private func open(_ wrapper: Later) {
        running.append((wrapper.build, true))
        defer { running.removeLast() }
        isFromFactory = false
        do {
            let asked = try wrapper.open()
            note(asked, of: wrapper.build, isLater: true)
            add(asked.later, wrapper.build, wrapper.dependency, wrapper.asked)
        } catch {
            failedLater.insert(wrapper.build)
            note(error, of: wrapper.build)
            askEach(wrapper.dependency, wrapper.asked, by: wrapper.build)
        }
    }

    private func add(
        _ wrappers: [() throws -> WiringServices.Asked],
        _ build: Build,
        _ dependency: RandomWiring.Dependency,
        _ asked: any Resolver
    ) {
        later += wrappers.map { Later(build: build, dependency: dependency, asked: asked, open: $0) }
    }

    // MARK: Factories

    private func build(_ registration: RandomWiring.Registration, _ r: any Resolver) throws -> WiringPart {
        guard let level = levels[ObjectIdentifier(r)] else { preconditionFailure("built by nobody") }
        let build = Build(registration: registration.number, level: level)
        if let (asking, isLater) = running.last {
            links[asking, default: []].insert(Link(target: build, isLater: isLater))
        } else {
            lastBegun = lastBegun ?? build
        }
        calls += 1
        // A failed build has made all its requests, and would fail again; without this some wirings would take for ever.
        if calls > 300, let error = errors[build] {
            isCutShort = true
            isFromFactory = true
            throw error
        }
        running.append((build, false))
        var failure: (any Error)?
        let owner = registrations[registration.number]!.level
        for (number, dependency) in registration.dependencies.enumerated() {
            let service = services.all[dependency.service]
            let asked = dependency.isOfParent ? containers[owner - 1] : r
            isFromFactory = false
            do {
                let answer = try service.ask(dependency, asked)
                note(answer, of: build, isLater: false)
                if opened.insert([build.registration, build.level, number]).inserted {
                    add(answer.later, build, dependency, asked)
                }
            } catch {
                note(error, of: build)
                failure = failure ?? error
                askEach(dependency, asked, by: build)
            }
        }
        running.removeLast()
        if let failure {
            isFromFactory = true
            errors[build] = failure
            failed.insert(build)
            throw failure
        }
        let part = WiringPart(build)
        parts.append(part)
        return part
    }

    /// Asks for each contribution to a collection by itself, so that one that fails does not hide the others.
    private func askEach(_ dependency: RandomWiring.Dependency, _ resolver: any Resolver, by build: Build) {
        guard WiringServices.shapeNames[dependency.shape].contains("[") else { return }
        for (number, other) in registrations {
            guard let key = keys[number], other.registration.isContribution,
                other.registration.service == dependency.service,
                dependency.name == nil || dependency.name == key.name
            else { continue }
            isFromFactory = false
            let isFound = resolver.visibleEntries.contains { $0.key == key }
            if !services.all[dependency.service].askContribution(key, resolver), isFound, !isFromFactory {
                cycles[build, default: []].insert(answering(number))
            }
        }
    }

    private func note(_ asked: WiringServices.Asked, of build: Build, isLater: Bool) {
        for part in asked.parts { links[build, default: []].insert(Link(target: part.build, isLater: isLater)) }
    }

    /// Notes a failure that has started with a request of the build itself.
    private func note(_ error: any Error, of build: Build) {
        if isFromFactory { return }
        guard let error = error as? ResolutionError else {
            surprises.append("\(build): \(error)")
            return
        }
        switch error.code {
        case .notRegistered, .argumentsMismatch:
            missing[build, default: []].insert(Failure(code: error.code.rawValue, key: error.key))
        case .circular:
            let line = error.path.last?.location.map { Int($0.line) } ?? 0
            cycles[build, default: []].insert(line)
        default: surprises.append("\(build): \(error)")
        }
    }
}

extension WiringEntry {
    var key: ServiceKey { entry.key }

    func declare(_ key: ServiceKey, ofParent isOfParent: Bool) {
        if isOfParent { entry.dependsOnParent(key) } else { entry.dependsOn(key) }
    }
}
