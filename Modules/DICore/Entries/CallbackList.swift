/// The callbacks of an entry, the newest first. A list is never changed, so that who runs one may do so while another
/// is being added.
@usableFromInline
final class CallbackList<Service> {
    private let callback: (any Resolver, Service) throws -> Void
    /// Those that were added before.
    private let earlier: CallbackList?

    init(_ callback: @escaping (any Resolver, Service) throws -> Void, after earlier: CallbackList?) {
        self.callback = callback
        self.earlier = earlier
    }

    /// Runs the callbacks in the order in which they were added.
    func run(_ resolver: any Resolver, _ instance: Service) throws {
        try earlier?.run(resolver, instance)
        try callback(resolver, instance)
    }
}
