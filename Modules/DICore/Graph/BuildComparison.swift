/// Finds the builds of one registration that look the same, so that a graph shows them once.
///
/// Two builds look the same when their requests find the same registrations, and the builds of these look the same. The
/// search assumes that all do. It marks each build that differs from the next one in the order of the containers, and
/// spreads the mark to the builds that ask for it. Each mark is set once, so the work is linear in the requests. Nearly all
/// registrations have one build and cost nothing.
struct BuildComparison {
    private let builds: [Build]
    private let elsewhere: Int

    /// The first build of each registration, in the order of the containers; nil where there is none.
    private(set) var first: [Int?]

    /// The next build of the same registration, for those that have one.
    private(set) var following: [Int: Int] = [:]

    /// The builds that differ from the one that follows.
    private var different: Set<Int> = []

    /// For a build, the builds that differ from their next one if this build does.
    private var dependents: [Int: [Int]] = [:]

    init(_ builds: [Build], in wiring: RegisteredWiring) {
        self.builds = builds
        elsewhere = wiring.elsewhere
        first = Array(repeating: nil, count: wiring.registrations.count)
        var several: [Int: [Int]] = [:]
        for (number, build) in builds.enumerated() {
            if let other = first[build.registration] {
                several[build.registration, default: [other]].append(number)
            } else {
                first[build.registration] = number
            }
        }
        for (registration, numbers) in several {
            let ordered = numbers.map { builds[$0].builder }.placesInOrder.map { numbers[$0] }
            first[registration] = ordered[0]
            for (build, next) in zip(ordered, ordered.dropFirst()) { following[build] = next }
        }
        findDifferences()
    }

    /// Whether a build differs from the next one of its registration.
    func isLastOfItsKind(_ build: Int) -> Bool { different.contains(build) }

    private mutating func findDifferences() {
        for (build, next) in following where !compare(build, next) { different.insert(build) }
        var open = Array(different)
        while let build = open.popLast() {
            for dependent in dependents[build, default: []] where different.insert(dependent).inserted {
                open.append(dependent)
            }
        }
    }

    /// Whether the requests of two builds of one registration find the same registrations. Notes the builds that have to look
    /// the same for that.
    private mutating func compare(_ build: Int, _ next: Int) -> Bool {
        let requests = builds[build].requests
        let others = builds[next].requests
        guard requests.count == others.count, builds[next].builder != elsewhere else { return false }
        for (request, other) in zip(requests, others) {
            guard request.source == other.source, request.traits == other.traits else { return false }
            switch (request.target, other.target) {
            case (.missing(let key), .missing(let otherKey)):
                if key != otherKey { return false }
            case (.build(let target), .build(let otherTarget)):
                guard builds[target].registration == builds[otherTarget].registration else { return false }
                if !note(from: target, to: otherTarget, for: build) { return false }
            case (.missing, .build), (.build, .missing): return false
            }
        }
        return true
    }

    /// Notes that a build differs from its next one if any build from the first to the last one does.
    private mutating func note(from first: Int, to last: Int, for build: Int) -> Bool {
        var step = first
        while step != last {
            guard let next = following[step] else { return false }
            if step != build { dependents[step, default: []].append(build) }
            step = next
        }
        return true
    }
}
