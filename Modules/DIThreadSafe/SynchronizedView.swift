public import DICore

extension Container {
    /// Gives a view of this container that any thread may use, for code that is being moved to several threads.
    ///
    ///     let shared = container.synchronize()
    ///     Task.detached { shared.resolve((any HTTPClient).self) }
    ///
    /// One lock is held while something is built, and a thread that is building may come back; an instance that is built
    /// already is found without it. A view is a way to lock and nothing else: it joins the graph that is running on the
    /// calling thread. What it builds must be safe to use there.
    ///
    /// From then on the container itself takes the same lock wherever it builds, registers, removes or resets, and so do its
    /// parents and children. Call this at set-up: a graph that is running is not joined. An entry that was registered on an
    /// actor is built on that actor alone: asked for anywhere else the program ends with a message that names the key. New
    /// code is better off with ``ThreadSafeContainer``, which needs no such rules.
    ///
    /// A container over a ``ThreadSafeContainer`` has no views: the call traps. What several threads use there is a child of
    /// the same kind, by ``ThreadSafeContainer/createChild(sharing:)``.
    public func synchronize() -> any Resolver & Sendable {
        // The lock lets in one thread at a time, and what it builds is the caller's to judge, as the comment says.
        context.unsafeSetGate(RecursiveLock())
        guard context.gate != nil else {
            fatalError(
                """
                a container over one that several threads use has no views; make a child for several threads with \
                createChild() of that one
                """
            )
        }
        return SynchronizedView(of: self)
    }
}

/// A plain container for several threads, behind the gate of its tree.
// Unchecked: once the tree has a gate, finding is what it is in a container for several threads, and all else happens
// inside the gate.
private final class SynchronizedView: Resolver, @unchecked Sendable {
    private let container: Container

    init(of container: Container) {
        self.container = container
    }

    func locate(_ key: ServiceKey) -> LocatedEntry { container.locate(key) }

    func unsafeLocate(_ key: ServiceKey) -> UnsafeLocatedEntry { container.unsafeLocate(key) }

    func unsafeLocate(unnamed serviceType: Any.Type) -> UnsafeLocatedEntry {
        container.unsafeLocate(unnamed: serviceType)
    }

    func contributions(to serviceType: Any.Type) -> [AnyServiceEntry] { container.contributions(to: serviceType) }

    var visibleEntries: [AnyServiceEntry] { container.visibleEntries }
}

extension RecursiveLock: SessionGate {
    func enter() { lock() }

    func willBuild(_ entry: AnyServiceEntry) {
        entry.isolation?.requireIsolation(
            "\(entry.key) was registered on an actor (\(entry.location)) and can be built there alone"
        )
    }

    func leave() { unlock() }
}
