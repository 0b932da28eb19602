/// Knows a context without holding it: for entries and instances, which the context holds or may come to hold.
final class ContextReference {
    private let parent: ContextReference?

    // Unsafe: `contextEnds` clears it in the deinit of the context. Used where one isolation domain has the context and all
    // that knows it, so that nothing happens meanwhile. A weak reference would give each container a side table, and with
    // it retains and releases of the context that cost 120 instructions more.
    private unowned(unsafe) var confined: ResolutionContext?

    /// The container where several threads use it, so that one may look here while another lets the last reference go. The
    /// container has a side table already, and leads to the context.
    private weak var shared: (any Resolver)?

    init(_ context: ResolutionContext) {
        parent = context.parent?.reference
        if context.isForThreads {
            shared = context.resolver
        } else {
            confined = context
        }
    }

    /// The context, while something holds it or, where several threads use it, while the container lives.
    var context: ResolutionContext? {
        if let confined { return confined }
        // A resolver of somebody else may answer with another context.
        guard let found = shared?.current.context, found.ownReference.object === self else { return nil }
        return found
    }

    /// The resolver of the context, while it lives.
    var resolver: (any Resolver)? { confined?.resolver ?? shared }

    /// The context was given its resolver after this was made.
    func attach(_ resolver: any Resolver) {
        if confined == nil { shared = resolver }
    }

    func contextEnds() {
        confined = nil
    }

    /// Reports a failure to the observers of the context or, when it has ended, to those observers of its nearest parent
    /// that is alive which children inherit.
    func report(_ error: ResolutionError) {
        if let context { return ResolutionEvent.report(failure: error, in: context) }
        var next = parent
        while let reference = next {
            if let context = reference.context { return ResolutionEvent.report(failure: error, below: context) }
            next = reference.parent
        }
        FailureObservers.tell(error)
    }
}

extension ResolutionContext {
    /// Knows this context without holding it.
    var reference: ContextReference {
        ownReference.object ?? ownReference.objectOrMade(ContextReference(self))
    }
}
