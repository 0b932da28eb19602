public import DICore

/// Which services may be resolved as they are while others are overridden.
public enum Originals: Sendable {
    /// All that are not overridden.
    case all
    /// None: every service that is resolved must be overridden.
    case none
    /// The ones with these keys, such as what is being tested; all else must be overridden.
    case only([ServiceKey])
}

/// Looks that overrides replace something, and that nothing is resolved that should have been overridden.
struct OverrideCheck {
    private let known: [AnyServiceEntry]
    private let originals: Originals
    private let allowsAdditions: Bool
    private let recorder = ResolutionRecorder()
    private let place: TestPlace

    /// Registers the overrides in the container over a base, and begins to look.
    init<Overridden: ContainerProtocol>(
        _ base: any Resolver,
        _ originals: Originals,
        _ allowsAdditions: Bool,
        _ place: TestPlace,
        _ overridden: Overridden,
        _ overrides: (Overridden) throws -> Void
    ) rethrows {
        known = base.visibleEntries
        self.originals = originals
        self.allowsAdditions = allowsAdditions
        self.place = place
        try overrides(overridden)
        begin(overridden)
    }

    /// Fails the test for each override that replaces nothing, and begins to look at what is resolved.
    private func begin(_ container: any ContainerProtocol) {
        let keys = Set(known.map(\.key))
        let astray = allowsAdditions ? [] : overrides(in: container).filter { !keys.contains($0.key) }
        if !astray.isEmpty { place.fail(astray.map(text).joined(separator: "\n")) }
        if isStrict { container.addObserver(recorder) }
    }

    /// Fails the test for what was resolved and should have been overridden.
    func end(_ container: any ContainerProtocol) {
        guard isStrict else { return }
        container.removeObserver(recorder)
        var granted = Set(overrides(in: container).flatMap { [$0.key, ($0.forwardTarget ?? $0).key] })
        if case .only(let keys) = originals {
            granted.formUnion(keys)
            granted.formUnion(known.filter { keys.contains($0.key) }.compactMap(\.forwardTarget?.key))
        }
        var told: Set<ServiceKey> = []
        let lines = recorder.requests.filter {
            $0.isAnswered && !granted.contains($0.key) && told.insert($0.key).inserted
        }
        if lines.isEmpty { return }
        place.fail("resolved without an override:\n" + lines.map { indented("\($0)") }.joined(separator: "\n"))
    }

    private var isStrict: Bool {
        switch originals {
        case .all: false
        case .none, .only: true
        }
    }

    private func overrides(in container: any Resolver) -> [AnyServiceEntry] {
        let ids = Set(known.map(\.id))
        return container.visibleEntries.filter { !ids.contains($0.id) }
    }

    private func text(_ entry: AnyServiceEntry) -> String {
        let near = known.filter { $0.serviceType == entry.serviceType }.map { "\($0.key) (\($0.location))" }
        let text =
            "the override of \(entry.key) (\(entry.location)) replaces nothing: the container has no such registration"
        return near.isEmpty ? text : text + "; it has\n" + near.map { "  \($0)" }.joined(separator: "\n")
    }
}

extension ResolutionRecorder.Request {
    /// Whether it was given an instance, now or to come.
    fileprivate var isAnswered: Bool {
        switch outcome {
        case .created, .reused, .deferred: true
        case .failed: false
        }
    }
}
