import DICore
import DIScopes
import DITestSupport

/// A random hierarchy of containers and registrations as a value, which can be printed and made smaller.
struct RandomWiring {
    struct Registration {
        /// Also the line that it is written in, by which errors and reports name it.
        var number: Int
        /// Which of the services it is of.
        var service: Int
        var name: String?
        var scope: Int
        var takesArgument = false
        var isContribution = false
        /// Whether it is registered by an initializer, in the containers that are only checked.
        var isInitializer = false
        /// The registration that answers, for a forwarded type.
        var forwardsTo: Int?
        var dependencies: [Dependency] = []

        var asksParent: Bool { dependencies.contains(where: \.isOfParent) }
    }

    struct Dependency {
        var service: Int
        var name: String?
        /// The number of the shape in which it is asked for; see ``WiringServices``.
        var shape: Int
        var passesArgument = false
        var isOfParent = false
    }

    struct Level {
        var sharing: ParentSharing = .all
        var registrations: [Registration] = []
    }

    /// The root first.
    var levels: [Level]

    static let services = 5
    static let scopes: [ObjectScope] = [
        .transient, .graph, .container, .perContainer, .weak, .expiring(after: .seconds(9_999)),
    ]

    /// All registrations with their containers, counted from the root.
    var all: [(registration: Registration, level: Int)] {
        levels.enumerated().flatMap { level, container in container.registrations.map { ($0, level) } }
    }

}

// MARK: By chance

extension RandomWiring {
    init(using random: inout SeededRandom) {
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        levels = (0..<[1, 2, 2, 2, 3, 3, 4].randomElement(using: &random)!).map { level in
            Level(sharing: level > 0 && chance(20) ? .none : .all)
        }
        // Most requests find something, so that faults stand alone.
        let (wrong, back) = (chance(50) ? 0 : 8, chance(50) ? 0 : 12)
        let count = Int.random(in: 2...10, using: &random)
        for number in 1...count {
            let level = chance(40) ? 0 : Int.random(in: levels.indices, using: &random)
            var registration = Registration(
                number: number,
                service: Int.random(in: 0..<RandomWiring.services, using: &random),
                name: chance(15) ? "x" : nil,
                scope: Int.random(in: RandomWiring.scopes.indices, using: &random)
            )
            let bases = all.filter { $0.level <= level }.map(\.registration)
            // Children override their parents.
            if level > 0, chance(60), let other = bases.randomElement(using: &random) {
                (registration.service, registration.name) = (other.service, other.name)
            }
            if chance(12), let base = bases.randomElement(using: &random) {
                registration.forwardsTo = base.number
                registration.takesArgument = base.takesArgument
                registration.isContribution = base.isContribution
            } else {
                registration.takesArgument = chance(8)
                registration.isContribution = !registration.takesArgument && chance(20)
                registration.isInitializer = !registration.takesArgument && chance(20)
            }
            let isTaken = levels[level].registrations.contains { other in
                !other.isContribution && !registration.isContribution && other.service == registration.service
                    && other.name == registration.name && other.takesArgument == registration.takesArgument
            }
            if !isTaken { levels[level].registrations.append(registration) }
        }
        let known = all
        for level in levels.indices {
            for place in levels[level].registrations.indices {
                let registration = levels[level].registrations[place]
                if registration.forwardsTo != nil { continue }
                // Services need such with a greater number, unless they are to need each other, and of their own container
                // or its parents, unless they are to be wrong.
                let below = known.filter {
                    ($0.registration.service > registration.service || chance(back))
                        && ($0.level <= level || chance(wrong))
                }
                for _ in 0..<[0, 1, 1, 1, 2, 2, 3].randomElement(using: &random)! {
                    guard let needed = (chance(wrong) ? known : below).randomElement(using: &random)?.registration
                    else { continue }
                    var dependency = Dependency(
                        service: chance(wrong)
                            ? Int.random(in: 0..<RandomWiring.services, using: &random) : needed.service,
                        name: chance(wrong) ? "y" : needed.name,
                        shape: WiringServices.shape(ofCollection: needed.isContribution, using: &random)
                    )
                    // One that takes an argument passes none on, so that each way round has one that takes none.
                    dependency.passesArgument = needed.takesArgument && !registration.takesArgument && !chance(wrong)
                    if dependency.passesArgument { dependency.shape = 0 }
                    if registration.isInitializer {
                        dependency.name = nil
                        dependency.passesArgument = false
                    } else {
                        dependency.isOfParent = level > 0 && chance(12)
                    }
                    levels[level].registrations[place].dependencies.append(dependency)
                }
            }
            // Some children decorate a service of a parent.
            guard level > 0, chance(25) else { continue }
            let above = all.filter { $0.level < level && !$0.registration.isContribution }.map(\.registration)
            guard let base = above.randomElement(using: &random), base.forwardsTo == nil else { continue }
            let isTaken = levels[level].registrations.contains {
                $0.service == base.service && $0.name == base.name && $0.takesArgument == base.takesArgument
            }
            if isTaken { continue }
            var decorator = base
            decorator.number = 100 + level
            decorator.isInitializer = false
            decorator.scope = Int.random(in: RandomWiring.scopes.indices, using: &random)
            decorator.dependencies = [
                Dependency(
                    service: base.service,
                    name: base.name,
                    shape: 0,
                    passesArgument: base.takesArgument,
                    isOfParent: true
                )
            ]
            levels[level].registrations.append(decorator)
        }
    }
}

