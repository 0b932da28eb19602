public import DICore

/// Keeps one instance until it is reset.
///
/// The instance is in an `InstanceCell`, from which the core answers without asking the storage.
public final class PermanentStorage: InstanceStorage {
    private let cell = InstanceCell()

    /// Makes an empty storage.
    public init() {}

    /// The instance, if there is one.
    public var instance: Any? {
        get { cell.instance }
        set { cell.instance = newValue }
    }

    /// The cell that holds the instance.
    public var sharedCell: InstanceCell? { cell }
}
