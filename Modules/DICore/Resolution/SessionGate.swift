/// Lets one thread at a time build what a plain container has, while several ask for it through views.
///
/// Set with ``ResolutionContext/unsafeSetGate(_:)``. A request that finds an instance does not come here; all others enter
/// before they build and leave when they have been answered, the requests of factories included, so that a gate must let
/// the thread that is inside enter again.
public protocol SessionGate: AnyObject, Sendable {
    /// Waits until no other thread is inside.
    func enter()

    /// Called inside, before an instance of the entry is looked for: the place to see whether its
    /// ``AnyServiceEntry/isolation`` is that of the calling code.
    func willBuild(_ entry: AnyServiceEntry)

    /// Undoes one ``enter()``.
    func leave()

    /// Makes a view of a container of the tree, for wrappers that threads share. Called on any thread; it must do nothing else
    /// with the container.
    func view(of container: Container) -> any Resolver & Sendable
}
