/// A container as others may refer to it: as the parent of another one.
///
/// It gives the right to ask, not to change: who has a container that several threads use can neither register in it what
/// may not run there, nor build on its behalf. That right is the ``ResolutionContext``, which a container keeps to itself.
public struct ContainerIdentity {
    let context: ResolutionContext

    /// What several threads need to use the container, if they do. A container over this one that they are to use as well
    /// is given the same one.
    public var coordinator: (any ThreadCoordinator)? { context.coordinator }
}

extension ResolutionContext {
    /// The container of this context, for others to refer to.
    public var identity: ContainerIdentity { ContainerIdentity(context: self) }
}
