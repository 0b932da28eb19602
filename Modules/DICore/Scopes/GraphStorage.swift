/// Marks the running graph as the place where the instances of an entry are kept.
///
/// The core sees this type and keeps the instances in the graph itself, without asking the storage. A storage that is
/// composed of others may contain one and call it as any storage: it then keeps its instance in the graph that the
/// identifier stands for, under its own identity.
public final class GraphStorage: InstanceStorage {
    let id = Identity.next()

    /// Makes a storage for one entry.
    public init() {}

    /// Always nil: there is no instance apart from those of the graphs. Setting it does nothing.
    public var instance: Any? {
        get { nil }
        set {}
    }

    /// No: the graph does, while it runs.
    public var keepsInstances: Bool { false }

    /// The instance that this storage was given in the graph, while the graph runs or the instance lives. Of a graph that runs
    /// on another thread only what was there before.
    public func instance(inGraph graph: GraphIdentifier) -> Any? {
        graph.recollect(RecordKey(storage: self))
    }

    /// Keeps the instance in the graph: strongly while it runs on this thread, and weakly otherwise for as long as the
    /// identifier lives.
    public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
        graph.hold(instance, as: RecordKey(storage: self))
    }
}

/// Keeps nothing: each request builds.
public final class TransientStorage: InstanceStorage {
    /// Makes a storage for one entry.
    public init() {}

    /// Always nil. Setting it does nothing.
    public var instance: Any? {
        get { nil }
        set {}
    }
}
