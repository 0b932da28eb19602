internal import Synchronization

/// What holds the containers of the wrappers that were made in one graph for objects that no storage has.
///
/// When something that a container keeps is given one of those objects, the container would hold itself through the wrappers
/// that were made for it: those refer to their containers weakly from then on.
final class GraphHold: Sendable {
    private let state = Mutex(State())

    private struct State {
        var held: [Held] = []
        /// The numbers of wrappers that are gone.
        var free: [Int] = []
    }

    /// The container of a wrapper that was made for one object and its parts.
    // Unchecked: a container that is not `Sendable` is let go by its own session and by the wrapper alone; it is there for
    // wrappers that stay in its isolation domain, which look it up by its number.
    private struct Held: @unchecked Sendable {
        /// The object that was being built, and those that it was built for.
        var keys: [RecordKey] = []
        /// The session whose the container is; zero for one that any thread may let go.
        var session: UInt = 0
        var resolver: (any Resolver)?
        var sendable: (any Resolver & Sendable)?
    }

    /// The container of one wrapper, while that lives and nothing that is kept was given the object for which it was made.
    final class Share: Sendable {
        private let hold: GraphHold
        private let number: Int

        fileprivate init(of hold: GraphHold, number: Int) {
            self.hold = hold
            self.number = number
        }

        deinit { hold.drop(number) }

        var resolver: (any Resolver)? { hold.held(number).resolver }

        var sendableResolver: (any Resolver & Sendable)? { hold.held(number).sendable }
    }

    /// Holds a container for the objects with these keys.
    func add(_ resolver: any Resolver, _ keys: [RecordKey], _ session: UnsafeMutablePointer<Session>) -> Share {
        add(Held(keys: keys, session: UInt(bitPattern: session), resolver: resolver))
    }

    /// The same for a container that several threads may use.
    func add(sendable resolver: any Resolver & Sendable, _ keys: [RecordKey]) -> Share {
        add(Held(keys: keys, session: 0, sendable: resolver))
    }

    private func add(_ added: Held) -> Share {
        let number = state.withLock { state in
            if let number = state.free.popLast() {
                state.held[number] = added
                return number
            }
            state.held.append(added)
            return state.held.count - 1
        }
        return Share(of: self, number: number)
    }

    private func held(_ number: Int) -> Held { state.withLock { $0.held[number] } }

    private func drop(_ number: Int) {
        // Released outside of the lock: it may run any code.
        let dropped = state.withLock { state in
            state.free.append(number)
            let dropped = state.held[number]
            state.held[number] = Held()
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }

    /// Lets the containers go that are held for an object. Returns them: releasing them may run any code.
    func end(for key: RecordKey, _ session: UnsafeMutablePointer<Session>) -> [AnyObject] {
        let ended = state.withLock { state in
            var ended: [Held] = []
            for (number, known) in state.held.enumerated() where known.keys.contains(key) {
                guard known.session == 0 || known.session == UInt(bitPattern: session) else { continue }
                ended.append(known)
                state.held[number].resolver = nil
                state.held[number].sendable = nil
            }
            return ended
        }
        return ended.flatMap { [$0.resolver as AnyObject?, $0.sendable as AnyObject?].compactMap(\.self) }
    }
}

extension Session {
    /// How a wrapper that is made now is to hold its container.
    enum Holding {
        case strongly
        case weakly
        /// Until one of the objects with these keys, for which it is made, is given to something that a container keeps.
        case whileUnshared([RecordKey])
    }

    static func holding(_ session: UnsafeMutablePointer<Session>) -> Holding {
        if session.pointee.keptRequests != 0 { return .weakly }
        var keys: [RecordKey] = []
        var next = session.pointee.top
        while let frame = next {
            // Unsafe: what a frame names lives as long as the frame; see `Frame`.
            let isInGraph = frame.pointee.entry._withUnsafeGuaranteedRef { $0.flags.contains(.graph) }
            if isInGraph {
                if session.pointee.shared.contains(frame.pointee.key) { return .weakly }
                keys.append(frame.pointee.key)
            }
            next = frame.pointee.parent
        }
        return keys.isEmpty ? .strongly : .whileUnshared(keys)
    }

    /// Called when the running graph has given an object: what a container keeps may hold it from now on.
    static func noteSharing(_ session: UnsafeMutablePointer<Session>, of key: RecordKey) {
        guard session.pointee.keptRequests != 0 else { return }
        if !session.pointee.shared.contains(key) { session.pointee.shared.append(key) }
        // Released when the outermost request is over.
        session.pointee.released += session.pointee.graph.pointee.identifier?.endHold(for: key, session) ?? []
        session.pointee.setDirty()
    }
}
