public import DICore

/// Keeps an object for as long as somebody else holds it, and in the graph that it was built in while that runs.
///
/// A value that is no object is not kept at all.
public final class WeakStorage: InstanceStorage {
    private weak var object: AnyObject?
    private let graphStorage = GraphStorage()

    /// Makes an empty storage.
    public init() {}

    /// No.
    public var keepsInstances: Bool { false }

    /// The object, while it lives.
    public var instance: Any? {
        get { object }
        set { object = newValue.flatMap(ObjectReference.object(in:)) }
    }

    /// Keeps the object, and holds it in the graph.
    public func setInstance(_ instance: Any?, inGraph graph: GraphIdentifier) {
        self.instance = instance
        // Without this an object that its first user drops would be built again within one graph.
        graphStorage.setInstance(object, inGraph: graph)
    }
}
