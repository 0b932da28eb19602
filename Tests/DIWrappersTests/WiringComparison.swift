import DICore
import DITestSupport

/// Compares the graph of each container and its report with a ``WiringRun``.
final class WiringComparison {
    /// The differences, in words.
    private(set) var differences: [String] = []

    /// The kinds of problems and shapes that the graphs have.
    private(set) var found: Set<String> = []

    private let run: WiringRun

    init(_ wiring: RandomWiring, _ services: WiringServices) {
        run = WiringRun(wiring, services)
        differences = run.surprises
        var keys: [Int: ServiceKey] = [:]
        let containers = WiringRun.containers(of: wiring, services, initializers: true, keys: &keys) { _, _ in
            fatalError("a check builds nothing")
        }
        for level in containers.indices {
            let graph = containers[level].dependencyGraph()
            let before = differences.count
            compare(graph, from: level)
            if differences.count > before { differences.insert("from container \(level):", at: before) }
        }
    }

    // MARK: One container

    private func compare(_ graph: DependencyGraph, from level: Int) {
        let report = graph.validate()
        found.formUnion(report.problems.map(\.kind.rawValue))
        if run.isCutShort { found.insert("cut short") }
        if report.isValid { found.insert("valid") }
        if graph.nodes.contains(where: \.isHidden) { found.insert("hidden") }
        if zip(graph.nodes, graph.nodes.dropFirst()).contains(where: { $0.registration == $1.registration }) {
            found.insert("several nodes")
        }
        let reached = reached(from: level)
        compareMissing(report, reached)
        let caught = graph.nodes.indices.map { isCaught($0, in: graph) }
        compareCycles(graph, report, reached, caught)
        compareOutcomes(graph, level, caught)
        compareBuilds(graph, reached, from: level)
        compareCaptives(report, reached, isLater: false)
        compareCaptives(report, reached, isLater: true)
    }

    private func expect(_ isRight: Bool, _ text: @autoclosure () -> String) {
        if isRight { return }
        let text = text()
        differences.append("  " + text)
    }

    /// All builds that requests to a container have led to.
    private func reached(from level: Int) -> Set<WiringRun.Build> {
        var reached: Set<WiringRun.Build> = []
        var open = run.outcomes[level].compactMap(\.build)
        while let build = open.popLast() {
            guard reached.insert(build).inserted else { continue }
            open += run.links[build, default: []].map(\.target)
        }
        return reached
    }

    private func compareMissing(_ report: WiringReport, _ reached: Set<WiringRun.Build>) {
        let truth = reached.flatMap { run.missing[$0, default: []] }
        let said = Set((report.problems(.missing) + report.problems(.argumentsMismatch)).map(\.key))
        let seen = Set(truth.map(\.key))
        expect(said == seen, "missing: said \(said), seen \(seen)")
        let saidMismatch = Set(report.problems(.argumentsMismatch).map(\.key))
        let seenMismatch = Set(truth.filter { $0.code == "argumentsMismatch" }.map(\.key))
        expect(saidMismatch == seenMismatch, "arguments: said \(saidMismatch), seen \(seenMismatch)")
    }

    private func compareCycles(
        _ graph: DependencyGraph,
        _ report: WiringReport,
        _ reached: Set<WiringRun.Build>,
        _ isCaught: [Bool]
    ) {
        let seen = Set(reached.flatMap { run.cycles[$0, default: []] })
        let problems = report.problems(.cycle)
        expect(problems.isEmpty == seen.isEmpty, "cycles: said \(problems.map(\.key)), seen at \(seen)")
        let caught = Set(graph.nodes.indices.filter { isCaught[$0] }.map { number(graph.nodes[$0]) })
        expect(seen.isSubset(of: caught), "cycles: said of \(caught), seen at \(seen)")
        for problem in problems where !run.isCutShort {
            let numbers = problem.related.dropLast().map { run.answering(Int($0.location.line)) }
            let failing = Set(run.failed.intersection(reached).map(\.registration))
            expect(failing.isSuperset(of: numbers), "cycle: said \(numbers), failed \(failing)")
        }
    }

    private func number(_ node: DependencyGraph.Node) -> Int { Int(node.location.line) }

    private func targets(of node: Int, in graph: DependencyGraph) -> [Int] {
        graph.edges(from: graph.nodes[node]).compactMap { edge in
            if case .node(let target) = edge.to, !edge.isDeferred { target } else { nil }
        }
    }

    /// Whether a node needs itself.
    private func isCaught(_ node: Int, in graph: DependencyGraph) -> Bool {
        var known: Set<Int> = []
        var open = targets(of: node, in: graph)
        while let next = open.popLast() {
            if next == node { return true }
            if known.insert(next).inserted { open += targets(of: next, in: graph) }
        }
        return false
    }

    private func compareOutcomes(_ graph: DependencyGraph, _ level: Int, _ isCaught: [Bool]) {
        var fails = isCaught
        // A deferred request for a missing service may fail at once or later.
        var mayFail = fails
        for edge in graph.edges where !edge.isOptional {
            if case .missing = edge.to {
                mayFail[edge.from] = true
                if !edge.isDeferred { fails[edge.from] = true }
            }
        }
        for _ in graph.nodes where mayFail.contains(true) {
            for node in graph.nodes.indices {
                for target in targets(of: node, in: graph) {
                    if fails[target] { fails[node] = true }
                    if mayFail[target] { mayFail[node] = true }
                }
            }
        }
        for outcome in run.outcomes[level] {
            let nodes = graph.nodes.filter { number($0) == outcome.registration && !$0.isHidden }
            // The one that a request from here finds.
            guard let node = nodes.first else {
                expect(false, "#\(outcome.registration) has no node")
                continue
            }
            if outcome.hasFailed {
                expect(mayFail[node.id], "#\(outcome.registration) has failed")
            } else {
                expect(!fails[node.id], "#\(outcome.registration) has been built")
            }
        }
    }

