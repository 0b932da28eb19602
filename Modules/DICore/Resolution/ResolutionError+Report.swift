extension ResolutionError {
    /// Makes the error of a failure that starts here, with the path of what is running, and tells observers.
    static func report(
        _ code: Code,
        key: ServiceKey,
        detail: String? = nil,
        near: [AnyServiceEntry] = [],
        suggestions: [Suggestion] = [],
        searched: [SearchedContainer] = [],
        in context: ResolutionContext
    ) -> ResolutionError {
        let announcement = beginning(
            code,
            key: key,
            detail: detail,
            near: near,
            suggestions: suggestions,
            searched: searched,
            in: context
        )
        announcement.tell()
        return announcement.error
    }

    /// Makes the error of a failure that starts here, with the path of what is running. The caller tells observers, when
    /// nothing is in the way of what they may do.
    ///
    /// - Parameter isOnPath: whether the frame of the entry that failed is on the chain already.
    static func beginning(
        _ code: Code,
        key: ServiceKey,
        detail: String? = nil,
        underlying: (any Error)? = nil,
        thrownBy: Thrower? = nil,
        near: [AnyServiceEntry] = [],
        isOnPath: Bool = false,
        suggestions: [Suggestion] = [],
        searched: [SearchedContainer] = [],
        in context: ResolutionContext
    ) -> FailureAnnouncement {
        var path = Session.path(context.session, asking: isOnPath ? nil : key)
        if !isOnPath { path.append(Step(key: key, location: near.first?.location)) }
        let error = ResolutionError(
            code,
            key: key,
            path: path,
            detail: detail,
            underlying: underlying,
            thrownBy: thrownBy,
            suggestions: suggestions,
            searched: searched
        )
        return FailureAnnouncement(error, in: context)
    }

    /// The error of a request whose key nobody has, with what may have been meant. Looks through all that is registered.
    static func missing(_ key: ServiceKey, from resolver: any Resolver, in context: ResolutionContext)
        -> ResolutionError
    {
        // Through a view it is asked outside of the gate, and what is running is looked at for the path.
        let gate = context.gate
        gate?.enter()
        defer { gate?.leave() }
        let search = SuggestionSearch(key, from: resolver, in: context)
        return report(
            search.isArgumentsMismatch ? .argumentsMismatch : .notRegistered,
            key: key,
            detail: search.argumentsDetail,
            suggestions: search.best,
            searched: search.searched,
            in: context
        )
    }
}

extension Session {
    /// The keys of what is running, outermost first.
    ///
    /// - Parameter key: what the innermost one asks for, to find which of its parameters that is.
    static func path(_ session: UnsafeMutablePointer<Session>, asking key: ServiceKey? = nil) -> [ResolutionError.Step]
    {
        var path: [ResolutionError.Step] = []
        var asked = key
        var next = session.pointee.top
        while let frame = next {
            let entry = frame.pointee.entry.takeUnretainedValue()
            let parameter = asked.flatMap {
                frame.pointee.status.contains(.completing) ? nil : entry.parameter(for: $0)
            }
            path.append(ResolutionError.Step(key: entry.key, location: entry.location, parameter: parameter))
            asked = entry.key
            next = frame.pointee.parent
        }
        return path.reversed()
    }
}

extension AnyServiceEntry {
    /// Which parameter of the registered initializer asks for a key, itself or through wrappers.
    fileprivate final func parameter(for key: ServiceKey) -> Int? {
        for dependency in dependencies {
            guard case .parameter(let index) = dependency.source else { continue }
            var type = dependency.key.serviceType
            while true {
                if type == key.serviceType { return key.name == nil ? index : nil }
                guard let wrapped = WrappedType(of: type) else { break }
                type = wrapped.type
            }
        }
        return nil
    }
}
