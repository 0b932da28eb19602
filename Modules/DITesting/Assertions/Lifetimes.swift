internal import DICore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Bionic)
internal import Bionic
#else
internal import Darwin
#endif

/// Expects that nothing keeps an object when the one who made it has let it go.
///
///     expectReleased { try container.require(EditorScreen.self) }
///
/// The object is made by the closure and dropped at once; what is held by a container, a closure that refers to itself, or
/// a task that has not ended is a failure that names its type. A value has no lifetime, which is a failure that says so.
///
/// An error of the closure is thrown on.
public func expectReleased<Instance>(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ make: () throws -> Instance
) rethrows {
    let remains = try Remains(of: make())
    TestPlace(fileID, filePath, line, column).expectGone(remains)
}

/// Expects that nothing keeps an object that is made asynchronously.
nonisolated(nonsending) public func expectReleased<Instance>(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ make: nonisolated(nonsending) () async throws -> Instance
) async rethrows {
    let remains = try await Remains(of: make())
    TestPlace(fileID, filePath, line, column).expectGone(remains)
}

/// What is known of an object that was let go.
struct Remains {
    private weak var object: AnyObject?
    let type: String
    let isObject: Bool

    init<Instance>(of instance: Instance) {
        let object = ObjectReference.object(in: instance)
        self.object = object
        isObject = object != nil
        type = "\(Swift.type(of: instance as Any))"
    }

    /// Whether the object lives at this moment.
    var isThere: Bool { object != nil }

    /// Whether the object lives on. What was reset in a container for several threads is released when threads have been
    /// seen not to read it, which may take them a moment; so one that lives is given some.
    var isAlive: Bool {
        for _ in 0..<20 {
            if object == nil { return false }
            // A graph that ends lets go of what waits for that, and waits for those who read.
            Container().withObjectGraph(GraphIdentifier()) { _ in }
            sched_yield()
        }
        return object != nil
    }
}

extension TestPlace {
    fileprivate func expectGone(_ remains: Remains) {
        if !remains.isObject {
            fail("\(remains.type) is a value type, and values are not released")
        } else if remains.isAlive {
            fail("\(remains.type) is not released: something still holds it")
        }
    }
}
