/// A list of what a container keeps, held weakly: for checks that nothing of it lives on.
///
///     var container: ThreadSafeContainer? = …
///     let remains = ContainerRemains(of: container!)
///     container = nil
///     precondition(remains.instances.isEmpty && !remains.hasContext)
///
/// It has the instances that the container keeps at the moment when the list is made, but not those that it was given by
/// `register(_:instance:)`, which somebody else may hold for longer. The parents' are not in it. What a child of the
/// container keeps is not, either; a child that lives on holds the context of its parent.
///
/// Has to be made where the container may be used.
public struct ContainerRemains {
    private weak let context: ResolutionContext?
    private let kept: [WeakInstance]

    private struct WeakInstance {
        weak let object: AnyObject?
    }

    /// Creates the list of what a container keeps now.
    public init(of container: some ContainerProtocol) {
        context = container.context
        kept = container.context.keptObjects.map { WeakInstance(object: $0) }
    }

    /// Whether the context of the container lives on: the container itself, a child of it, or whoever else holds it.
    public var hasContext: Bool { context != nil }

    /// The instances that live on.
    public var instances: [AnyObject] { kept.compactMap(\.object) }
}

extension ResolutionContext {
    /// The objects that the container keeps and has built, each once.
    fileprivate var keptObjects: [AnyObject] {
        var places: [StoragePlace] = []
        for entry in registry.entries where entry.forwardTarget == nil && entry.scope !== ObjectScope.instance {
            places.append(entry.place)
        }
        places += privatePlaces { $0.scope !== ObjectScope.instance }
        var seen: Set<ObjectIdentifier> = []
        let session = session
        return places.filter(\.keepsInstances).compactMap { place in
            guard let instance = place.withStorage(session, \.instance),
                let object = ObjectReference.object(in: instance), seen.insert(ObjectIdentifier(object)).inserted
            else { return nil }
            return object
        }
    }
}
