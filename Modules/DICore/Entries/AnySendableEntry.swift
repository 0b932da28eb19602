/// A registration whose factory and callbacks may run on any thread, whatever its type is: what a ``SendableRegistrar``
/// puts into its registry.
///
/// Only the `register` methods of a registrar make one.
public struct AnySendableEntry {
    /// The registration.
    public let anyEntry: AnyServiceEntry

    init(_ entry: AnyServiceEntry) {
        anyEntry = entry
    }
}
