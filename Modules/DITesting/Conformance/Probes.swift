internal import DICore
internal import Synchronization

// What the suites register.

struct ProbeError: Error {}

final class ProbePair: Sendable {
    let left: ProbeObject
    let right: ProbeObject

    init(_ left: ProbeObject, _ right: ProbeObject) {
        self.left = left
        self.right = right
    }
}

struct ProbeName: Sendable, Equatable {
    let text: String
}

final class ProbeNamed: Sendable {
    let name: ProbeName

    init(_ name: ProbeName) {
        self.name = name
    }
}

final class ProbeParent: Sendable {
    private let mutex = Mutex<ProbeChild?>(nil)

    var child: ProbeChild? {
        get { mutex.withLock { $0 } }
        set {
            let old = mutex.withLock { child in
                defer { child = newValue }
                return child
            }
            withExtendedLifetime(old) {}
        }
    }
}

final class ProbeChild: Sendable {
    let parent: ProbeParent

    init(_ parent: ProbeParent) {
        self.parent = parent
    }
}

/// Counts from any thread.
final class ProbeCounter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    @discardableResult
    func add() -> Int { count.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}

/// Keeps one instance until it is reset.
final class ProbeStorage: InstanceStorage {
    var instance: Any?

    static let scope = ObjectScope(storageFactory: ProbeStorage.init, description: "kept for the suite")
}

protocol ProbeForwarded: AnyObject, Sendable {}

extension ProbeObject: ProbeForwarded {}

/// Remembers the first object that it is shown.
final class ProbeHolder: Sendable {
    private let first = Mutex<ProbeObject?>(nil)

    func isSame(_ object: ProbeObject) -> Bool {
        first.withLock { first in
            if first == nil { first = object }
            return first === object
        }
    }
}
