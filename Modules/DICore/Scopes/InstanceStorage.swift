/// Where the instances of one entry are kept: what a custom storage conforms to.
///
/// A storage needs nothing but ``instance``:
///
///     final class Kept: InstanceStorage {
///         var instance: Any?
///     }
///
/// The core asks ``instance(inGraph:)`` before it builds, and calls ``setInstance(_:inGraph:)`` with what it has built,
/// and with nil when a callback of the instance has thrown. It sets ``instance`` to nil when the scope is reset. What is
/// put into a storage from outside is what resolving returns; a value of another type than the service is an error.
///
/// A storage that tells graphs apart by their identifiers holds those: the identifier of a graph that has ended, and that nobody
/// holds, may come back for another graph, which a weak reference does not see.
///
/// The methods are called in the isolation domain of the container. They must not resolve, and must not wait.
public protocol InstanceStorage: AnyObject {
    /// The instance that is kept at this moment, for whatever graph asks.
    var instance: Any? { get set }

    /// The instance for a graph. The default is ``instance``.
    func instance(inGraph graph: GraphIdentifier) -> Any?

    /// Keeps an instance that was built in a graph. The default sets ``instance``.
    func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier)

    /// A graph in which this storage was given an instance has ended. The default does nothing.
    func graphResolutionCompleted()

    /// Whether the storage holds its instances, which checks of release count then. The default is yes; no is for one that
    /// knows them weakly.
    var keepsInstances: Bool { get }

    /// The cell of a storage whose one instance is the same for every graph until it is cleared; nil for all others.
    ///
    /// A storage that returns a cell is not asked again on a hit: the core reads the cell, typed and one load away.
    /// It must return the same cell at every call, and keep its ``instance`` there. The default is nil.
    ///
    ///     final class Kept: InstanceStorage {
    ///         private let cell = InstanceCell()
    ///         var instance: Any? { get { cell.instance } set { cell.instance = newValue } }
    ///         var sharedCell: InstanceCell? { cell }
    ///     }
    var sharedCell: InstanceCell? { get }
}

extension InstanceStorage {
    /// The same instance for every graph.
    public func instance(inGraph graph: GraphIdentifier) -> Any? { instance }

    /// Keeps the instance for every graph.
    public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) { self.instance = instance }

    /// Nothing to do.
    public func graphResolutionCompleted() {}

    /// Yes.
    public var keepsInstances: Bool { true }

    /// No cell: the storage is asked every time.
    public var sharedCell: InstanceCell? { nil }
}
