extension ResolutionError {
    /// Makes the error of a failure that starts here, with the path of what is running, and tells observers.
    static func report(
        _ code: Code,
        key: ServiceKey,
        detail: String? = nil,
        underlying: (any Error)? = nil,
        near: [AnyServiceEntry] = [],
        limit: Int? = nil,
        isOnPath: Bool = false,
        candidates: [Candidate] = [],
        in context: ResolutionContext
    ) -> ResolutionError {
        var path = Session.path(context.session.memory)
        if !isOnPath { path.append(Step(key: key, location: near.first?.location)) }
        let error = ResolutionError(
            code,
            key: key,
            path: path,
            detail: detail ?? limit.flatMap { code == .depthExceeded ? "\($0) times" : nil },
            underlying: underlying,
            candidates: candidates
        )
        ResolutionEvent.report(failure: error, in: context)
        return error
    }

    /// The error of a request whose key nobody has, with what may have been meant. Looks through all that is registered.
    static func missing(_ key: ServiceKey, from resolver: any Resolver, in context: ResolutionContext)
        -> ResolutionError
    {
        let entries = resolver.visibleEntries
        let sameType = entries.filter { $0.serviceType == key.serviceType }
        let sameName = sameType.filter { $0.key.name == key.name }
        if let near = sameName.first {
            let wanted = TypeName.arguments(of: key.argumentsType)
            let registered = TypeName.arguments(of: near.argumentsType)
            return report(
                .argumentsMismatch,
                key: key,
                detail: "asked with (\(wanted.joined(separator: ", "))), "
                    + "registered with (\(registered.joined(separator: ", ")))",
                candidates: candidates(sameName),
                in: context
            )
        }
        let others = sameType.isEmpty ? similar(to: key, in: entries) : nearest(sameType, to: key.name ?? "")
        return report(.notRegistered, key: key, candidates: candidates(others), in: context)
    }

    private static func candidates(_ entries: [AnyServiceEntry]) -> [Candidate] {
        entries.prefix(3).map { Candidate(key: $0.key, location: $0.location) }
    }

    private static func nearest(_ entries: [AnyServiceEntry], to name: String) -> [AnyServiceEntry] {
        entries.map { (entry: $0, distance: EditDistance.between($0.key.name ?? "", name)) }
            .sorted { ($0.distance, $0.entry.id) < ($1.distance, $1.entry.id) }
            .map(\.entry)
    }

    /// Registrations of types whose names differ from the wanted one in a few letters.
    private static func similar(to key: ServiceKey, in entries: [AnyServiceEntry]) -> [AnyServiceEntry] {
        let wanted = TypeName.short(key.serviceType)
        let limit = max(1, wanted.count / 4)
        return entries.compactMap { entry -> (entry: AnyServiceEntry, distance: Int)? in
            let name = TypeName.short(entry.serviceType)
            guard abs(name.count - wanted.count) <= limit else { return nil }
            let distance = EditDistance.between(name, wanted)
            return distance <= limit ? (entry, distance) : nil
        }
        .sorted { ($0.distance, $0.entry.id) < ($1.distance, $1.entry.id) }
        .map(\.entry)
    }
}

extension Session {
    /// The keys of what is running, outermost first.
    static func path(_ session: UnsafeMutablePointer<Session>) -> [ResolutionError.Step] {
        var path: [ResolutionError.Step] = []
        var next = session.pointee.top
        while let frame = next {
            let entry = frame.pointee.entry.takeUnretainedValue()
            path.append(ResolutionError.Step(key: entry.key, location: entry.location))
            next = frame.pointee.parent
        }
        return path.reversed()
    }
}
