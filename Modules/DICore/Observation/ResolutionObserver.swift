/// Is told what a container does.
///
///     final class FailureCounter: ResolutionObserver {
///         private(set) var count = 0
///         let interests: ResolutionInterests = .failures
///
///         func observe(_ event: ResolutionEvent) { count += 1 }
///     }
///     container.addObserver(FailureCounter())
///
/// Events come in the isolation domain of the container, in the order in which things happen, never while the framework
/// is in the middle of changing something. An observer may resolve and register; it is not told of what it causes itself.
/// With no observer installed the cost of all this is one branch.
public protocol ResolutionObserver: AnyObject {
    /// Something happened that the observer is interested in.
    func observe(_ event: ResolutionEvent)

    /// What the observer wants to be told of; asked once, when it is added. The default is everything.
    var interests: ResolutionInterests { get }

    /// Whether it is told of what happens in child containers as well; asked once, when it is added. The default is yes.
    var isInheritedByChildren: Bool { get }
}

extension ResolutionObserver {
    /// Everything.
    public var interests: ResolutionInterests { .all }

    /// Yes.
    public var isInheritedByChildren: Bool { true }
}
