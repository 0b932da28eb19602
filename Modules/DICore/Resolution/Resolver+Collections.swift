extension Resolver {
    /// Gives all contributions to the collection of a type, parents first, in the order of registration.
    ///
    ///     container.contribute((any FeedParser).self) { _ in RSSParser() }
    ///     container.contribute((any FeedParser).self) { _ in AtomParser() }
    ///     let parsers = container.resolveAll((any FeedParser).self)
    ///
    /// Empty when there are none. A contribution that fails is left out and told to observers; ``requireAll(_:)`` throws.
    public func resolveAll<Service>(_ serviceType: Service.Type) -> [Service] {
        collected(serviceType).compactMap { entry in
            do throws(ResolutionError) {
                return try instance(of: entry, serviceType)
            } catch {
                return nil
            }
        }
    }

    /// Gives all contributions to the collection of a type, or throws why one of them cannot be built.
    public func requireAll<Service>(_ serviceType: Service.Type) throws(ResolutionError) -> [Service] {
        try requireAll(serviceType) { _ in true }
    }

    func requireAll<Service>(
        _ serviceType: Service.Type,
        where isIncluded: (ServiceKey) -> Bool
    ) throws(ResolutionError) -> [Service] {
        var instances: [Service] = []
        for entry in collected(serviceType) where isIncluded(entry.key) {
            instances.append(try instance(of: entry, serviceType))
        }
        return instances
    }

    private func collected<Service>(_ serviceType: Service.Type) -> [AnyServiceEntry] {
        let entries = contributions(to: serviceType)
        let located = locate(unnamed: serviceType)
        withExtendedLifetime(self) {
            located.endReading()
            let context = located.context.takeUnretainedValue()
            guard context.isObserved else { return }
            let gate = context.gate
            gate?.enter()
            defer { gate?.leave() }
            Session.reportPassedOverContributions(located.session, to: serviceType, beyond: entries, in: context)
        }
        return entries
    }

    /// Gives an instance of each registration of a type whose key satisfies a condition, parents first, in the order of
    /// registration: those with and without a name and the contributions alike.
    ///
    ///     let official = container.resolveAll((any Theme).self) { $0.name?.hasPrefix("official-") == true }
    ///
    /// Registrations that take runtime arguments are not asked. One that fails is left out and told to observers.
    ///
    /// - Complexity: looks at every registration.
    public func resolveAll<Service>(
        _ serviceType: Service.Type,
        where isIncluded: (ServiceKey) throws -> Bool
    ) rethrows -> [Service] {
        var instances: [Service] = []
        for entry in visibleEntries
        where entry.serviceType == serviceType && entry.key.takesNoArguments {
            guard try isIncluded(entry.key) else { continue }
            do throws(ResolutionError) {
                instances.append(try instance(of: entry, serviceType))
            } catch {
                continue
            }
        }
        return instances
    }

    private func instance<Service>(
        of entry: AnyServiceEntry,
        _ serviceType: Service.Type
    ) throws(ResolutionError) -> Service {
        let unnamed = locate(unnamed: serviceType)
        unnamed.endReading()
        let located = unnamed.with(entry)
        let published = located.publishedBits
        if published != 0 { return withExtendedLifetime(self) { located.read(published) } }
        return try withExtendedLifetime(entry) { () throws(ResolutionError) in
            try build(located, serviceType, NoArguments(), for: self)
        }
    }
}
