extension ContainerProtocol {
    /// Drops the instances of all entries of a scope, here and in the parents; the next request builds anew.
    ///
    /// Whoever holds an instance keeps it. No other scope is touched.
    public func resetObjectScope(_ objectScope: any ObjectScopeProtocol) {
        resetObjectScope(objectScope, includingParents: true)
    }

    /// Drops the instances of all entries of a scope, in the parents only if asked to.
    public func resetObjectScope(_ objectScope: any ObjectScopeProtocol, includingParents: Bool) {
        reset(includingParents) { $0.scope === objectScope }
        ResolutionEvent.report(resetOf: objectScope, in: context)
    }

    /// Drops the instances of the entries of a type that are in a scope, whatever their names and arguments, here and in
    /// the parents.
    ///
    /// For a forwarded type these are the instances of the entry that it stands for.
    public func resetObjectScope<Service>(_ objectScope: any ObjectScopeProtocol, serviceType: Service.Type) {
        resetObjectScope(objectScope, serviceType: serviceType, includingParents: true)
    }

    /// Drops the instances of the entries of a type that are in a scope, in the parents only if asked to.
    public func resetObjectScope<Service>(
        _ objectScope: any ObjectScopeProtocol,
        serviceType: Service.Type,
        includingParents: Bool
    ) {
        reset(includingParents, serviceType) { $0.scope === objectScope }
        ResolutionEvent.report(resetOf: objectScope, in: context)
    }

    private func reset(
        _ includingParents: Bool,
        _ serviceType: Any.Type? = nil,
        where isIncluded: (AnyServiceEntry) -> Bool
    ) {
        context.changing { resetInside(includingParents, serviceType, where: isIncluded) }
    }

    private func resetInside(
        _ includingParents: Bool,
        _ serviceType: Any.Type?,
        where isIncluded: (AnyServiceEntry) -> Bool
    ) {
        var places: [StoragePlace] = []
        for level in levels {
            var targets: Set<UInt> = []
            for entry in level.registry.entries where serviceType == nil || entry.serviceType == serviceType {
                let target = entry.forwardTarget ?? entry
                guard isIncluded(target), targets.insert(target.id).inserted else { continue }
                places.append(target.place)
            }
            places += level.privatePlaces {
                isIncluded($0) && (serviceType == nil || targets.contains($0.id) || $0.serviceType == serviceType)
            }
            if !includingParents { break }
        }
        // Read out before they are cleared, and released when all are: a deinit may resolve, and must find the scope
        // reset as a whole.
        let session = context.session
        Session.aside(session) {
            let instances = places.map { $0.withStorage(session, \.instance) }
            for place in places { place.withStorage(session) { $0.instance = nil } }
            withExtendedLifetime(instances) {}
        }
    }
}