    /// The node that builds the instance of a node.
    private func answering(_ node: Int, in graph: DependencyGraph) -> DependencyGraph.Node {
        var node = graph.nodes[node]
        while let target = node.forwardsTo { node = graph.nodes[target] }
        return node
    }

    private func stands(_ node: DependencyGraph.Node, for build: WiringRun.Build, from level: Int) -> Bool {
        number(node) == build.registration && node.builtBy.contains(level - build.level)
    }

    private func compareBuilds(
        _ graph: DependencyGraph,
        _ reached: Set<WiringRun.Build>,
        from level: Int
    ) {
        for build in reached {
            guard let node = graph.nodes.first(where: { stands($0, for: build, from: level) }) else {
                expect(false, "\(build) has no node")
                continue
            }
            let edges = graph.edges(from: node)
            let links = run.links[build, default: []]
            for link in links {
                let isSaid = edges.contains { edge in
                    guard case .node(let target) = edge.to, edge.isDeferred == link.isLater else { return false }
                    return stands(answering(target, in: graph), for: link.target, from: level)
                }
                expect(isSaid, "\(build) has come to \(link)")
            }
            // A failed build may not have got to all its requests.
            if run.failed.contains(build) { continue }
            for edge in edges {
                guard case .node(let target) = edge.to else { continue }
                let answering = answering(target, in: graph)
                let isSeen = links.contains {
                    $0.isLater == edge.isDeferred && stands(answering, for: $0.target, from: level)
                }
                expect(isSeen || edge.isDeferred, "\(build) has not come to \(graph.nodes[target].key)")
            }
        }
        guard run.failed.isEmpty else { return }
        for node in graph.nodes where node.forwardsTo == nil {
            let seen = reached.filter { stands(node, for: $0, from: level) }
            let isSeen = reached.contains { $0.registration == number(node) }
            expect(
                node.isHidden ? !isSeen : seen.count == node.builtBy.count,
                "#\(number(node)) built by \(node.builtBy)"
            )
        }
        for (node, next) in zip(graph.nodes, graph.nodes.dropFirst()) where node.registration == next.registration {
            func look(_ node: DependencyGraph.Node) -> [[Int]] {
                graph.edges(from: node).map { edge in
                    let target = if case .node(let target) = edge.to { target } else { -1 }
                    return [target, edge.isOptional ? 1 : 0, edge.isDeferred ? 1 : 0]
                }
            }
            let isSame = look(node) == look(next) && !look(node).contains { $0[0] == -1 }
            expect(!isSame, "#\(number(node)) has two nodes that look the same")
        }
    }

    // MARK: Captives

    /// The shorter-living kept instances that a kept one holds, and those that it asks for later.
    private func captives(of holder: WiringRun.Build) -> (atOnce: Set<Int>, later: Set<Int>, hasFailed: Bool) {
        struct Step: Hashable {
            let build: WiringRun.Build
            let isLater: Bool
        }
        var known: Set<Step> = []
        var captives = (atOnce: Set<Int>(), later: Set<Int>(), hasFailed: false)
        var open = [Step(build: holder, isLater: false)]
        while let step = open.popLast() {
            if run.failed.contains(step.build) || run.failedLater.contains(step.build) { captives.hasFailed = true }
            for link in run.links[step.build, default: []] {
                let next = Step(build: link.target, isLater: step.isLater || link.isLater)
                guard known.insert(next).inserted else { continue }
                if run.rank(next.build.registration) <= .graph {
                    open.append(next)
                } else if run.rank(next.build.registration) < run.rank(holder.registration) {
                    if next.isLater {
                        captives.later.insert(next.build.registration)
                    } else {
                        captives.atOnce.insert(next.build.registration)
                    }
                }
            }
        }
        return captives
    }

    private func compareCaptives(
        _ report: WiringReport,
        _ reached: Set<WiringRun.Build>,
        isLater: Bool
    ) {
        let problems = report.problems(isLater ? .deferredCaptive : .captive)
        let holders = Dictionary(grouping: reached.filter { run.rank($0.registration) > .graph }, by: \.registration)
        for (holder, builds) in holders {
            let captives = builds.map { self.captives(of: $0) }
            let atOnce = captives.reduce(into: Set()) { $0.formUnion($1.atOnce) }
            let later = captives.reduce(into: Set()) { $0.formUnion($1.later) }
            let seen = isLater ? later.subtracting(atOnce) : atOnce
            let said = Set(
                problems.filter { $0.location?.line == UInt(holder) }.flatMap(\.related).map { Int($0.location.line) }
            )
            // The holdings of a failed build cannot be seen.
            let hasFailed = captives.contains { $0.hasFailed }
            let isRight = hasFailed ? isLater || seen.isSubset(of: said) : seen == said
            expect(isRight, "captives of #\(holder)\(isLater ? " later" : ""): said \(said), seen \(seen)")
        }
        let others = problems.filter { problem in problem.location.map { holders[Int($0.line)] == nil } ?? true }
        if run.failed.isEmpty { expect(others.isEmpty, "captives of what is not built: \(others.map(\.key))") }
    }
}
