internal import DICore

/// Remembers which assembly has registered what.
final class AssemblyOrigins: ResolutionObserver {
    /// The assembly that is registering.
    var current: String?

    private var names: [Registration: String] = [:]

    private struct Registration: Hashable {
        let key: ServiceKey
        let location: SourceLocation
    }

    let interests: ResolutionInterests = .registrations
    let isInheritedByChildren = false

    func observe(_ event: ResolutionEvent) {
        guard let key = event.key, let location = event.location else { return }
        switch event.kind {
        case .registered, .replaced: names[Registration(key: key, location: location)] = current
        case .removed: names[Registration(key: key, location: location)] = nil
        default: break
        }
    }

    func name(of key: ServiceKey, at location: SourceLocation) -> String? {
        names[Registration(key: key, location: location)]
    }
}