// MARK: Smaller

extension RandomWiring {
    /// The wirings that lack one thing of this one.
    var smaller: [RandomWiring] {
        var smaller: [RandomWiring] = []
        func add(_ change: (inout RandomWiring) -> Void) {
            var copy = self
            change(&copy)
            smaller.append(copy)
        }
        if levels.count > 1 {
            if levels[levels.count - 1].registrations.isEmpty { add { $0.levels.removeLast() } }
            if levels[0].registrations.isEmpty, !levels[1].registrations.contains(where: \.asksParent) {
                add { $0.levels.removeFirst() }
            }
        }
        for level in levels.indices {
            if levels[level].sharing == .none { add { $0.levels[level].sharing = .all } }
            for (place, registration) in levels[level].registrations.enumerated() {
                if !all.contains(where: { $0.registration.forwardsTo == registration.number }) {
                    add { $0.levels[level].registrations.remove(at: place) }
                }
                func change(_ change: (inout Registration) -> Void) {
                    add { change(&$0.levels[level].registrations[place]) }
                }
                if registration.scope > 0 { change { $0.scope = 0 } }
                if registration.isInitializer { change { $0.isInitializer = false } }
                for (index, dependency) in registration.dependencies.enumerated() {
                    change { $0.dependencies.remove(at: index) }
                    if dependency.shape != 0 { change { $0.dependencies[index].shape = 0 } }
                    if dependency.isOfParent { change { $0.dependencies[index].isOfParent = false } }
                }
            }
        }
        // A forwarded type that forwards no more may have become a service of its own.
        return smaller
    }

    /// The smallest that still has a fault, as far as leaving out one thing at a time leads to it.
    func shrunk(where isFaulty: (RandomWiring) -> Bool) -> RandomWiring {
        var wiring = self
        while let next = wiring.smaller.first(where: isFaulty) { wiring = next }
        return wiring
    }
}

// MARK: In words

extension RandomWiring: CustomStringConvertible {
    var description: String {
        levels.enumerated().map { level, container in
            let name = level == 0 ? "root" : "container \(level)"
            let registrations = container.registrations.map { "  \($0)" }
            return (["\(name)\(container.sharing == .none ? ", sharing nothing" : "")"] + registrations)
                .joined(separator: "\n")
        }
        .joined(separator: "\n")
    }
}

extension RandomWiring.Registration: CustomStringConvertible {
    var description: String {
        let key =
            "\(isContribution ? "+" : "")S\(service)\(takesArgument ? "(Int)" : "")\(name.map { " \"\($0)\"" } ?? "")"
        if let forwardsTo { return "#\(number) \(key) is #\(forwardsTo)" }
        let how = isInitializer ? " by initializer" : ""
        let needs = dependencies.map(\.description).joined(separator: ", ")
        return "#\(number) \(key) \(RandomWiring.scopes[scope])\(how)\(needs.isEmpty ? "" : " needs \(needs)")"
    }
}

extension RandomWiring.Dependency: CustomStringConvertible {
    var description: String {
        let key = "S\(service)\(passesArgument ? "(Int)" : "")\(name.map { " \"\($0)\"" } ?? "")"
        return "\(isOfParent ? "parent's " : "")\(WiringServices.shapeNames[shape].replacing("S", with: key))"
    }
}
