extension Resolver {
    /// Returns all contributions to the collection of a type, parents first, in the order of registration.
    ///
    ///     container.contribute((any FeedParser).self) { _ in RSSParser() }
    ///     container.contribute((any FeedParser).self) { _ in AtomParser() }
    ///     let parsers = container.resolveAll((any FeedParser).self)
    ///
    /// They are built in one object graph, the running one or one of their own, so that two of them share what belongs to
    /// the graph. Empty when there are none. A contribution that fails is left out and told to observers;
    /// ``requireAll(_:)`` throws.
    public func resolveAll<Service>(_ serviceType: Service.Type) -> [Service] {
        instances(of: contributionsToBuild(to: serviceType), serviceType)
    }

    /// Returns all contributions to the collection of a type, built in one object graph, or throws why one of them cannot be
    /// built.
    public func requireAll<Service>(_ serviceType: Service.Type) throws(ResolutionError) -> [Service] {
        try requireAll(serviceType) { _ in true }
    }

    func requireAll<Service>(
        _ serviceType: Service.Type,
        where isIncluded: (ServiceKey) -> Bool
    ) throws(ResolutionError) -> [Service] {
        let entries = contributionsToBuild(to: serviceType)
        return try inOneGraph { context throws(ResolutionError) in
            var instances: [Service] = []
            for entry in entries where isIncluded(entry.key) {
                instances.append(try instance(of: entry, serviceType, in: context))
            }
            return instances
        }
    }

    /// Returns an instance of each registration of a type whose key satisfies a condition, parents first, in the order of
    /// registration: those with and without a name and the contributions alike.
    ///
    ///     let official = container.resolveAll((any Theme).self) { $0.name?.hasPrefix("official-") == true }
    ///
    /// The condition is asked for all keys before the first instance is built; all are built in one object graph.
    /// Registrations that take runtime arguments are not asked. One that fails is left out and told to observers.
    ///
    /// - Complexity: looks at every registration.
    public func resolveAll<Service>(
        _ serviceType: Service.Type,
        where isIncluded: (ServiceKey) throws -> Bool
    ) rethrows -> [Service] {
        let entries = try visibleEntries.filter { entry in
            try entry.serviceType == serviceType && entry.key.takesNoArguments && isIncluded(entry.key)
        }
        return instances(of: entries, serviceType)
    }

    private func contributionsToBuild<Service>(to serviceType: Service.Type) -> [AnyServiceEntry] {
        let entries = contributions(to: serviceType)
        let (context, session) = current
        withExtendedLifetime(self) {
            guard context.isObserved else { return }
            let gate = context.gate
            gate?.enter()
            defer { gate?.leave() }
            Session.reportPassedOverContributions(session, to: serviceType, beyond: entries, in: context)
        }
        return entries
    }

    /// The instances of those entries that can be built.
    private func instances<Service>(of entries: [AnyServiceEntry], _ serviceType: Service.Type) -> [Service] {
        inOneGraph { context in
            entries.compactMap { entry in
                do throws(ResolutionError) {
                    return try instance(of: entry, serviceType, in: context)
                } catch {
                    return nil
                }
            }
        }
    }

    /// Calls the body in one graph, with the context that is asked.
    private func inOneGraph<Result, Failure: Error>(
        _ body: (ResolutionContext) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (context, session) = current
        // The session is this resolver's, and the request may be its last use.
        return try withExtendedLifetime((self, context)) { () throws(Failure) in
            try Session.inOneGraph(session, .passUnretained(context)) { () throws(Failure) in try body(context) }
        }
    }

    /// Gives the instance of an entry that can be found here.
    private func instance<Service>(
        of entry: AnyServiceEntry,
        _ serviceType: Service.Type,
        in context: ResolutionContext
    ) throws(ResolutionError) -> Service {
        // A resolver of somebody else may say anything of what it can give.
        guard entry.serviceType == serviceType, entry.argumentsType == (any Resolver).self else {
            throw mismatch(of: entry, for: ServiceKey(serviceType: serviceType), in: context)
        }
        if entry.ownerID == 0 { context.adopt(entry) }
        return try withExtendedLifetime(entry) { () throws(ResolutionError) in
            try UnsafeLocatedEntry(entry, in: context).instance(serviceType, NoArguments(), for: self)
        }
    }
}
