/// The callbacks of an entry, the newest first. A list is never changed, so that who runs one may do so while another
/// is being added.
@usableFromInline
final class CallbackList<Service> {
    @usableFromInline let callback: (any Resolver, Service) throws -> Void
    /// Those that were added before.
    @usableFromInline let earlier: CallbackList?

    /// How many there are.
    @usableFromInline let count: Int

    init(_ callback: @escaping (any Resolver, Service) throws -> Void, after earlier: CallbackList?) {
        self.callback = callback
        self.earlier = earlier
        count = (earlier?.count ?? 0) + 1
    }

    /// Runs the callbacks in the order in which they were added.
    @inlinable
    func run(_ resolver: any Resolver, _ instance: Service, of total: Int) throws(CallbackFailure) {
        try earlier?.run(resolver, instance, of: total)
        do {
            try callback(resolver, instance)
        } catch {
            throw CallbackFailure(error: error, thrower: .callback(count - 1, of: total))
        }
    }
}

/// What a callback threw, and which one it was.
@usableFromInline
struct CallbackFailure: Error {
    @usableFromInline let error: any Error
    @usableFromInline let thrower: ResolutionError.Thrower

    @inlinable
    init(error: any Error, thrower: ResolutionError.Thrower) {
        self.error = error
        self.thrower = thrower
    }
}
